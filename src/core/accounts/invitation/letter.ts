// Puts the e-mail of an invitation on its way, with a fresh link.
import { randomBytes } from 'node:crypto'
import { sha256 } from '../../../lib/hash.js'
import { randomId } from '../../../lib/id.js'
import type { AccessRights } from '../../../model/invitation.js'
import { addressOf } from '../../../notify/address.js'
import { insertActivation } from '../../../store/account/activations.js'
import { findStoredPdfHash } from '../../../store/account/invitation-settings.js'
import type { Invitation } from '../../../store/account/invitations.js'
import type { Connection } from '../../../store/transaction.js'
import { enqueueMessage } from '../../message/enqueue.js'
import { INVITATION_KIND, type InvitationMailData } from '../../message/invitation.js'
import { type InvitationDeps, languageOf } from './deps.js'
import { settingsOf } from './settings.js'

type On = Pick<Connection, 'query'>

const TOKEN_BYTES = 32
const LINK_MS = 24 * 3_600_000

export interface Dealer {
  id: string
  name: string
  market: string
}

/** What stands in for the dealer's settings in one e-mail. */
export interface MailWish {
  additionalText?: string | null | undefined
  pdfHash?: Buffer | undefined
}

export interface LetterInput {
  dealer: Dealer
  invitation: Invitation
  operatorId: string
  rights: AccessRights
  /** The reader has an account already, or nothing is left to do. */
  variant: InvitationMailData['variant']
  base: string
  mail: MailWish
}

export const activationUrl = (base: string, token: string): string => `${base}/activate/${token}`

interface LinkInput extends Omit<LetterInput, 'rights' | 'variant' | 'mail'> {
  state?: 'open' | 'used'
}

/**
 * A link of 256 random bits; only its hash is stored. It accepts once and for a day; afterwards it
 * shows the connection, and ends it. `used`: there is nothing to accept.
 */
export async function newLink(
  { now }: Pick<InvitationDeps, 'now'>,
  on: On,
  { dealer, invitation, operatorId, base, state = 'open' }: LinkInput,
): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const createdAt = now()
  await insertActivation(on, {
    ...{ accountId: dealer.id, id: randomId(), invitationId: invitation.id, operatorId },
    ...{ tokenHash: sha256(token), createdAt, state },
    expiresAt: new Date(createdAt.getTime() + LINK_MS),
  })
  return activationUrl(base, token)
}

export async function sendInvitation(
  deps: InvitationDeps,
  on: On,
  input: LetterInput,
): Promise<void> {
  const { dealer, invitation, variant, rights } = input
  const state = variant === 'connected' ? 'used' : 'open'
  const link = await newLink(deps, on, { ...input, state })
  const { company, contact } = invitation
  const to = addressOf('email', contact.email)
  if (to === undefined) throw new Error('an address that no e-mail can be sent to was let through')
  const data: InvitationMailData = {
    ...{ variant, link, rights, dealer: dealer.name, company: company.name },
    operatorId: input.operatorId,
    contact: [contact.title, contact.firstName, contact.lastName, contact.suffix]
      .filter((part) => part !== null && part !== '')
      .join(' '),
    email: contact.email,
    reference: invitation.id.slice(0, 8).toUpperCase(),
    ...(await ownWords(on, dealer.id, input.mail)),
  }
  await enqueueMessage(deps, on as Connection, {
    ...{ accountId: dealer.id, kind: INVITATION_KIND, channel: 'email', to, data },
    language: languageOf(deps, dealer.market),
    subject: `invitation/${invitation.id}`,
  })
}

/** Text and PDF of the dealer, those of the settings unless this e-mail has its own. */
async function ownWords(on: On, dealerId: string, mail: MailWish) {
  const { additionalText } = mail
  const text = additionalText ?? (await settingsOf(on, dealerId)).emailContent
  const hash = mail.pdfHash ?? (await findStoredPdfHash(on, dealerId))
  return { text, pdfHash: hash === undefined ? null : hash.toString('hex') }
}
