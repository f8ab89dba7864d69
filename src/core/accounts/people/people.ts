// People of an account: who may log in for it and as what; links by mail for choosing a password.
import { randomBytes } from 'node:crypto'
import { fail } from '../../../errors.js'
import { sha256 } from '../../../lib/hash.js'
import { randomId } from '../../../lib/id.js'
import type { Language } from '../../../lib/language.js'
import {
  changePerson,
  type EmployeeRole,
  type EmployeeRow,
  findLink,
  findPerson,
  findPersonByEmail,
  hasFreshLink,
  type LinkPurpose,
  listEmployees,
  listWorkplaces,
  lockEmployees,
  type PersonLinkRow,
  putEmployee,
  putPerson,
  removeEmployee,
  replaceLink,
  takeLink,
  type Workplace,
} from '../../../store/account/people.js'
import { endSessions } from '../../../store/account/sessions.js'
import { type Store, TRANSACTION } from '../../../store/client.js'
import { connectionOf } from '../../../store/raw.js'
import type { Transaction } from '../../../store/transaction.js'
import { type Actor, audited } from '../../audit/audit.js'
import { enqueueMessage } from '../../message/enqueue.js'
import { PERSON_LINK_KIND, type PersonLinkData } from '../../message/person-link.js'
import { isStrong, type Passwords } from './passwords.js'

export interface PeopleDeps {
  store: Store
  now(): Date
  passwords: Passwords
}

export interface NewEmployee {
  accountId: string
  /** Of the account, for the mail. */
  accountName: string
  email: string
  name: string
  role: EmployeeRole
  language: Language
  /** Where the portal is reached. */
  base: string
}

export interface People {
  list(accountId: string): Promise<EmployeeRow[]>
  workplaces(personId: string): Promise<Workplace[]>
  /** Adds somebody; who has no password yet gets a link by mail. Throws PERSON_EXISTS. */
  add(actor: Actor, employee: NewEmployee): Promise<EmployeeRow>
  /** Throws PERSON_UNKNOWN, LAST_ADMINISTRATOR. */
  change(actor: Actor, who: { personId: string; role: EmployeeRole }): Promise<EmployeeRow>
  /** Throws PERSON_UNKNOWN, LAST_ADMINISTRATOR. */
  remove(actor: Actor, personId: string): Promise<void>
  /** A link for a new password, if there is such a person; nobody is told. */
  forgotten(wish: { email: string; language: Language; base: string }): Promise<void>
  /** Undefined: it is too old, was used, or never was. */
  linkOf(token: string): Promise<PersonLinkRow | undefined>
  /** Sets the password, ends all sessions; whose it is. Throws LINK_UNKNOWN, PASSWORD_WEAK. */
  follow(token: string, wish: { password: string; name: string | undefined }): Promise<string>
  /** Throws LOGIN_WRONG, PASSWORD_WEAK. */
  changePassword(
    who: { personId: string; sessionId: string },
    wish: { former: string; password: string },
  ): Promise<void>
}

const TOKEN_BYTES = 32
export const LINK_HOURS = 24
/** Between two mails about a forgotten password. */
const PAUSE_MINUTES = 2

export function createPeople(deps: PeopleDeps): People {
  const { store } = deps
  return {
    list: (accountId) => listEmployees(store, accountId),
    workplaces: (personId) => listWorkplaces(store, personId),
    add: (actor, employee) => add(deps, actor, employee),
    change: (actor, who) => change(deps, actor, who),
    remove: (actor, personId) => remove(deps, actor, personId),
    forgotten: (wish) => forgotten(deps, wish),
    linkOf: (token) => findLink(store, sha256(token)),
    follow: (token, wish) => follow(deps, token, wish),
    changePassword: (who, wish) => changePassword(deps, who, wish),
  }
}

const SUBJECT = 'personId'

async function add(deps: PeopleDeps, actor: Actor, employee: NewEmployee): Promise<EmployeeRow> {
  const { accountId, name, role, language } = employee
  const email = employee.email.toLowerCase()
  const createdAt = deps.now()
  const personId = await audited(deps, actor, async (tx) => {
    const id = await putPerson(tx, { id: randomId(), email, name, language, createdAt })
    const known = await lockEmployees(tx, accountId)
    if (known.some((one) => one.personId === id)) throw fail('PERSON_EXISTS')
    await putEmployee(tx, { accountId, personId: id, role, createdAt })
    const person = await findPerson({ prisma: tx }, id)
    if (person?.passwordHash == null) {
      const link = {
        personId: id,
        email,
        purpose: 'welcome',
        language,
        base: employee.base,
      } as const
      await sendLink(deps, tx, { ...link, name, accountId, company: employee.accountName })
    }
    return { result: id, subjects: { [SUBJECT]: id }, after: { role } }
  })
  return employeeOf(deps, accountId, personId)
}

async function employeeOf(
  { store }: PeopleDeps,
  accountId: string,
  personId: string,
): Promise<EmployeeRow> {
  const found = (await listEmployees(store, accountId)).find((one) => one.personId === personId)
  if (found === undefined) throw fail('PERSON_UNKNOWN')
  return found
}

async function change(
  deps: PeopleDeps,
  actor: Actor,
  { personId, role }: { personId: string; role: EmployeeRole },
): Promise<EmployeeRow> {
  const { accountId } = actor
  await audited(deps, actor, async (tx) => {
    const before = await roleBefore(tx, { accountId, personId, stays: role === 'Administrator' })
    if (before === role) return { result: undefined, unchanged: true }
    await putEmployee(tx, { accountId, personId, role, createdAt: deps.now() })
    return {
      ...{ result: undefined, subjects: { [SUBJECT]: personId } },
      ...{ before: { role: before }, after: { role } },
    }
  })
  return employeeOf(deps, accountId, personId)
}

async function remove(deps: PeopleDeps, actor: Actor, personId: string): Promise<void> {
  const { accountId } = actor
  await audited(deps, actor, async (tx) => {
    const role = await roleBefore(tx, { accountId, personId, stays: false })
    await removeEmployee(tx, { accountId, personId })
    return { result: undefined, subjects: { [SUBJECT]: personId }, before: { role } }
  })
}

async function roleBefore(
  tx: Transaction,
  { accountId, personId, stays }: { accountId: string; personId: string; stays: boolean },
): Promise<EmployeeRole> {
  const all = await lockEmployees(tx, accountId)
  const found = all.find((one) => one.personId === personId)
  if (found === undefined) throw fail('PERSON_UNKNOWN')
  const isOther = (one: (typeof all)[number]) =>
    one.role === 'Administrator' && one.personId !== personId
  if (found.role === 'Administrator' && !stays && !all.some(isOther)) {
    throw fail('LAST_ADMINISTRATOR')
  }
  return found.role
}

interface LinkWish {
  personId: string
  email: string
  name: string
  purpose: LinkPurpose
  language: Language
  base: string
  /** Whose messages list has it. */
  accountId: string
  company: string
}

export type LinkDeps = Pick<PeopleDeps, 'store' | 'now'>

/** By mail; what it says. */
export async function sendLink(deps: LinkDeps, tx: Transaction, wish: LinkWish): Promise<string> {
  const link = await newLink(tx, wish)
  const { email, name, purpose, company, language, accountId } = wish
  const data: PersonLinkData = { purpose, link, name, company, email }
  await enqueueMessage(deps, connectionOf(tx), {
    ...{ accountId, kind: PERSON_LINK_KIND, channel: 'email', to: email, language, data },
    subject: `person:${wish.personId}`,
  })
  return link
}

export async function newLink(
  tx: Transaction,
  { personId, purpose, base }: Pick<LinkWish, 'personId' | 'purpose' | 'base'>,
): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  await replaceLink(tx, { hash: sha256(token), personId, purpose, hours: LINK_HOURS })
  // behind #, so that it stands in no log on the way
  return `${base}/portal/password#${token}`
}

async function forgotten(
  deps: PeopleDeps,
  wish: { email: string; language: Language; base: string },
): Promise<void> {
  const { store } = deps
  const person = await findPersonByEmail(store, wish.email.trim().toLowerCase())
  if (person === undefined) return
  const [workplace] = await listWorkplaces(store, person.id)
  if (workplace === undefined || (await hasFreshLink(store, person.id, PAUSE_MINUTES))) return
  const { id: personId, email, name } = person
  const purpose = person.passwordHash === null ? 'welcome' : 'reset'
  const { accountId, name: company } = workplace
  await store.prisma.$transaction(
    (tx) => sendLink(deps, tx, { ...wish, personId, email, name, purpose, accountId, company }),
    TRANSACTION,
  )
}

async function follow(
  { store, passwords }: PeopleDeps,
  token: string,
  { password, name }: { password: string; name: string | undefined },
): Promise<string> {
  const hash = sha256(token)
  const link = await findLink(store, hash)
  if (link === undefined) throw fail('LINK_UNKNOWN')
  if (!isStrong(password, link.email)) throw fail('PASSWORD_WEAK')
  const passwordHash = await passwords.hash(password)
  const personId = await store.prisma.$transaction(async (tx) => {
    const whose = await takeLink(tx, hash)
    if (whose === undefined) throw fail('LINK_UNKNOWN')
    const said = name === undefined || name === '' ? {} : { name }
    await changePerson({ prisma: tx }, whose, { passwordHash, ...said })
    await endSessions({ pool: connectionOf(tx) }, { personId: whose })
    return whose
  }, TRANSACTION)
  return personId
}

async function changePassword(
  { store, passwords }: PeopleDeps,
  { personId, sessionId }: { personId: string; sessionId: string },
  { former, password }: { former: string; password: string },
): Promise<void> {
  const person = await findPerson(store, personId)
  if (!(await passwords.fits(former, person?.passwordHash))) throw fail('LOGIN_WRONG')
  if (!isStrong(password, person?.email ?? '')) throw fail('PASSWORD_WEAK')
  const passwordHash = await passwords.hash(password)
  await store.prisma.$transaction(async (tx) => {
    await changePerson({ prisma: tx }, personId, { passwordHash })
    await endSessions({ pool: connectionOf(tx) }, { personId, except: sessionId })
  }, TRANSACTION)
}
