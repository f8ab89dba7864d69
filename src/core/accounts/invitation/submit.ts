// An invitation becomes an account, a connection and an e-mail, in one transaction.
import { randomId } from '../../../lib/id.js'
import type { AccessRights } from '../../../model/invitation.js'
import { sentenceOf } from '../../../notify/message.js'
import { putConnection, type Right } from '../../../store/account/connections.js'
import {
  insertContact,
  updateCompanyEmail,
  updateContact,
} from '../../../store/account/contacts.js'
import { type Invitation, updateInvitation } from '../../../store/account/invitations.js'
import { connectionOf } from '../../../store/raw.js'
import type { Transaction } from '../../../store/transaction.js'
import { createAccountIn } from '../accounts.js'
import { welcome } from '../people/welcome.js'
import { signForOperator } from './agreement.js'
import { type Caller, type InvitationDeps, languageOf } from './deps.js'
import { type MailWish, sendInvitation } from './letter.js'
import { type Claimed, claim, type Refused } from './match-account.js'

export interface Submission {
  caller: Caller
  /** Locked by this transaction, or new in it. */
  invitation: Invitation
  rights: AccessRights
  /** Connected at once, without asking the operator. */
  auto: boolean
  mail: MailWish
}

export interface Submitted {
  invitation: Invitation
  operatorId: string
}

/** `Undefined` and nothing mean: whatever comes next. */
export function rightsOf(...wishes: (AccessRights | null | undefined)[]): AccessRights {
  const wish = wishes.find((one) => one !== undefined && one !== null && one !== 'Undefined')
  return wish ?? 'Full'
}

export async function submit(
  deps: InvitationDeps,
  tx: Transaction,
  submission: Submission,
): Promise<Submitted | Refused> {
  const { caller, invitation, rights, auto } = submission
  const claimed = await claim(tx, { ...invitation, dealerId: caller.account.id, rights, auto })
  if ('refused' in claimed) return claimed
  const operatorId = claimed.accountId ?? (await newOperator(deps, tx, submission))
  const contactId = await contactOf(deps, tx, { submission, claimed, operatorId })
  await putConnection(
    { prisma: tx },
    {
      ...{ id: randomId(), accountId: caller.account.id, toAccountId: operatorId },
      ...{ rights: rights as Right, state: auto ? 'active' : 'pending', createdAt: deps.now() },
    },
  )
  await tell(deps, tx, { submission, claimed, operatorId })
  const done = doneBy(deps, submission, { operatorId, contactId })
  await updateInvitation(connectionOf(tx), done)
  return { invitation: done, operatorId }
}

interface Target {
  submission: Submission
  claimed: Claimed
  operatorId: string
}

async function tell(
  deps: InvitationDeps,
  tx: Transaction,
  { submission, claimed, operatorId }: Target,
): Promise<void> {
  const { caller, invitation, rights, auto, mail } = submission
  const { account: dealer, base } = caller
  const on = connectionOf(tx)
  if (auto) {
    const language = languageOf(deps, dealer.market)
    const signature = { operatorId, dealerId: dealer.id, signedBy: dealer.name, address: '' }
    await signForOperator(deps, on, { ...signature, language })
    const { company, contact } = invitation
    const name = [contact.firstName, contact.lastName].join(' ').trim()
    // no second letter: the page of the first one leads to the portal
    const first = { accountId: operatorId, company: company.name, name, language, base: undefined }
    await welcome(deps, tx, { ...first, email: contact.email })
  }
  const variant = auto ? 'connected' : claimed.inUse ? 'connect' : 'new'
  await sendInvitation(deps, on, {
    ...{ dealer, invitation, operatorId, rights, variant, base, mail },
  })
}

function doneBy(
  { now }: InvitationDeps,
  { invitation, auto, caller }: Submission,
  { operatorId, contactId }: { operatorId: string; contactId: string },
): Invitation {
  const moment = now()
  const key = auto ? 'invitationConnected' : 'invitationSent'
  return {
    ...invitation,
    ...{ done: moment, success: true, lastRun: moment },
    lastResult: sentenceOf(key, caller.culture.language),
    ...{ resultAccountId: operatorId, resultContactId: contactId },
  }
}

/** The market of the company's country, where there is one here; else that of the dealer. */
async function newOperator(
  deps: InvitationDeps,
  tx: Transaction,
  { invitation: { company }, caller }: Submission,
): Promise<string> {
  const { identifiers } = company
  const country = company.country.toUpperCase()
  const market = deps.factsOf(country) === undefined ? caller.account.market : country
  const long = deps.factsOf(market)?.masterData?.taxNumber(identifiers.taxId ?? '')?.long
  const { accountId } = await createAccountIn(deps, tx, {
    ...{ kind: 'PosOperator', name: company.name, market, country, email: company.email },
    ...{ roles: ['PosOperator'], autoInvite: false },
    company: {
      ...{ line1: company.addressLine1, line2: company.addressLine2 ?? '' },
      ...{ postalCode: company.postalCode, city: company.city },
      ...{ phone: company.phone ?? '', website: company.website ?? '' },
      ...{ vatId: identifiers.vatId ?? '', taxId: identifiers.taxId ?? '' },
      ...{ fibuNr: identifiers.fibuNr ?? '', gln: identifiers.gln ?? '' },
      ...{ siren: identifiers.siren ?? '', taxNumber: long ?? '' },
    },
  })
  return accountId
}

async function contactOf(
  deps: InvitationDeps,
  tx: Transaction,
  { submission: { invitation }, claimed, operatorId: accountId }: Target,
): Promise<string> {
  const on = connectionOf(tx)
  const { contact, company } = invitation
  if (claimed.contactId === null) {
    const id = randomId()
    await insertContact(on, { accountId, id, contact, createdAt: deps.now() })
    return id
  }
  if (!claimed.inUse) {
    await updateContact(on, { accountId, id: claimed.contactId, contact })
    await updateCompanyEmail(on, accountId, company.email)
  }
  return claimed.contactId
}
