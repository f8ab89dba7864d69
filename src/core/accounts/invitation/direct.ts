// Invites a PosOperator in one call, or connects it at once; leaves a processed record.
import { fail } from '../../../errors.js'
import { sha256 } from '../../../lib/hash.js'
import { randomId } from '../../../lib/id.js'
import { KeyedMutex } from '../../../lib/keyed-mutex.js'
import type { InvitationData } from '../../../model/invitation.js'
import { sentenceOf } from '../../../notify/message.js'
import { findConnection } from '../../../store/account/connections.js'
import { usersOf } from '../../../store/account/contacts.js'
import { putPdf } from '../../../store/account/invitation-settings.js'
import { connectionOf } from '../../../store/raw.js'
import type { Transaction } from '../../../store/transaction.js'
import { audited } from '../../audit/audit.js'
import type { Caller, InvitationDeps } from './deps.js'
import type { MailWish } from './letter.js'
import type { BusinessCode } from './match-account.js'
import { insertNew, told, unique } from './records.js'
import { settingsOf } from './settings.js'
import { rightsOf, submit } from './submit.js'

export interface DirectInvitation extends InvitationData {
  additionalText: string | null
  /** A checked PDF for this e-mail; undefined: the stored one. */
  pdf: Buffer | undefined
  auto: boolean
}

/** The id of the PosOperator. Throws INVITATION_EXISTS, CONNECTION_EXISTS, COMPANY_EXISTS. */
export type InviteDirectly = (caller: Caller, wanted: DirectInvitation) => Promise<string>

export function createDirectInvitations(deps: InvitationDeps): InviteDirectly {
  const turns = new KeyedMutex()
  return (caller, wanted) =>
    turns.run(caller.account.id, () => unique(wanted, () => invite(deps, caller, wanted)))
}

function invite(deps: InvitationDeps, caller: Caller, wanted: DirectInvitation): Promise<string> {
  const { company, contact, rights, auto } = wanted
  const { id: accountId } = caller.account
  return audited(deps, caller.actor, async (tx) => {
    const key = { accountId, id: randomId(), createdAt: deps.now() }
    const usual = await settingsOf(connectionOf(tx), accountId)
    await refuseConnected(tx, accountId, contact.email)
    const invitation = await insertNew(tx, { ...key, company, contact, rights })
    const outcome = await submit(deps, tx, {
      ...{ caller, invitation, auto, mail: await mailOf(deps, tx, { accountId, wanted }) },
      rights: auto ? rightsOf(rights) : rightsOf(rights, usual.defaultAccessRights),
    })
    if ('refused' in outcome) throw refusalOf(caller, outcome.refused)
    const { operatorId } = outcome
    return {
      result: operatorId,
      subjects: { invitationId: key.id, operatorId },
      after: told(outcome.invitation),
    }
  })
}

/** Says more than that there is an invitation. */
async function refuseConnected(tx: Transaction, accountId: string, email: string): Promise<void> {
  for (const user of await usersOf(connectionOf(tx), email)) {
    const key = { accountId, toAccountId: user.accountId }
    const connection = await findConnection({ prisma: tx }, key)
    if (connection?.state === 'active') throw fail('CONNECTION_EXISTS')
  }
}

/** The members at fault, where it is the body that is wrong. */
const MEMBERS: Readonly<Partial<Record<BusinessCode, string>>> = {
  EMailNotSent: 'primaryContact.email',
  InvalidAccessRights: 'accessRights',
}

function refusalOf({ culture }: Caller, code: BusinessCode) {
  const refusal = fail(REFUSALS[code])
  const member = MEMBERS[code]
  if (member !== undefined) refusal.faults = { [member]: [sentenceOf(code, culture.language)] }
  return refusal
}

const REFUSALS: Readonly<Record<BusinessCode, Parameters<typeof fail>[0]>> = {
  InvitationAlreadyProcessed: 'INVITATION_PROCESSED',
  InvitationNotProcessed: 'INVITATION_PROCESSED',
  MissingData: 'SHAPE_INVALID',
  CompanyAlreadyExists: 'COMPANY_EXISTS',
  ContactEMailAlreadyExists: 'COMPANY_EXISTS',
  ConnectionAlreadyExists: 'CONNECTION_EXISTS',
  ConnectionAlreadyAccepted: 'CONNECTION_EXISTS',
  EMailNotSent: 'SHAPE_INVALID',
  InvalidAccessRights: 'SHAPE_INVALID',
}

async function mailOf(
  { now }: InvitationDeps,
  tx: Transaction,
  { accountId, wanted }: { accountId: string; wanted: DirectInvitation },
): Promise<MailWish> {
  const { additionalText, pdf } = wanted
  if (pdf === undefined) return { additionalText }
  const hash = sha256(pdf)
  await putPdf(connectionOf(tx), accountId, { hash, data: pdf, stored: false, moment: now() })
  return { additionalText, pdfHash: hash }
}
