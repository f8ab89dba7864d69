// Stored invitations: kept, changed, deleted, and made pending again.
import { fail } from '../../../errors.js'
import { randomId } from '../../../lib/id.js'
import type { InvitationData } from '../../../model/invitation.js'
import { endActivations } from '../../../store/account/activations.js'
import {
  findInvitation,
  type HistoryRange,
  type Invitation,
  type InvitationKey,
  type InvitationPage,
  insertInvitation,
  isSameEmail,
  listHistory,
  listPending,
  lockInvitation,
  updateInvitation,
} from '../../../store/account/invitations.js'
import { connectionOf } from '../../../store/raw.js'
import type { Transaction } from '../../../store/transaction.js'
import { type Actor, audited, type Change } from '../../audit/audit.js'
import type { InvitationDeps } from './deps.js'

export interface InvitationRecords {
  /** Pending ones, oldest first. */
  list(accountId: string, page: InvitationPage): Promise<Invitation[]>
  /** Completed ones, newest first. */
  history(accountId: string, range: HistoryRange & InvitationPage): Promise<Invitation[]>
  /** Throws INVITATION_UNKNOWN. */
  get(key: InvitationKey): Promise<Invitation>
  /** Throws INVITATION_EXISTS. */
  create(actor: Actor, data: InvitationData): Promise<Invitation>
  /** Overwrites everything. Throws INVITATION_UNKNOWN, …_EXISTS, …_PROCESSED. */
  update(actor: Actor, id: string, data: InvitationData): Promise<Invitation>
  /** Kept for the history. Throws INVITATION_UNKNOWN, …_PROCESSED. */
  remove(actor: Actor, id: string): Promise<void>
  /** Pending again; what has been sent does not work any more. Throws INVITATION_UNKNOWN. */
  reset(actor: Actor, id: string): Promise<Invitation>
}

export function createInvitationRecords(deps: InvitationDeps): InvitationRecords {
  const { store } = deps
  return {
    list: (accountId, page) => listPending(store, accountId, page),
    history: (accountId, range) => listHistory(store, accountId, range),
    get: async (key) => known(await findInvitation(store, key), key.id),
    create: (actor, data) => unique(data, () => create(deps, actor, data)),
    update: (actor, id, data) => unique(data, () => update(deps, actor, { id, data })),
    remove: async (actor, id) => {
      await change(deps, { actor, id }, (old) => {
        if (old.done !== null) throw fail('INVITATION_PROCESSED')
        return { ...old, done: deps.now(), success: null, deleted: true }
      })
    },
    reset: (actor, id) => reset(deps, actor, id),
  }
}

export function known(found: Invitation | undefined, id: string): Invitation {
  if (found === undefined) throw fail('INVITATION_UNKNOWN', { invitation: id })
  return found
}

/** Two writers at the same moment are told apart by the index. */
export async function unique<T>({ contact }: InvitationData, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isSameEmail(error)) throw fail('INVITATION_EXISTS', { email: contact.email })
    throw error
  }
}

/** A new record within a transaction. Throws INVITATION_EXISTS. */
export async function insertNew(
  tx: Transaction,
  row: InvitationKey & InvitationData & { createdAt: Date },
): Promise<Invitation> {
  if (!(await insertInvitation(connectionOf(tx), row))) {
    throw fail('INVITATION_EXISTS', { email: row.contact.email })
  }
  return { ...row, ...FRESH }
}

const FRESH = {
  done: null,
  success: null,
  lastRun: null,
  lastResult: null,
  resultContactId: null,
  resultAccountId: null,
  deleted: false,
}

function create(deps: InvitationDeps, actor: Actor, data: InvitationData): Promise<Invitation> {
  const key = { accountId: actor.accountId, id: randomId(), createdAt: deps.now() }
  return audited(deps, actor, async (tx) => {
    const result = await insertNew(tx, { ...key, ...data })
    return { result, subjects: { invitationId: key.id }, after: told(result) }
  })
}

function update(
  deps: InvitationDeps,
  actor: Actor,
  { id, data }: { id: string; data: InvitationData },
): Promise<Invitation> {
  return change(deps, { actor, id }, (old) => {
    if (old.done !== null) throw fail('INVITATION_PROCESSED')
    return { ...old, ...data }
  })
}

async function reset(deps: InvitationDeps, actor: Actor, id: string): Promise<Invitation> {
  const key = { accountId: actor.accountId, id }
  const old = known(await findInvitation(deps.store, key), id)
  return unique(old, () =>
    audited(deps, actor, async (tx) => {
      // a letter that went to the wrong address must not open anything any more
      await endActivations(
        connectionOf(tx),
        { accountId: key.accountId, invitationId: id },
        'revoked',
      )
      return changed(tx, key, (row) => ({ ...row, done: null, deleted: false }))
    }),
  )
}

function change(
  deps: InvitationDeps,
  { actor, id }: { actor: Actor; id: string },
  work: (old: Invitation) => Invitation,
): Promise<Invitation> {
  return audited(deps, actor, (tx) => changed(tx, { accountId: actor.accountId, id }, work))
}

async function changed(
  tx: Transaction,
  key: InvitationKey,
  work: (old: Invitation) => Invitation,
): Promise<Change<Invitation>> {
  const on = connectionOf(tx)
  const old = known(await lockInvitation(on, key), key.id)
  const result = work(old)
  const { contact } = result
  if (!(await updateInvitation(on, result))) {
    throw fail('INVITATION_EXISTS', { email: contact.email })
  }
  return {
    result,
    subjects: { invitationId: key.id },
    before: told(old),
    after: told(result),
  }
}

/** As the audit has it. */
export function told({ accountId: _account, id: _id, ...rest }: Invitation): object {
  return rest
}
