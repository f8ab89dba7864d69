// What names people beside the ledger: blanked when its period is over, or when somebody asks for
// it.
import type { Connection } from '../transaction.js'

type On = Pick<Connection, 'query'>

/** Rows that were blanked, per account and table. */
export type Erased = Map<string, Record<string, number>>

export interface Span {
  /** What ended before this moment. */
  before: Date
  /** Of one account; null: of all. */
  accountId: string | null
}

/** Most rows of one statement: nobody waits for a large one. */
export const ERASE_ROWS = 5_000

const NOT_UNDER_WAY = `'sent', 'failed', 'unsure', 'stored'`
/** Its name and address stay: they are the company's. */
const COMPANY = `(t.company::jsonb || '{"email":"","phone":null}')::text`
const NOBODY = `'{"firstName":"","lastName":"","email":""}'`

/** Table by table: which rows, found by the index of their age, and what becomes of them. */
const STEPS: Readonly<Record<string, string>> = {
  delivery: `update delivery t set user_agent = null, address_hash = null
    where (t.account_id, t.queue_id, t.queue_item_id, t.id) in (
      select account_id, queue_id, queue_item_id, id from delivery
      where moment < $1 and ($2::uuid is null or account_id = $2)
        and (user_agent is not null or address_hash is not null) limit $3)`,
  // one that failed keeps its place; one that is tried again at this moment keeps everything
  message: `update message t set address_masked = '', address_sealed = null, data_sealed = null
    where t.state in (${NOT_UNDER_WAY}) and (t.account_id, t.id) in (
      select account_id, id from message
      where changed_at < $1 and ($2::uuid is null or account_id = $2) and address_masked <> ''
        and state in (${NOT_UNDER_WAY}) limit $3)`,
  invitation: `update invitation t set email_key = 'erased:' || t.id, contact = ${NOBODY},
      company = ${COMPANY}
    where (t.account_id, t.id) in (
      select account_id, id from invitation
      where done < $1 and ($2::uuid is null or account_id = $2)
        and email_key not like 'erased:%' limit $3)`,
  agreement: `update agreement t set address = ''
    where (t.account_id, t.id) in (
      select account_id, id from agreement
      where moment < $1 and ($2::uuid is null or account_id = $2) and address <> '' limit $3)`,
  draft: `delete from draft t where (t.account_id, t.name) in (
      select account_id, name from draft
      where changed_at < $1 and ($2::uuid is null or account_id = $2) limit $3)`,
}

/** One round over all tables; false once there was nothing left. */
export async function eraseOld(on: On, { before, accountId }: Span): Promise<Erased> {
  const erased: Erased = new Map()
  for (const [table, text] of Object.entries(STEPS)) {
    const values = [before, accountId, ERASE_ROWS]
    const { rows } = await on.query<{ id: string }>(`${text} returning t.account_id as id`, values)
    for (const { id } of rows) count(erased, id, table)
  }
  return erased
}

export interface Person {
  emailKey: string
  /** Of one account; null: of all. */
  accountId: string | null
}

/** Everything that names one person, by the address; invitations under way end with it. */
export async function eraseEmail(on: On, { emailKey, accountId }: Person): Promise<Erased> {
  const erased: Erased = new Map()
  const own = (column: string): string => `($2::uuid is null or ${column} = $2)`
  const steps: readonly (readonly [table: string, text: string])[] = [
    [
      'contact',
      `update contact t set email = '', email_key = 'erased:' || t.id, first_name = '',
         last_name = '', details = '{}' where t.email_key = $1 and ${own('t.account_id')}`,
    ],
    [
      'invitation',
      `update invitation t set email_key = 'erased:' || t.id, contact = ${NOBODY},
         company = ${COMPANY},
         done = coalesce(t.done, now()), deleted = t.deleted or t.done is null
         where t.email_key = $1 and ${own('t.account_id')}`,
    ],
    // as the address of the company alone: its invitation goes on
    [
      'invitation',
      `update invitation t set company = ${COMPANY}
         where lower(btrim(t.company::jsonb->>'email')) = $1 and ${own('t.account_id')}`,
    ],
    [
      'draft',
      `delete from draft t where strpos(lower(t.document), $1) > 0 and ${own('t.account_id')}`,
    ],
    [
      'account',
      `update account t set email = '', phone = '' where lower(btrim(t.email)) = $1
         and ${own('t.id')}`,
    ],
  ]
  for (const [table, text] of steps) {
    const id = table === 'account' ? 't.id' : 't.account_id'
    const { rows } = await on.query<{ id: string }>(`${text} returning ${id} as id`, [
      ...[emailKey, accountId],
    ])
    for (const row of rows) count(erased, row.id, table)
  }
  return erased
}

function count(erased: Erased, accountId: string, table: string): void {
  const known = erased.get(accountId) ?? {}
  erased.set(accountId, { ...known, [table]: (known[table] ?? 0) + 1 })
}
