// Payment terminals as rows.
import { reaching, type Store } from '../client.js'

export interface TerminalRow {
  accountId: string
  id: string
  cashBoxId: string
  filter: string | null
  provider: string
  url: string | null
  createdAt: Date
}

const COLUMNS = `account_id as "accountId", id, cash_box_id as "cashBoxId",
  terminal_filter as filter, provider, url, created_at as "createdAt"`

/** Dated by the database: the age decides, whatever clocks the servers have. */
export async function insertTerminal(
  store: Store,
  row: Omit<TerminalRow, 'createdAt'>,
): Promise<TerminalRow> {
  const made = await reaching(() =>
    store.pool.query<TerminalRow>(
      `insert into payment_terminal
         (account_id, id, cash_box_id, terminal_filter, provider, url, created_at)
       values ($1, $2, $3, $4, $5, $6, clock_timestamp()) returning ${COLUMNS}`,
      [row.accountId, row.id, row.cashBoxId, row.filter, row.provider, row.url],
    ),
  )
  const [terminal] = made.rows
  if (terminal === undefined) throw new Error('a terminal was inserted and is not there')
  return terminal
}

/** Those of a cash box that are in use, oldest first. */
export async function terminalsOfBox(
  store: Store,
  { accountId, cashBoxId }: { accountId: string; cashBoxId: string },
): Promise<TerminalRow[]> {
  const found = await reaching(() =>
    store.pool.query<TerminalRow>({
      name: 'terminals-of-box',
      text: `select ${COLUMNS} from payment_terminal
        where account_id = $1 and cash_box_id = $2 and active order by created_at, id`,
      values: [accountId, cashBoxId],
    }),
  )
  return found.rows
}

/** All that are in use, oldest first, for whoever runs the server. */
export async function allTerminals(store: Store): Promise<TerminalRow[]> {
  const found = await reaching(() =>
    store.pool.query<TerminalRow>(
      `select ${COLUMNS} from payment_terminal where active order by created_at, id`,
    ),
  )
  return found.rows
}

/** It stays as a row that payments refer to. Undefined: there is none in use with this id. */
export async function retireTerminal(store: Store, id: string): Promise<TerminalRow | undefined> {
  const found = await reaching(() =>
    store.pool.query<TerminalRow>(
      `update payment_terminal set active = false where id = $1 and active returning ${COLUMNS}`,
      [id],
    ),
  )
  return found.rows[0]
}
