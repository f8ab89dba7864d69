// People by the command line: whoever runs the server adds the first one, and helps who has lost
// password or phone.
import { randomUUID } from 'node:crypto'
import { fail } from '../../../errors.js'
import { randomId } from '../../../lib/id.js'
import { findAccount } from '../../../store/account/accounts.js'
import { removeIdentities, removePasskeys } from '../../../store/account/passkeys.js'
import {
  changePerson,
  type EmployeeRole,
  type EmployeeRow,
  findPersonByEmail,
  listEmployees,
  putEmployee,
  putPerson,
} from '../../../store/account/people.js'
import { endSessions } from '../../../store/account/sessions.js'
import { type Store, TRANSACTION } from '../../../store/client.js'
import { audited } from '../../audit/audit.js'
import { createPasswords } from './passwords.js'
import { newLink } from './people.js'
import { endCodes } from './second-factor.js'

export interface DeskDeps {
  store: Store
  now(): Date
}

export interface NewPerson {
  accountId: string
  email: string
  name: string
  role: EmployeeRole
  /** Where the portal is reached. */
  base: string
}

export interface PersonLink {
  personId: string
  email: string
  /** For choosing a password; null: the person has one. */
  link: string | null
}

/** Throws ACCOUNT_UNKNOWN. Who is there already gets the role. */
export async function addPerson(deps: DeskDeps, person: NewPerson): Promise<PersonLink> {
  const { accountId, name, role, base } = person
  const email = person.email.toLowerCase()
  if ((await findAccount(deps.store, accountId)) === undefined) {
    throw fail('ACCOUNT_UNKNOWN', { account: accountId })
  }
  const createdAt = deps.now()
  const actor = { accountId, onBehalfOf: null, operation: 'addPerson', traceId: randomUUID() }
  return audited(deps, actor, async (tx) => {
    const personId = await putPerson(tx, { id: randomId(), email, name, language: null, createdAt })
    await putEmployee(tx, { accountId, personId, role, createdAt })
    const known = await tx.person.findUnique({ where: { id: personId } })
    const link =
      known?.passwordHash == null ? await newLink(tx, { personId, purpose: 'welcome', base }) : null
    const result = { personId, email, link }
    return { result, subjects: { personId }, after: { role } }
  })
}

/** A new link; sessions and the second factor end. Throws PERSON_UNKNOWN. */
export async function resetPerson(
  deps: DeskDeps,
  { email, base }: Pick<NewPerson, 'email' | 'base'>,
): Promise<PersonLink> {
  const { store } = deps
  const person = await findPersonByEmail(store, email.toLowerCase())
  if (person === undefined) throw fail('PERSON_UNKNOWN')
  const link = await store.prisma.$transaction(async (tx) => {
    await changePerson({ prisma: tx }, person.id, { passwordHash: null })
    return newLink(tx, { personId: person.id, purpose: 'reset', base })
  }, TRANSACTION)
  await endCodes(deps, person.id)
  await removePasskeys(store, { personId: person.id })
  await removeIdentities(store, { personId: person.id })
  await endSessions(store, { personId: person.id })
  return { personId: person.id, email: person.email, link }
}

/** Throws ACCOUNT_UNKNOWN. */
export async function peopleOf({ store }: DeskDeps, accountId: string): Promise<EmployeeRow[]> {
  if ((await findAccount(store, accountId)) === undefined) {
    throw fail('ACCOUNT_UNKNOWN', { account: accountId })
  }
  return listEmployees(store, accountId)
}

/** The accounts of the demo. */
interface DemoAccounts {
  dealer: { accountId: string }
  operator: { accountId: string }
}

export interface DemoPerson {
  email: string
  /** Null: it was changed. */
  password: string | null
}

const DEALER = 'dealer@demo.fiskalwerk.example'
const MERCHANT = 'merchant@demo.fiskalwerk.example'
const PASSWORD_CHARACTERS = 12

/** Somebody for the dealer and somebody for the merchant of the demo; the same ones each time. */
export async function ensureDemoPeople(deps: DeskDeps, demo: DemoAccounts): Promise<DemoPerson[]> {
  return [
    await ensurePerson(deps, { ...demo.dealer, email: DEALER, name: 'Dora Dealer' }),
    await ensurePerson(deps, { ...demo.operator, email: MERCHANT, name: 'Mia Merchant' }),
  ]
}

async function ensurePerson(
  deps: DeskDeps,
  { accountId, email, name }: Pick<NewPerson, 'accountId' | 'email' | 'name'>,
): Promise<DemoPerson> {
  const { store } = deps
  const passwords = createPasswords()
  // nobody without the keys of this server can work it out, and nothing has to be kept
  const [hash] = store.sealer.keyedHashes(email, 'demo-person')
  const password = `Demo1-${hash?.toString('hex').slice(0, PASSWORD_CHARACTERS) ?? ''}`
  const known = await findPersonByEmail(store, email)
  if (known?.passwordHash != null) {
    return {
      email,
      password: (await passwords.fits(password, known.passwordHash)) ? password : null,
    }
  }
  const person = { accountId, email, name, role: 'Administrator', base: '' } as const
  const { personId } = await addPerson(deps, person)
  await changePerson(store, personId, { passwordHash: await passwords.hash(password) })
  return { email, password }
}
