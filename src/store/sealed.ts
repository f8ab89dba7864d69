// Sealed values as they lie in their rows, for sealing them anew.
import { reaching, type Store } from './client.js'

/** Where sealed values are. A new column of that kind belongs here. */
export const SEALED_COLUMNS = [
  { table: 'account', column: 'access_token_sealed' },
  { table: 'receipt_app', column: 'secret_sealed' },
  { table: 'cash_box', column: 'access_token_sealed' },
  { table: 'cash_box', column: 'private_key_sealed' },
  { table: 'scu', column: 'secrets_sealed' },
  { table: 'queue', column: 'secrets_sealed' },
  { table: 'link_key', column: 'key_sealed' },
  { table: 'component_settings', column: 'settings_sealed' },
  { table: 'publication', column: 'document_sealed' },
  { table: 'idempotent_call', column: 'answer_sealed' },
  { table: 'message', column: 'address_sealed' },
  { table: 'message', column: 'data_sealed' },
  { table: 'person', column: 'code_secret_sealed' },
  { table: 'webhook', column: 'secret_sealed' },
  { table: 'webhook', column: 'old_secret_sealed' },
  { table: 'wallet_issuer', column: 'secrets_sealed' },
] as const

export type SealedColumn = (typeof SEALED_COLUMNS)[number]

export interface SealedValue {
  id: string
  sealed: Buffer
}

const PAGE_ROWS = 500
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** All values of a column by id, read in pages; nothing is held between two pages. */
export async function* sealedValues(
  store: Store,
  { table, column }: SealedColumn,
): AsyncGenerator<SealedValue, void, undefined> {
  for (let after = FIRST_ID; ; ) {
    const { rows } = await reaching(() =>
      store.pool.query<SealedValue>(
        `select id, ${column} as sealed from ${table}
         where id > $1 and ${column} is not null order by id limit ${PAGE_ROWS}`,
        [after],
      ),
    )
    const last = rows.at(-1)
    if (last === undefined) return
    yield* rows
    after = last.id
  }
}

/** False when somebody else wrote another value in the meantime; theirs stays. */
export async function replaceSealed(
  store: Store,
  { table, column }: SealedColumn,
  { id, sealed, next }: SealedValue & { next: Buffer },
): Promise<boolean> {
  const { rowCount } = await reaching(() =>
    store.pool.query(`update ${table} set ${column} = $3 where id = $1 and ${column} = $2`, [
      id,
      sealed,
      next,
    ]),
  )
  return rowCount === 1
}
