// Links by which invited PosOperators accept, and what they sign.
import type { AccessRights } from '../../model/invitation.js'
import type { Store } from '../client.js'
import type { Connection } from '../transaction.js'

type On = Pick<Connection, 'query'>

export interface NewActivation {
  accountId: string
  id: string
  invitationId: string
  operatorId: string
  tokenHash: Buffer
  createdAt: Date
  expiresAt: Date
  /** used: there is nothing to accept, the link shows the connection and ends it. */
  state: 'open' | 'used'
}

export async function insertActivation(on: On, row: NewActivation): Promise<void> {
  await on.query(
    `insert into activation (account_id, id, invitation_id, operator_id, token_hash, state,
       created_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7, $8) returning 1`,
    [
      ...[row.accountId, row.id, row.invitationId, row.operatorId],
      ...[row.tokenHash, row.state, row.createdAt, row.expiresAt],
    ],
  )
}

export interface Activation {
  /** The dealer. */
  accountId: string
  id: string
  invitationId: string
  operatorId: string
  state: 'open' | 'used' | 'revoked'
  expiresAt: Date
  dealerName: string
  dealerMarket: string
  operatorName: string
  /** Null: the connection is gone. */
  rights: AccessRights | null
  connection: 'pending' | 'active' | 'ended' | null
  /** Of the connection: from then on it grants nothing. */
  endsAt: Date | null
}

const ASK = `select v.account_id as "accountId", v.id, v.invitation_id as "invitationId",
    v.operator_id as "operatorId", v.state, v.expires_at as "expiresAt", d.name as "dealerName",
    d.market as "dealerMarket", o.name as "operatorName", c.rights, c.ends_at as "endsAt",
    case when c.ends_at <= now() then 'ended' else c.state end as connection
  from activation v join account d on d.id = v.account_id join account o on o.id = v.operator_id
    left join connection c on c.account_id = v.account_id and c.to_account_id = v.operator_id
  where v.token_hash = $1`

export async function findActivation(
  { pool }: Store,
  tokenHash: Buffer,
): Promise<Activation | undefined> {
  return (await pool.query<Activation>(ASK, [tokenHash])).rows[0]
}

const LOCK = 'select 1 from activation where token_hash = $1 for update'

/**
 * Nobody else uses it until the transaction ends. Two statements: one that waits for a lock sees
 * the locked row anew, but the connection beside it as it was before the wait.
 */
export async function lockActivation(on: On, tokenHash: Buffer): Promise<Activation | undefined> {
  await on.query(LOCK, [tokenHash])
  return (await on.query<Activation>(ASK, [tokenHash])).rows[0]
}

export interface InvitationOf {
  accountId: string
  invitationId: string
}

/** Links of the invitation that are not used yet become what `state` says. */
export async function endActivations(
  on: On,
  { accountId, invitationId }: InvitationOf,
  state: 'used' | 'revoked',
): Promise<void> {
  await on.query(
    `update activation set state = $3 where account_id = $1 and invitation_id = $2
       and state = 'open' returning 1`,
    [accountId, invitationId, state],
  )
}

/** Links that were sent for this connection and not used yet open nothing any more. */
export async function revokeActivations(
  on: On,
  { dealerId, operatorId }: { dealerId: string; operatorId: string },
): Promise<void> {
  await on.query(
    `update activation set state = 'revoked' where account_id = $1 and operator_id = $2
       and state = 'open' returning 1`,
    [dealerId, operatorId],
  )
}

/** How many links were made for it since then. */
export async function countActivations(
  on: On,
  { accountId, invitationId }: InvitationOf,
  since: Date,
): Promise<number> {
  const { rows } = await on.query<{ count: number }>(
    `select count(*)::int as count from activation
     where account_id = $1 and invitation_id = $2 and created_at > $3`,
    [accountId, invitationId, since],
  )
  return rows[0]?.count ?? 0
}

export interface NewAgreement {
  /** The PosOperator. */
  accountId: string
  id: string
  name: string
  text: string
  textHash: Buffer
  signedBy: string
  dealerId: string
  address: string
  moment: Date
}

/** What was signed for an operator in the name of a dealer: the last text under each name. */
export async function findAgreements(
  { pool }: Store,
  { operatorId, dealerId }: { operatorId: string; dealerId: string },
): Promise<{ name: string; text: string }[]> {
  const { rows } = await pool.query<{ name: string; text: string }>(
    `select distinct on (name) name, text from agreement
     where account_id = $1 and dealer_id = $2 order by name desc, moment desc`,
    [operatorId, dealerId],
  )
  return rows
}

export async function insertAgreement(on: On, row: NewAgreement): Promise<void> {
  await on.query(
    `insert into agreement (account_id, id, name, text, text_hash, signed_by, dealer_id, address,
       moment) values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning 1`,
    [
      ...[row.accountId, row.id, row.name, row.text, row.textHash, row.signedBy],
      ...[row.dealerId, row.address, row.moment],
    ],
  )
}
