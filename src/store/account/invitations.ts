// Invitations as rows.
import type { AccessRights, InvitationData } from '../../model/invitation.js'
import { emailKey } from '../../model/invitation.js'
import type { Store } from '../client.js'
import type { Connection } from '../transaction.js'

export interface InvitationKey {
  accountId: string
  id: string
}

export interface Invitation extends InvitationKey, InvitationData {
  /** Null: pending. */
  done: Date | null
  success: boolean | null
  lastRun: Date | null
  lastResult: string | null
  resultContactId: string | null
  resultAccountId: string | null
  /** While it was pending. */
  deleted: boolean
  createdAt: Date
}

type InvitationRow = Omit<Invitation, keyof InvitationData> & {
  company: string
  contact: string
  rights: AccessRights | null
}

const COLUMNS = `account_id as "accountId", id, company, contact, rights, done, success,
  last_run as "lastRun", last_result as "lastResult", result_contact_id as "resultContactId",
  result_account_id as "resultAccountId", deleted, created_at as "createdAt"`

function invitationOf(row: InvitationRow): Invitation {
  return {
    ...row,
    company: JSON.parse(row.company) as Invitation['company'],
    contact: JSON.parse(row.contact) as Invitation['contact'],
  }
}

type On = Pick<Connection, 'query'>

export interface InvitationPage {
  /** Moment that the list is sorted by, and id, of the row in front. */
  after: readonly string[] | undefined
  most: number
}

/** Oldest first. */
export async function listPending(
  { pool }: Store,
  accountId: string,
  { after: [moment, id] = [], most }: InvitationPage,
): Promise<Invitation[]> {
  const { rows } = await pool.query<InvitationRow>({
    name: 'invitations-pending',
    text: `select ${COLUMNS} from invitation where account_id = $1 and done is null
        and ($2::timestamptz is null or (created_at, id) > ($2::timestamptz, $3::uuid))
      order by created_at, id limit $4`,
    values: [accountId, moment ?? null, id ?? null, most],
  })
  return rows.map(invitationOf)
}

export interface HistoryRange {
  from: Date | undefined
  /** Exclusive. */
  to: Date | undefined
}

/** Newest first. */
export async function listHistory(
  { pool }: Store,
  accountId: string,
  { from, to, after: [moment, id] = [], most }: HistoryRange & InvitationPage,
): Promise<Invitation[]> {
  const ranged = from !== undefined || to !== undefined
  const column = ranged ? 'last_run' : 'done'
  const within = `and not deleted and last_run >= coalesce($5, '-infinity'::timestamptz)
    and last_run < coalesce($6, 'infinity'::timestamptz)`
  const { rows } = await pool.query<InvitationRow>(
    `select ${COLUMNS} from invitation where account_id = $1 and done is not null
       and ($2::timestamptz is null or ${column} < $2 or ${column} = $2 and id > $3::uuid)
       ${ranged ? within : ''} order by ${column} desc, id limit $4`,
    [accountId, moment ?? null, id ?? null, most, ...(ranged ? [from ?? null, to ?? null] : [])],
  )
  return rows.map(invitationOf)
}

export async function findInvitation(
  { pool }: Store,
  { accountId, id }: InvitationKey,
): Promise<Invitation | undefined> {
  const { rows } = await pool.query<InvitationRow>({
    name: 'invitation',
    text: `select ${COLUMNS} from invitation where account_id = $1 and id = $2`,
    values: [accountId, id],
  })
  return rows.map(invitationOf)[0]
}

/** Nobody else changes it until the transaction ends. */
export async function lockInvitation(
  on: On,
  { accountId, id }: InvitationKey,
): Promise<Invitation | undefined> {
  const { rows } = await on.query<InvitationRow>(
    `select ${COLUMNS} from invitation where account_id = $1 and id = $2 for update`,
    [accountId, id],
  )
  return rows.map(invitationOf)[0]
}

/** False: another record of the account has this contact e-mail. */
export async function insertInvitation(
  on: On,
  invitation: InvitationKey & InvitationData & { createdAt: Date },
): Promise<boolean> {
  const { accountId, id, company, contact, rights, createdAt } = invitation
  const { rows } = await on.query(
    `insert into invitation (account_id, id, email_key, company, contact, rights, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (account_id, email_key) where not deleted do nothing returning 1`,
    [
      ...[accountId, id, emailKey(contact.email)],
      ...[JSON.stringify(company), JSON.stringify(contact), rights, createdAt],
    ],
  )
  return rows.length === 1
}

/** False: another record of the account has this contact e-mail. */
export async function updateInvitation(on: On, invitation: Invitation): Promise<boolean> {
  const { accountId, id, company, contact, rights, done, success } = invitation
  const key = emailKey(contact.email)
  const taken = await on.query(
    `select 1 from invitation where account_id = $1 and email_key = $2 and not deleted
       and id <> $3 and not $4::boolean`,
    [accountId, key, id, invitation.deleted],
  )
  if (taken.rows.length > 0) return false
  await on.query(
    `update invitation set email_key = $3, company = $4, contact = $5, rights = $6, done = $7,
       success = $8, last_run = $9, last_result = $10, result_contact_id = $11,
       result_account_id = $12, deleted = $13
     where account_id = $1 and id = $2`,
    [
      ...[accountId, id, key, JSON.stringify(company), JSON.stringify(contact), rights],
      ...[done, success, invitation.lastRun, invitation.lastResult],
      ...[invitation.resultContactId, invitation.resultAccountId, invitation.deleted],
    ],
  )
  return true
}

/** True when the error says that two records would have the same contact e-mail. */
export function isSameEmail(error: unknown): boolean {
  return error instanceof Error && /invitation_email_key|23505/.test(told(error))
}

function told(error: Error): string {
  const meta: unknown = Reflect.get(error, 'meta')
  return `${error.message} ${String(Reflect.get(error, 'code'))} ${JSON.stringify(meta ?? '')}`
}

// --------------------------------------------------------------------- import

/** Those of the keys that live records of the account have. */
export async function knownEmails(
  on: On,
  accountId: string,
  keys: readonly string[],
): Promise<Set<string>> {
  const { rows } = await on.query<{ key: string }>(
    `select email_key as key from invitation
     where account_id = $1 and not deleted and email_key in
       (select value from json_array_elements_text($2::json))`,
    [accountId, JSON.stringify(keys)],
  )
  return new Set(rows.map(({ key }) => key))
}

/** One that is to be stored. */
export interface NewInvitation extends InvitationData {
  id: string
  /** Of its e-mail, as it is compared. */
  key: string
}

/**
 * Many at once: the JSON text of a list of NewInvitation. Of several with one e-mail the first one
 * counts; the ids of those that were new.
 */
export async function insertInvitations(
  on: On,
  accountId: string,
  given: { createdAt: Date; json: string },
): Promise<Set<string>> {
  const { rows } = await on.query<{ id: string }>(
    `insert into invitation (account_id, id, email_key, company, contact, rights, created_at)
     select $1::uuid, r.id, r.key, r.company, r.contact, r.rights, $3::timestamptz
     from json_to_recordset($2::json)
       as r(id uuid, key text, company text, contact text, rights text)
     on conflict (account_id, email_key) where not deleted do nothing
     returning id`,
    [accountId, given.json, given.createdAt],
  )
  return new Set(rows.map(({ id }) => id))
}
