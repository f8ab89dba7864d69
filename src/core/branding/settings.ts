// Receipt settings of a queue or of a whole PosOperator: read, merged, replaced. Called by
// api/receipt/settings.ts, and by whoever serves the PosOperator's.
import { randomUUID } from 'node:crypto'
import type { OutboundCall } from '../../device/outbound.js'
import type { Store } from '../../store/client.js'
import {
  changeSettings,
  findSettings,
  type SettingsKey,
  type SettingsRow,
  type StoredLogo,
} from '../../store/receipt-settings.js'
import { documentOf, merge, readChange, type SettingsChange } from './document.js'
import { logoFrom } from './logo.js'

export interface SettingsDeps {
  store: Store
  /** Reaches public addresses only. */
  fetch: OutboundCall
}

/** The settings of the PosOperator that an account is. */
export function operatorKey(accountId: string): SettingsKey {
  return { accountId, id: accountId }
}

export interface SettingsRequest {
  key: SettingsKey
  /** Parsed JSON. */
  body: unknown
  /** `merge`: what is not named stays. `replace`: it is taken away. */
  how: 'merge' | 'replace'
}

/** The document with the logo in it: what is answered. */
export async function readSettings(
  { store }: SettingsDeps,
  { accountId, id }: SettingsKey,
): Promise<Record<string, unknown>> {
  const found = await findSettings(store, accountId, [id])
  const row = found.get(id)
  return row === undefined ? {} : shown(row)
}

/** Throws FIELD_INVALID; nothing was changed then. */
export async function writeSettings(
  deps: SettingsDeps,
  { key, body, how }: SettingsRequest,
): Promise<Record<string, unknown>> {
  const change = readChange(body)
  const logo = await newLogo(deps, key, change)
  const row = await changeSettings(deps.store, key, (old) => {
    const before = how === 'merge' ? documentOf(old.document) : {}
    const kept = how === 'merge' ? old.logo : null
    return {
      document: JSON.stringify(merge(before, change.values)),
      logo: logo === undefined ? kept : logo,
      version: randomUUID(),
    }
  })
  return shown(row)
}

/** Fetched and drawn before anything is locked; an address that is known is not asked again. */
async function newLogo(
  { store, fetch }: SettingsDeps,
  { accountId, id }: SettingsKey,
  { logo: source }: SettingsChange,
): Promise<StoredLogo | null | undefined> {
  if (source === null || source === undefined) return source
  const known = (await findSettings(store, accountId, [id])).get(id)?.logo
  if (known?.url === source) return known
  return logoFrom(source, fetch)
}

function shown({ document, logo }: SettingsRow): Record<string, unknown> {
  const values = documentOf(document)
  if (logo === null) return values
  const { type, data, url } = logo
  return { ...values, logourl: url ?? `data:${type};base64,${data.toString('base64')}` }
}
