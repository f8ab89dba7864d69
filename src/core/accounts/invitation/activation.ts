// The link of an invitation: what it shows, accepting, and another link for one that is too old.
import { sha256 } from '../../../lib/hash.js'
import type { Language } from '../../../lib/language.js'
import type { AccessRights } from '../../../model/invitation.js'
import {
  type Activation,
  countActivations,
  endActivations,
  findActivation,
  lockActivation,
} from '../../../store/account/activations.js'
import { putConnection, type Right } from '../../../store/account/connections.js'
import { isInUse } from '../../../store/account/contacts.js'
import { lockInvitation } from '../../../store/account/invitations.js'
import { connectionOf } from '../../../store/raw.js'
import type { Transaction } from '../../../store/transaction.js'
import { audited, type Change } from '../../audit/audit.js'
import { endConnection } from '../connection-end.js'
import { welcome } from '../people/welcome.js'
import { type AgreementText, agreementOf, sign } from './agreement.js'
import { type InvitationDeps, languageOf } from './deps.js'
import { sendInvitation } from './letter.js'

/** unknown: no such link, or a withdrawn one. expired: another one can be asked for. */
export type LinkState = 'unknown' | 'open' | 'expired' | 'accepted' | 'ended'

export interface ShownLink {
  state: LinkState
  dealer: string
  company: string
  rights: AccessRights
  market: string
  /** When the connection ends, or did. */
  endsAt: Date | null
}

export interface Acceptance {
  token: string
  /** As it was typed. */
  signedBy: string
  address: string
  language: Language
  /** Where the portal is reached. */
  base: string
  traceId: string
}

export interface Activations {
  look(token: string): Promise<ShownLink>
  /** Makes the connection active, and who accepts somebody who logs in to the portal. */
  accept(acceptance: Acceptance): Promise<Accepted>
  /** For an expired link. False: there were too many, or there is nothing to send. */
  sendAgain(token: string, call: { base: string; traceId: string }): Promise<boolean>
  agreement(language: Language): AgreementText
  /** Of the connection that the link has accepted; what the link is afterwards. */
  end(token: string, wish: { on: Date | undefined; traceId: string }): Promise<ShownLink>
}

const NOTHING: ShownLink = {
  state: 'unknown',
  dealer: '',
  company: '',
  rights: 'None',
  market: '',
  endsAt: null,
}

/** Links per invitation and day; more are nobody's honest wish. */
const MOST_LINKS = 5
const DAY_MS = 24 * 3_600_000

export function createActivations(deps: InvitationDeps): Activations {
  const { store, now } = deps
  return {
    look: async (token) => shown(await findActivation(store, sha256(token)), now()),
    accept: (acceptance) => accept(deps, acceptance),
    sendAgain: (token, call) => sendAgain(deps, { ...call, token }),
    agreement: (language) => agreementOf(deps, language),
    end: (token, wish) => end(deps, token, wish),
  }
}

function shown(found: Activation | undefined, now: Date): ShownLink {
  const state = stateOf(found, now)
  if (found === undefined || state === 'unknown') return NOTHING
  const { dealerName: dealer, operatorName: company, dealerMarket: market, endsAt } = found
  return { state, dealer, company, rights: found.rights ?? 'None', market, endsAt }
}

function stateOf(found: Activation | undefined, now: Date): LinkState {
  if (found === undefined || found.state === 'revoked' || found.connection === null) {
    return 'unknown'
  }
  if (found.connection === 'ended') return 'ended'
  // the dealer has been invited anew, by another link
  if (found.state === 'used' && found.connection === 'pending') return 'unknown'
  if (found.state === 'used' || found.connection === 'active') return 'accepted'
  return found.expiresAt > now ? 'open' : 'expired'
}

const actorOf = (accountId: string, operation: string, traceId: string) => ({
  ...{ accountId, onBehalfOf: null, operation, traceId },
})

async function accept(deps: InvitationDeps, acceptance: Acceptance) {
  const tokenHash = sha256(acceptance.token)
  const operator = await findActivation(deps.store, tokenHash)
  const link = shown(operator, deps.now())
  const nothing = { link, done: false, password: undefined }
  if (link.state !== 'open' || operator === undefined) return nothing
  const actor = actorOf(operator.operatorId, 'acceptInvitation', acceptance.traceId)
  const concerns = operator.accountId
  return audited(deps, { ...actor, concerns }, (tx) =>
    acceptIn(deps, tx, { acceptance, tokenHash }),
  )
}

export interface Accepted {
  /** What it is afterwards. */
  link: ShownLink
  done: boolean
  /** Where a password for the portal is chosen; undefined: whoever logs in has one. */
  password: string | undefined
}

async function acceptIn(
  deps: InvitationDeps,
  tx: Transaction,
  { acceptance, tokenHash }: { acceptance: Acceptance; tokenHash: Buffer },
): Promise<Change<Accepted>> {
  const on = connectionOf(tx)
  const found = await lockActivation(on, tokenHash)
  const link = shown(found, deps.now())
  if (found === undefined || link.state !== 'open') {
    return { result: { link, done: false, password: undefined }, subjects: {} }
  }
  const { accountId, operatorId, invitationId } = found
  const { signedBy, address, language } = acceptance
  await sign(deps, on, { operatorId, dealerId: accountId, signedBy, address, language })
  await putConnection(
    { prisma: tx },
    {
      ...{ id: found.id, accountId, toAccountId: operatorId, state: 'active' },
      ...{ rights: link.rights as Right, createdAt: deps.now() },
    },
  )
  await endActivations(on, { accountId, invitationId }, 'used')
  const invitation = await lockInvitation(on, { accountId, id: invitationId })
  const email = invitation?.contact.email
  const first = { accountId: operatorId, company: link.company, name: signedBy, language }
  const { base } = acceptance
  const password =
    email === undefined ? undefined : await welcome(deps, tx, { ...first, email, base })
  return {
    result: { link: { ...link, state: 'accepted' }, done: true, password },
    subjects: { dealerId: accountId, operatorId, invitationId },
    before: { connection: 'pending' },
    after: { connection: 'active', rights: link.rights, signedBy },
    event: {
      type: 'invitation.accepted',
      subject: { kind: 'invitation', id: invitationId },
      data: { dealerId: accountId, operatorId },
    },
  }
}

async function end(
  deps: InvitationDeps,
  token: string,
  { on, traceId }: { on: Date | undefined; traceId: string },
): Promise<ShownLink> {
  const found = await findActivation(deps.store, sha256(token))
  const link = shown(found, deps.now())
  if (found === undefined || link.state !== 'accepted') return link
  const { accountId: dealerId, operatorId } = found
  const ending = { ...deps, languageOf: (market: string) => languageOf(deps, market) }
  const actor = actorOf(operatorId, 'endConnection', traceId)
  await endConnection(ending, actor, { dealerId, operatorId, on, by: 'operator' })
  return shown(await findActivation(deps.store, sha256(token)), deps.now())
}

interface Again {
  token: string
  base: string
  traceId: string
}

async function sendAgain(deps: InvitationDeps, { token, base, traceId }: Again): Promise<boolean> {
  const tokenHash = sha256(token)
  const first = await findActivation(deps.store, tokenHash)
  if (first === undefined || stateOf(first, deps.now()) !== 'expired') return false
  const actor = actorOf(first.operatorId, 'sendInvitationAgain', traceId)
  return audited(deps, actor, async (tx) => {
    const on = connectionOf(tx)
    const found = await lockActivation(on, tokenHash)
    // one at a time: the limit holds for calls at the same moment as well
    const invitation = await lockInvitation(on, {
      accountId: first.accountId,
      id: first.invitationId,
    })
    const since = new Date(deps.now().getTime() - DAY_MS)
    const many = (await countActivations(on, first, since)) >= MOST_LINKS
    const nothing = { result: false, subjects: { invitationId: first.invitationId } }
    if (found === undefined || stateOf(found, deps.now()) !== 'expired') return nothing
    if (invitation === undefined || many || found.rights === null) return nothing
    const { operatorId, rights } = found
    const dealer = { id: found.accountId, name: found.dealerName, market: found.dealerMarket }
    const variant = (await isInUse(on, operatorId)) ? 'connect' : 'new'
    const mail = {}
    await sendInvitation(deps, on, {
      ...{ dealer, invitation, operatorId, rights, variant, base, mail },
    })
    return { ...nothing, result: true }
  })
}
