// Execute, auto-execute and resend: what a dealer does with a stored invitation. Refusals by a
// business rule are answers, not errors.
import { FiscalError } from '../../../errors.js'
import { KeyedMutex } from '../../../lib/keyed-mutex.js'
import type { EventType, NewEvent } from '../../../model/event.js'
import type { AccessRights } from '../../../model/invitation.js'
import { sentenceOf } from '../../../notify/message.js'
import { findConnection } from '../../../store/account/connections.js'
import { isInUse } from '../../../store/account/contacts.js'
import {
  type Invitation,
  lockInvitation,
  updateInvitation,
} from '../../../store/account/invitations.js'
import { isAway } from '../../../store/client.js'
import { connectionOf } from '../../../store/raw.js'
import type { Transaction } from '../../../store/transaction.js'
import { audited, type Change, type Unchanged } from '../../audit/audit.js'
import type { Caller, InvitationDeps } from './deps.js'
import { newLink, sendInvitation } from './letter.js'
import type { BusinessCode, Refused } from './match-account.js'
import { known, told } from './records.js'
import { rightsOf, submit } from './submit.js'

export interface ActionResult {
  success: boolean
  error: string | null
  errorCode: BusinessCode | null
  /** Of a page about it; there is none yet. */
  url: string | null
  text: string | null
}

export interface InvitationActions {
  /** All throw INVITATION_UNKNOWN. */
  execute(caller: Caller, id: string, rights: AccessRights | undefined): Promise<ActionResult>
  autoExecute(caller: Caller, id: string): Promise<ActionResult>
  resend(caller: Caller, id: string, options: { copyToClipboard: boolean }): Promise<ActionResult>
}

export function createInvitationActions(deps: InvitationDeps): InvitationActions {
  const turns = new KeyedMutex()
  const inTurn = (caller: Caller, id: string, work: () => Promise<ActionResult>) =>
    turns.run(caller.account.id, () => guarded(deps, caller, { id, work }))
  return {
    execute: (caller, id, rights) =>
      inTurn(caller, id, () => execute(deps, caller, { id, rights, auto: false })),
    autoExecute: (caller, id) =>
      inTurn(caller, id, () => execute(deps, caller, { id, rights: undefined, auto: true })),
    resend: (caller, id, { copyToClipboard }) =>
      inTurn(caller, id, () => resend(deps, caller, { id, copyToClipboard })),
  }
}

/** A technical failure is an answer as well, unless the database is not there. */
async function guarded(
  deps: InvitationDeps,
  caller: Caller,
  { id, work }: { id: string; work: () => Promise<ActionResult> },
): Promise<ActionResult> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof FiscalError || isAway(error)) throw error
    const { actor, culture } = caller
    deps.log.error({ err: error, invitation: id, traceId: actor.traceId }, 'an invitation failed')
    const text = sentenceOf('technicalFailure', culture.language)
    return noteFailure(deps, caller, { id, text })
  }
}

/** Behind a transaction that has failed; a record that is processed stays as it is. */
function noteFailure(
  deps: InvitationDeps,
  caller: Caller,
  { id, text }: { id: string; text: string },
): Promise<ActionResult> {
  const result = { ...REFUSAL, error: text }
  return audited(deps, caller.actor, async (tx) => {
    const invitation = await locked(tx, caller, id)
    if (invitation.done !== null) return unchanged(result)
    return failed(deps, tx, { invitation, result })
  })
}

interface Execution {
  id: string
  rights: AccessRights | undefined
  auto: boolean
}

function execute(
  deps: InvitationDeps,
  caller: Caller,
  { id, rights: wish, auto }: Execution,
): Promise<ActionResult> {
  return audited(deps, caller.actor, async (tx) => {
    const invitation = await locked(tx, caller, id)
    if (invitation.done !== null) {
      return unchanged(refused(caller, { refused: 'InvitationAlreadyProcessed' }))
    }
    const rights = rightsOf(wish, invitation.rights)
    const mail = {}
    const outcome = await submit(deps, tx, { caller, invitation, rights, auto, mail })
    if ('refused' in outcome) {
      return failed(deps, tx, { invitation, result: refused(caller, outcome) })
    }
    const { operatorId } = outcome
    const { lastResult: text } = outcome.invitation
    return {
      result: { ...SUCCESS, url: pageOf(caller, id), text },
      subjects: { invitationId: id, operatorId },
      before: told(invitation),
      after: told(outcome.invitation),
      event: { ...eventOf('invitation.sent', id), data: { operatorId } },
    }
  })
}

async function locked(tx: Transaction, caller: Caller, id: string): Promise<Invitation> {
  const key = { accountId: caller.account.id, id }
  return known(await lockInvitation(connectionOf(tx), key), id)
}

/** The record stays pending and says why. */
async function failed(
  { now }: InvitationDeps,
  tx: Transaction,
  { invitation, result }: { invitation: Invitation; result: ActionResult },
): Promise<Change<ActionResult>> {
  const after = { ...invitation, success: false, lastRun: now(), lastResult: result.error }
  await updateInvitation(connectionOf(tx), after)
  return {
    result,
    subjects: { invitationId: invitation.id },
    before: told(invitation),
    after: told(after),
    event: eventOf('invitation.refused', invitation.id),
  }
}

function eventOf(type: EventType, id: string): NewEvent {
  return { type, subject: { kind: 'invitation', id } }
}

const unchanged = (result: ActionResult): Unchanged<ActionResult> => ({ result, unchanged: true })

/** Of the portal; it is no pending one any more. */
const pageOf = ({ base }: Caller, id: string): string =>
  `${base}/portal/invitations?view=history&search=${id}`

const SUCCESS = { success: true, error: null, errorCode: null } as const

const REFUSAL: ActionResult = {
  success: false,
  error: null,
  errorCode: null,
  url: null,
  text: null,
}

function refused(caller: Caller, { refused: code, fields = '' }: Refused) {
  const error = sentenceOf(code, caller.culture.language, { fields })
  return { ...REFUSAL, error, errorCode: code }
}

interface Resending {
  id: string
  copyToClipboard: boolean
}

function resend(
  deps: InvitationDeps,
  caller: Caller,
  { id, copyToClipboard }: Resending,
): Promise<ActionResult> {
  return audited(deps, caller.actor, async (tx) => {
    const { account: dealer, base } = caller
    const invitation = await locked(tx, caller, id)
    const { resultAccountId: operatorId, done } = invitation
    if (done === null || operatorId === null) {
      return unchanged(refused(caller, { refused: 'InvitationNotProcessed' }))
    }
    const key = { accountId: dealer.id, toAccountId: operatorId }
    const connection = await findConnection({ prisma: tx }, key)
    if (connection === undefined || connection.state === 'active') {
      return unchanged(refused(caller, { refused: 'ConnectionAlreadyAccepted' }))
    }
    const on = connectionOf(tx)
    const { rights } = connection
    const variant = (await isInUse(on, operatorId)) ? 'connect' : 'new'
    const input = { dealer, invitation, operatorId, rights, variant, base, mail: {} } as const
    let text = sentenceOf('invitationSent', caller.culture.language)
    if (copyToClipboard) text = await newLink(deps, on, input)
    else await sendInvitation(deps, on, input)
    return {
      result: { ...SUCCESS, url: pageOf(caller, id), text },
      subjects: { invitationId: id, operatorId },
      after: { copyToClipboard: String(copyToClipboard) },
    }
  })
}
