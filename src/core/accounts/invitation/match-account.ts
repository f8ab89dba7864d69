// Whose account an invitation leads to: a new one, one that is there, or none because a business
// rule says no.
import { compactIdentifier } from '../../../model/identifiers.js'
import {
  type AccessRights,
  emailKey,
  faultsOf,
  type InvitationData,
} from '../../../model/invitation.js'
import { addressOf } from '../../../notify/address.js'
import { findConnection } from '../../../store/account/connections.js'
import {
  type CompanyMarks,
  claimWords,
  companyExists,
  isInUse,
  type User,
  usersOf,
} from '../../../store/account/contacts.js'
import { connectionOf } from '../../../store/raw.js'
import type { Connection, Transaction } from '../../../store/transaction.js'

/** What `errorCode` of a result may say. */
export type BusinessCode =
  | 'InvitationAlreadyProcessed'
  | 'InvitationNotProcessed'
  | 'MissingData'
  | 'CompanyAlreadyExists'
  | 'ContactEMailAlreadyExists'
  | 'ConnectionAlreadyExists'
  | 'ConnectionAlreadyAccepted'
  | 'EMailNotSent'
  | 'InvalidAccessRights'

export interface Refused {
  refused: BusinessCode
  /** Of MissingData. */
  fields?: string
}

export interface Claimed {
  /** Null: there is none yet. */
  accountId: string | null
  contactId: string | null
  /** Somebody uses the account: it must not be changed. */
  inUse: boolean
}

export interface Wanted extends InvitationData {
  dealerId: string
  /** Of an earlier run. */
  resultAccountId: string | null
  resultContactId: string | null
  rights: AccessRights
  /** Without anybody being asked. */
  auto: boolean
}

type On = Pick<Connection, 'query'>

export async function claim(tx: Transaction, wanted: Wanted): Promise<Claimed | Refused> {
  const refused = refusedByItself(wanted)
  if (refused !== undefined) return refused
  const on = connectionOf(tx)
  const marks = marksOf(wanted)
  await claimWords(on, wordsOf(wanted, marks))
  const users = await usersOf(on, wanted.contact.email)
  const claimed = whose(wanted, users)
  if ('refused' in claimed) return claimed
  const { accountId } = claimed
  if (users.length === 0 && (await companyExists(on, marks, accountId))) {
    return { refused: 'CompanyAlreadyExists' }
  }
  if (accountId === null) return claimed
  return rightful(tx, wanted, { ...claimed, inUse: await isInUse(on, accountId) })
}

/** What needs no look at anything else. */
function refusedByItself({ rights, ...data }: Wanted): Refused | undefined {
  if (rights === 'None') return { refused: 'InvalidAccessRights' }
  const faults = faultsOf({ ...data, rights })
  const missing = faults.filter(({ kind }) => kind === 'missing').map(({ path }) => path)
  if (missing.length > 0) return { refused: 'MissingData', fields: missing.join(', ') }
  return addressOf('email', data.contact.email) === undefined
    ? { refused: 'EMailNotSent' }
    : undefined
}

function marksOf({ company: { name, postalCode, identifiers } }: Wanted): CompanyMarks {
  const compact = (text: string | null) => compactIdentifier(text ?? '')
  return {
    ...{ name, postalCode },
    ...{ vatId: compact(identifiers.vatId), taxId: compact(identifiers.taxId) },
  }
}

function wordsOf({ contact }: Wanted, { name, postalCode, vatId, taxId }: CompanyMarks): string[] {
  const place = `${name.trim().toLowerCase()}\n${postalCode.trim().toUpperCase()}`
  return [
    `email ${emailKey(contact.email)}`,
    `place ${place}`,
    ...(vatId === '' ? [] : [`vat ${vatId}`]),
    ...(taxId === '' ? [] : [`tax ${taxId}`]),
  ]
}

function whose(wanted: Wanted, users: readonly User[]): Claimed | Refused {
  const { resultAccountId: earlier } = wanted
  const [user, ...others] = users
  if (others.length > 0) return { refused: 'ContactEMailAlreadyExists' }
  if (earlier !== null) {
    const own = user === undefined || user.accountId === earlier
    const contactId = user?.contactId ?? wanted.resultContactId
    return own
      ? { accountId: earlier, contactId, inUse: false }
      : { refused: 'ContactEMailAlreadyExists' }
  }
  if (user === undefined) return { accountId: null, contactId: null, inUse: false }
  if (user.kind !== 'PosOperator') return { refused: 'ContactEMailAlreadyExists' }
  return { accountId: user.accountId, contactId: user.contactId, inUse: true }
}

async function rightful(
  tx: Transaction,
  { dealerId, auto, resultAccountId }: Wanted,
  claimed: Claimed,
): Promise<Claimed | Refused> {
  const { accountId, inUse } = claimed
  if (accountId === null) return claimed
  const key = { accountId: dealerId, toAccountId: accountId }
  const connection = await findConnection({ prisma: tx }, key)
  if (connection?.state === 'active') return { refused: 'ConnectionAlreadyExists' }
  // nobody is connected to an account that somebody uses without being asked
  const foreign = inUse || resultAccountId === null
  if (auto && foreign) return { refused: 'ContactEMailAlreadyExists' }
  return { ...claimed, inUse: foreign }
}

export type { On }
