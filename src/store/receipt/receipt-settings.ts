// How receipts of a queue, or of a whole operator, are to look, as rows.
import { reaching, type Store } from '../client.js'
import type { Connection } from '../transaction.js'

export interface SettingsKey {
  accountId: string
  /** Of a queue; of the account itself for settings of a PosOperator. */
  id: string
}

export interface StoredLogo {
  type: string
  data: Buffer
  /** Where it came from; null for one that was sent. */
  url: string | null
}

export interface SettingsRow {
  /** JSON text of the properties that were set, the logo not among them. */
  document: string
  logo: StoredLogo | null
  version: string
}

interface Columns {
  id: string
  document: string
  logo: Buffer | null
  logo_type: string | null
  logo_url: string | null
  version: string
}

const COLUMNS = 'id, document, logo, logo_type, logo_url, version'

function rowOf({ document, logo, logo_type: type, logo_url: url, version }: Columns): SettingsRow {
  // Prisma gives plain bytes where pg gives a buffer
  const stored = logo === null || type === null ? null : { type, data: Buffer.from(logo), url }
  return { document, logo: stored, version }
}

/** Those of the ids that have settings, by id. */
export async function findSettings(
  store: Store,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, SettingsRow>> {
  const found = await reaching(() =>
    store.pool.query<Columns>({
      name: 'receipt-settings',
      text: `select ${COLUMNS} from receipt_settings where account_id = $1 and id = any($2)`,
      values: [accountId, ids],
    }),
  )
  return new Map(found.rows.map((row) => [row.id, rowOf(row)]))
}

export interface SettingsChanged {
  before: SettingsRow
  after: SettingsRow
}

/** Changes the row under a lock, so that of two changes at once both are kept. */
export async function changeSettings(
  on: Connection,
  key: SettingsKey,
  change: (old: SettingsRow) => SettingsRow,
): Promise<SettingsChanged> {
  const before = await locked(on, key)
  const after = change(before)
  const { document, logo, version } = after
  await on.query(
    `update receipt_settings set document = $3, logo = $4, logo_type = $5, logo_url = $6,
       version = $7::uuid, changed_at = clock_timestamp()
     where account_id = $1::uuid and id = $2::uuid`,
    [
      ...[key.accountId, key.id, document, logo?.data ?? null],
      ...[logo?.type ?? null, logo?.url ?? null, version],
    ],
  )
  return { before, after }
}

async function locked(on: Connection, { accountId, id }: SettingsKey): Promise<SettingsRow> {
  await on.query(
    `insert into receipt_settings (account_id, id, document, version, changed_at)
     values ($1::uuid, $2::uuid, '{}', $1::uuid, clock_timestamp())
     on conflict (account_id, id) do nothing`,
    [accountId, id],
  )
  const found = await on.query<Columns>(
    `select ${COLUMNS} from receipt_settings where account_id = $1::uuid and id = $2::uuid
     for update`,
    [accountId, id],
  )
  const [row] = found.rows
  if (row === undefined) throw new Error('settings were written and are not there')
  return rowOf(row)
}
