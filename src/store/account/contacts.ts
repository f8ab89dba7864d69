// People who act for accounts, and companies that are there already.
import { emailKey, type InvitationData } from '../../model/invitation.js'
import type { Connection } from '../transaction.js'

type On = Pick<Connection, 'query'>

/** First number of the locks under which an e-mail or a company is looked for and made. */
const CLAIM_CLASS = 72_707_374

/** Nobody else makes an account with one of these words until the transaction ends. */
export async function claimWords(on: On, words: readonly string[]): Promise<void> {
  // in one order everywhere, so that nobody waits in a circle
  await on.query(
    `select pg_advisory_xact_lock(${CLAIM_CLASS}, h)::text from
       (select distinct hashtext(value) as h from json_array_elements_text($1::json)
        order by h) words`,
    [JSON.stringify(words)],
  )
}

export interface User {
  accountId: string
  kind: string
  /** Null: an account made without contacts, known by its own e-mail. */
  contactId: string | null
}

/** The accounts that this e-mail is a user of. */
export async function usersOf(on: On, email: string): Promise<User[]> {
  const { rows } = await on.query<User>(
    `select a.id as "accountId", a.kind, c.id as "contactId"
       from contact c join account a on a.id = c.account_id where c.email_key = $1
     union all
     select a.id, a.kind, null from account a where lower(btrim(a.email)) = $1
       and not exists (select 1 from contact c where c.account_id = a.id)`,
    [emailKey(email)],
  )
  return rows
}

export interface CompanyMarks {
  name: string
  postalCode: string
  /** Without blanks and strokes, in capitals; '' where there is none. */
  vatId: string
  taxId: string
}

const COMPACT = (column: string): string =>
  `upper(regexp_replace(${column}, '[[:space:]./-]', '', 'g'))`

/** Whether another account is this company. */
export async function companyExists(
  on: On,
  { name, postalCode, vatId, taxId }: CompanyMarks,
  except: string | null,
): Promise<boolean> {
  const { rows } = await on.query(
    `select 1 from account a where a.id is distinct from $5::uuid and (
       (lower(btrim(a.name)) = lower(btrim($1)) and upper(btrim(a.postal_code)) = upper(btrim($2)))
       or ($3::text <> '' and a.vat_id <> '' and ${COMPACT('a.vat_id')} = $3)
       or ($4::text <> '' and a.tax_id <> '' and ${COMPACT('a.tax_id')} = $4)) limit 1`,
    [name, postalCode, vatId, taxId, except],
  )
  return rows.length > 0
}

export interface ContactKey {
  accountId: string
  id: string
}

export async function insertContact(
  on: On,
  { accountId, id, contact, createdAt }: ContactKey & Person & { createdAt: Date },
): Promise<void> {
  await on.query(
    `insert into contact (account_id, id, email, email_key, first_name, last_name, details,
       created_at) values ($1, $2, $3, $4, $5, $6, $7, $8) returning 1`,
    [accountId, id, ...columnsOf(contact), createdAt],
  )
}

type Person = Pick<InvitationData, 'contact'>

function columnsOf({ email, firstName, lastName, ...details }: InvitationData['contact']) {
  return [email, emailKey(email), firstName, lastName, JSON.stringify(details)]
}

/** Another address or name of somebody who has not accepted yet. */
export async function updateContact(
  on: On,
  { accountId, id, contact }: ContactKey & Person,
): Promise<void> {
  await on.query(
    `update contact set email = $3, email_key = $4, first_name = $5, last_name = $6, details = $7
     where account_id = $1 and id = $2 returning 1`,
    [accountId, id, ...columnsOf(contact)],
  )
}

export async function updateCompanyEmail(on: On, accountId: string, email: string): Promise<void> {
  await on.query('update account set email = $2 where id = $1 returning 1', [accountId, email])
}

/** Who acts for an account; the first one. */
export async function firstContact(
  on: On,
  accountId: string,
): Promise<InvitationData['contact'] | undefined> {
  interface Row {
    email: string
    first: string
    last: string
    details: string
  }
  const { rows } = await on.query<Row>(
    `select email, first_name as first, last_name as last, details from contact
     where account_id = $1 order by created_at, id limit 1`,
    [accountId],
  )
  return rows.map(({ email, first, last, details }) => ({
    ...{ firstName: first, lastName: last, email },
    ...(JSON.parse(details) as Pick<InvitationData['contact'], 'title' | 'suffix' | 'phone'>),
  }))[0]
}

/** Somebody has signed for it, or works for it: nobody else may hand it out. */
export async function isInUse(on: On, accountId: string): Promise<boolean> {
  const { rows } = await on.query(
    `select 1 from agreement where account_id = $1
     union all select 1 from connection where to_account_id = $1 and state = 'active' limit 1`,
    [accountId],
  )
  return rows.length > 0
}
