// Logging in, and who is logged in. A session is 32 random bytes in a cookie; the database has
// their hash.
import { createHmac, randomBytes } from 'node:crypto'
import { fail } from '../../../errors.js'
import { sameBytes, sha256 } from '../../../lib/hash.js'
import { orderedId } from '../../../lib/id.js'
import {
  findPerson,
  findPersonByEmail,
  listWorkplaces,
  type PersonRow,
} from '../../../store/account/people.js'
import {
  confirmSession,
  endSessions,
  findSession,
  insertSession,
  type ListedSession,
  listSessions,
  type SessionRow,
  switchSession,
} from '../../../store/account/sessions.js'
import type { Store } from '../../../store/client.js'
import type { Passwords } from './passwords.js'
import { codeFits } from './second-factor.js'

export interface SessionDeps {
  store: Store
  now(): Date
  passwords: Passwords
}

export interface Login {
  email: string
  password: string
  /** Of the second factor. */
  code: string | undefined
  address: string
  agent: string
}

/** Somebody who is logged in. */
export interface Session extends SessionRow {
  /** What every change has to bring along: a page of another site cannot read it. */
  csrf: string
}

export interface Sessions {
  /** What the cookie holds. Throws LOGIN_WRONG, CODE_NEEDED, CODE_WRONG. */
  logIn(login: Login): Promise<string>
  /** Who has proved by a link of a mail who he is; undefined: the second factor is asked for. */
  logInByLink(personId: string, from: Pick<Login, 'address' | 'agent'>): Promise<string | undefined>
  find(token: string): Promise<Session | undefined>
  /** Of who has proved by a passkey or a provider of logins who he is. */
  open(personId: string, from: Pick<Login, 'address' | 'agent'>): Promise<string>
  /** Throws LOGIN_WRONG. */
  confirm(token: string, password: string): Promise<void>
  confirmed(id: string): Promise<void>
  /** Throws ACCOUNT_UNKNOWN. */
  switchTo(token: string, accountId: string): Promise<void>
  list(personId: string): Promise<ListedSession[]>
  end(which: { personId: string; id?: string; except?: string }): Promise<number>
}

const TOKEN_BYTES = 32
const LONGEST_AGENT = 300

export function createSessions(deps: SessionDeps): Sessions {
  const { store } = deps
  const open = async (
    personId: string,
    { address, agent }: Pick<Login, 'address' | 'agent'>,
    passwordHash: string | null = null,
  ) => {
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const [first] = await listWorkplaces(store, personId)
    const isOpen = await insertSession(store, {
      ...{ hash: sha256(token), id: orderedId(deps.now().getTime()), personId, address },
      ...{ accountId: first?.accountId ?? null, agent: agent.slice(0, LONGEST_AGENT) },
      passwordHash,
    })
    if (!isOpen) throw fail('LOGIN_WRONG')
    return token
  }
  return {
    logIn: async (login) => {
      const { id, passwordHash } = await whoLogsIn(deps, login)
      return open(id, login, passwordHash)
    },
    logInByLink: async (personId, from) => {
      const person = await findPerson(store, personId)
      const isEnough = person !== undefined && !hasSecondFactor(person)
      return isEnough ? open(personId, from) : undefined
    },
    find: async (token) => {
      const found = await findSession(store, sha256(token))
      return found === undefined ? undefined : { ...found, csrf: csrfOf(token) }
    },
    confirm: async (token, password) => {
      const session = await findSession(store, sha256(token))
      const person = session === undefined ? undefined : await findPerson(store, session.personId)
      const right = await deps.passwords.fits(password, person?.passwordHash)
      if (!right) throw fail('LOGIN_WRONG')
      if (session !== undefined) await confirmSession(store, session.id)
    },
    confirmed: (id) => confirmSession(store, id),
    open,
    switchTo: async (token, accountId) => {
      const done = await switchSession(store, sha256(token), accountId)
      if (!done) throw fail('ACCOUNT_UNKNOWN', { account: accountId })
    },
    list: (personId) => listSessions(store, personId),
    end: (which) => endSessions(store, which),
  }
}

/** Whether an address is known shows neither in the answer nor in the time that it takes. */
async function whoLogsIn(deps: SessionDeps, login: Login): Promise<PersonRow> {
  const person = await findPersonByEmail(deps.store, login.email.trim().toLowerCase())
  const right = await deps.passwords.fits(login.password, person?.passwordHash)
  if (person === undefined || !right) throw fail('LOGIN_WRONG')
  if (!hasSecondFactor(person)) return person
  if (login.code === undefined || login.code === '') throw fail('CODE_NEEDED')
  if (!(await codeFits(deps, person, login.code))) throw fail('CODE_WRONG')
  return person
}

const hasSecondFactor = ({ codeSince, passkeyFactor }: PersonRow): boolean =>
  codeSince !== null || passkeyFactor

function csrfOf(token: string): string {
  return createHmac('sha256', token).update('csrf').digest('base64url')
}

export function csrfFits({ csrf }: Session, given: string | undefined): boolean {
  return given !== undefined && sameBytes(sha256(csrf), sha256(given))
}
