// The demo shop with people who log in, and a browser's part of a session: cookie and headers.
import { randomUUID } from 'node:crypto'
import { addPerson, ensureDemoPeople, resetPerson } from '../../src/core/accounts/people/desk.js'
import type { EmployeeRole } from '../../src/store/account/people.js'
import { austrianCase, saleText } from './receipts.js'
import type { TestSettings } from './settings.js'
import { openShop, type Shop } from './shop.js'

export interface Person {
  email: string
  password: string
}

export interface PortalShop extends Shop {
  dealer: Person
  merchant: Person
  /** Somebody more of an account, with a password. */
  person(accountId: string, role: EmployeeRole): Promise<Person>
  /** Somebody who has a link of a mail, and no password yet. */
  invited(accountId: string): Promise<{ email: string; link: string }>
  /** Somebody works for a further account. */
  also(person: Person, accountId: string): Promise<void>
  /** Signs a sale. */
  sale(reference?: string): Promise<void>
}

/** `countries`: whose registers the merchant has. */
export async function openPortal(
  settings: TestSettings = {},
  countries: readonly string[] = ['AT'],
): Promise<PortalShop> {
  const shop = await openShop({ RATE_LIMITS: 'credentials=1000', ...settings }, undefined, {
    countries,
  })
  shop.deps.pump.start()
  const desk = { store: shop.deps.store, now: () => new Date() }
  const [dealer, merchant] = await ensureDemoPeople(desk, shop.demo)
  let count = 0
  const person = async (accountId: string, role: EmployeeRole): Promise<Person> => {
    count += 1
    const email = `person-${count}@portal.example`
    await addPerson(desk, { accountId, email, name: `Person ${count}`, role, base: shop.url })
    const { link } = await resetPerson(desk, { email, base: shop.url })
    const password = `Portal-Person-${count}`
    const token = link?.split('#')[1]
    const answer = await new Visit(shop.url).call('POST', '/links/follow', {
      body: { token, password },
    })
    if (answer.status !== 204) throw new Error(await answer.text())
    return { email, password }
  }
  const invited = async (accountId: string) => {
    count += 1
    const email = `invited-${count}@portal.example`
    const wish = { accountId, email, name: `Invited ${count}`, base: shop.url }
    const { link } = await addPerson(desk, { ...wish, role: 'Administrator' })
    return { email, link: link ?? '' }
  }
  const also = async ({ email }: Person, accountId: string): Promise<void> => {
    await addPerson(desk, { accountId, email, name: '', role: 'Administrator', base: shop.url })
  }
  const known = { dealer: knownPerson(dealer), merchant: knownPerson(merchant) }
  return { ...shop, ...known, person, invited, also, sale: (reference) => sale(shop, reference) }
}

async function sale({ url, box }: Shop, reference: string = randomUUID()): Promise<void> {
  const body = saleText({
    cbReceiptReference: JSON.stringify(reference),
    cbReceiptMoment: `"${new Date().toISOString()}"`,
    ftCashBoxID: `"${box.cashBoxId}"`,
    ftReceiptCase: austrianCase(1n),
  })
  const headers = {
    ...{ cashboxid: box.cashBoxId, accesstoken: box.accessToken },
    'content-type': 'application/json',
  }
  const answer = await fetch(`${url}/json/v1/sign`, { method: 'POST', headers, body })
  if (answer.status !== 200) throw new Error(await answer.text())
}

function knownPerson(person: { email: string; password: string | null } | undefined): Person {
  if (person?.password == null) throw new Error('the demo has nobody with this password')
  return { email: person.email, password: person.password }
}

interface SessionAnswer {
  csrf: string
  account: { accountId: string; name: string; role: string } | null
  accounts: { accountId: string; name: string }[]
  person: { id: string; email: string; secondFactor: boolean }
  confirmed: boolean
}

interface Sent {
  body?: unknown
  headers?: Record<string, string>
}

/** One browser: keeps its cookies, and sends what a page sends. */
export class Visit {
  private readonly jar = new Map<string, string>()
  session: SessionAnswer | undefined
  private readonly url: string

  constructor(url: string) {
    this.url = url
  }

  get cookie(): string {
    return [...this.jar].map((pair) => pair.join('=')).join('; ')
  }

  async logIn({ email, password }: Person, code?: string): Promise<Response> {
    const answer = await this.call('POST', '/session', { body: { email, password, code } })
    if (answer.status === 200) this.session = (await answer.clone().json()) as SessionAnswer
    return answer
  }

  /** Below /portal/session. */
  call(method: string, path: string, sent: Sent = {}): Promise<Response> {
    return this.ask(method, `/portal/session${path}`, sent)
  }

  async ask(method: string, path: string, { body, headers = {} }: Sent = {}): Promise<Response> {
    const { csrf, account } = this.session ?? {}
    const answer = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(this.cookie === '' ? {} : { cookie: this.cookie }),
        ...(csrf === undefined ? {} : { 'x-csrf-token': csrf }),
        ...(account == null ? {} : { 'x-account': account.accountId }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') this.jar.delete(name)
      else this.jar.set(name, value)
    }
    return answer
  }
}

export async function visitOf(url: string, person: Person): Promise<Visit> {
  const visit = new Visit(url)
  const answer = await visit.logIn(person)
  if (answer.status !== 200) throw new Error(await answer.text())
  return visit
}

export async function codeOf(answer: Response): Promise<string> {
  const told = (await answer.json()) as { code?: string; Code?: string }
  return `${answer.status} ${told.code ?? told.Code ?? ''}`
}
