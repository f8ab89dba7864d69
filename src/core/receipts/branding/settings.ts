// Receipt settings of a queue or of a whole PosOperator: read, merged, replaced.
import { randomUUID } from 'node:crypto'
import type { OutboundCall } from '../../../device/outbound.js'
import { sha256 } from '../../../lib/hash.js'
import type { Branding } from '../../../model/branding.js'
import { reaching, type Store } from '../../../store/client.js'
import { connectionOf } from '../../../store/raw.js'
import {
  changeSettings,
  findSettings,
  type SettingsChanged,
  type SettingsKey,
  type SettingsRow,
  type StoredLogo,
} from '../../../store/receipt/receipt-settings.js'
import type { Connection } from '../../../store/transaction.js'
import { inTransaction } from '../../../store/transaction.js'
import { type Actor, audited } from '../../audit/audit.js'
import { brandingOfRows } from './branding.js'
import { documentOf, merge, readChange, type SettingsChange } from './document.js'
import { type DrawLogo, logoFrom } from './logo.js'

export interface SettingsDeps {
  store: Store
  /** Reaches public addresses only. */
  fetch: OutboundCall
  drawLogo: DrawLogo
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
  request: SettingsRequest,
): Promise<Record<string, unknown>> {
  const write = await prepared(deps, request)
  return reaching(async () => shown((await inTransaction(deps.store, write)).after))
}

/** The same on behalf of a dealer: with a row that tells of it. */
export async function writeAudited(
  deps: SettingsDeps & { now(): Date },
  actor: Actor,
  request: SettingsRequest,
): Promise<Record<string, unknown>> {
  const write = await prepared(deps, request)
  return audited(deps, actor, async (tx) => {
    const { before, after } = await write(connectionOf(tx))
    const subjects = { accountId: request.key.accountId }
    return { result: shown(after), subjects, before: told(before), after: told(after) }
  })
}

/** How receipts would look with this; nothing is stored. Throws FIELD_INVALID. */
export async function brandingOfWish(
  deps: SettingsDeps,
  key: SettingsKey,
  body: unknown,
): Promise<Branding> {
  const change = readChange(body)
  const logo = (await newLogo(deps, key, change)) ?? null
  const document = JSON.stringify(merge({}, change.values))
  const version = sha256(`${document} ${logo === null ? '' : addressOf(logo)}`).toString('hex')
  return brandingOfRows([{ document, logo, version }])
}

/** Everything that can be refused or takes its time is behind us when it is called. */
async function prepared(
  deps: SettingsDeps,
  { key, body, how }: SettingsRequest,
): Promise<(on: Connection) => Promise<SettingsChanged>> {
  const change = readChange(body)
  const logo = await newLogo(deps, key, change)
  return (on) =>
    changeSettings(on, key, (old) => {
      const before = how === 'merge' ? documentOf(old.document) : {}
      const kept = how === 'merge' ? old.logo : null
      return {
        document: JSON.stringify(merge(before, change.values)),
        logo: logo === undefined ? kept : logo,
        version: randomUUID(),
      }
    })
}

/** Fetched and drawn before anything is locked; an address that is known is not asked again. */
async function newLogo(
  { store, fetch, drawLogo }: SettingsDeps,
  { accountId, id }: SettingsKey,
  { logo: source }: SettingsChange,
): Promise<StoredLogo | null | undefined> {
  if (source === null || source === undefined) return source
  const known = (await findSettings(store, accountId, [id])).get(id)?.logo ?? undefined
  // what was answered comes back as it is: drawn again and again it would fade
  if (known !== undefined && addressOf(known) === source) return known
  return logoFrom(source, { fetch, drawLogo, line: accountId })
}

function addressOf({ type, data, url }: StoredLogo): string {
  return url ?? `data:${type};base64,${data.toString('base64')}`
}

function shown({ document, logo }: SettingsRow): Record<string, unknown> {
  const values = documentOf(document)
  return logo === null ? values : { ...values, logourl: addressOf(logo) }
}

/** For the audit row: of a picture what it was, not the picture. */
function told({ document, logo }: SettingsRow): Record<string, unknown> {
  const values = documentOf(document)
  if (logo === null) return values
  const { type, data, url } = logo
  return {
    ...values,
    logo: { type, url, bytes: data.length, sha256: sha256(data).toString('hex') },
  }
}
