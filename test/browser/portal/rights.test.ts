// Every page of the router for a dealer who was granted each right, and registers of every market:
// what cannot be pressed says why, and the call itself is refused with the same code.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Response as Reply } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { en } from '../../../portal/src/text/en.js'
import { pages as more } from '../../../portal/src/text/pages/en.js'
import { dealerOperations } from '../../../src/api/dealer/operations.js'
import { platformOperations } from '../../../src/api/platform/operations.js'
import { type Visit as Caller, visitOf } from '../../support/portal.js'
import type { PortalStand } from '../../support/portal-stand.js'
import { addWebhook, lastCall, workPages } from '../../support/portal-things.js'
import { goTo } from '../../support/portal-visit.js'

const TEXT = { ...en, ...more }
const RIGHTS = ['None', 'Read', 'ReadWrite', 'Full'] as const
/** Calls that pages say cannot be made; with the right None most pages show nothing at all. */
const LEAST = { None: 5, Read: 80, ReadWrite: 20, Full: 20 }
const MOUNTS = { dealer: '/portal/api', platform: '/portal/platform' }
const MAIN = readFileSync(join(import.meta.dirname, '../../../portal/src/main.tsx'), 'utf8')
const ROUTES = [...MAIN.matchAll(/path: '([^']+)'/g)]
  .map(([, path = '']) => path)
  .filter((path) => !['login', 'password', '*'].includes(path))
/** What there is one of for each register. */
const OF_REGISTER = /:(queueId|cashBoxId|scuId)/

/** A call with its body, and what it is refused with: the code, and the field if there is one. */
type Refused = [call: string, refused: string, body?: object]

/** What a page says by itself, and the call that is refused for the same reason. */
const OF_PAGE: Readonly<Record<string, (stand: PortalStand) => Refused>> = {
  [TEXT.passkeys.missing]: () => ['POST /portal/session/me/passkeys/begin', 'PasskeyNeedsName $'],
  [TEXT.common.required]: ({ shop }) => [
    `POST /portal/api/posoperators/${shop.demo.operator.accountId}/personal-data/erase`,
    'BadRequest olderThanDays',
  ],
  [TEXT.units.own]: ({ shop: { demo } }) => {
    const scuId = demo.cashBoxes[0]?.scuIds[0]
    const unit = `/portal/platform/operators/${demo.operator.accountId}/scus/${scuId}`
    return [`PUT ${unit}/configuration`, 'BadRequest scu', { configuration: {} }]
  },
  // without the token that the page does not have
  [`${TEXT.cashBox.token}: ${TEXT.operations.missing(TEXT.onboard.rights.ReadWrite)}`]: ({
    shop,
  }) => [`GET /api/configuration/${shop.box.cashBoxId}`, 'Unauthorized'],
  [TEXT.place.none]: ({ german }) => [
    `GET /portal/platform/operators/${german}/146a.xml`,
    'RegistrationIncomplete',
  ],
}

interface Told {
  code?: string
  Code?: string
  errors?: object
}

function codeAndField(told: Told): string {
  const [field = ''] = Object.keys(told.errors ?? {})
  return `${told.code ?? told.Code} ${field}`.trim()
}

/** Of one that cannot be pressed: its name and why; `fault`: what a keyboard or a reader lacks. */
const REASONS = `[...document.querySelectorAll('[aria-disabled=true], [disabled]')].map((one) => {
  const why = document.getElementById(one.getAttribute('aria-describedby') ?? '')
  one.focus({ preventScroll: true })
  const faults = [
    one.hasAttribute('disabled') && 'disabled',
    document.activeElement !== one && 'no key comes to it',
    one.tabIndex < 0 && 'out of the way of the keyboard',
    (why?.textContent ?? '').trim() === '' && 'no reason',
    why !== null && getComputedStyle(why).display === 'none' && 'its reason is not shown',
  ].filter((fault) => fault !== false)
  document.activeElement?.blur()
  return { name: one.textContent, why: why?.textContent ?? '', faults }
})`

interface Reason {
  name: string
  why: string
  faults: string[]
}

/** As the server has told it. */
interface Action {
  operationId: string
  group: keyof typeof MOUNTS
  method: string
  path: string
  allowed: boolean
  code: string | null
  text: string | null
}

interface Refusal extends Action {
  body: unknown
}

const OPERATIONS = new Map(
  [...dealerOperations, ...platformOperations].map((row) => [row.id as string, row]),
)

/** The body that the server has judged the call with. */
function bodyOf(
  { operationId }: Action,
  request: Reply['request'] extends () => infer R ? R : never,
) {
  if (request.method() === 'POST') return (request.postDataJSON() as { body?: unknown }).body
  const row = OPERATIONS.get(operationId)
  if (row?.body === undefined) return undefined
  return row.example ?? Object.values(row.examples ?? {})[0] ?? {}
}

/** Notes what the pages are told that cannot be done. */
function refusalsTo(page: Page): Refusal[] {
  const found: Refusal[] = []
  page.on('response', (reply) => {
    if (!reply.url().includes('/portal/platform/actions') || !reply.ok()) return
    void reply.json().then((told: Action | { items: Action[] }) => {
      for (const one of 'items' in told ? told.items : [told]) {
        if (!one.allowed) found.push({ ...one, body: bodyOf(one, reply.request()) })
      }
    })
  })
  return found
}

/** Waits for what a page is called, or for what it says instead. */
async function shown(page: Page, path: string): Promise<void> {
  try {
    await page.locator('main h1, main .fault, main .empty').first().waitFor()
  } catch (error) {
    throw new Error(`${path}: ${await page.getByRole('main').innerHTML()}`, { cause: error })
  }
}

/** Addresses of all pages: those of a register for one in every market. */
async function addressesOf(stand: PortalStand): Promise<string[]> {
  const { shop, german } = stand
  const { demo, deps } = shop
  const [bundle = '', job = '', backup = ''] = (await workPages(stand)).map(
    (path) => path.split('/').at(-1) ?? '',
  )
  const { rows: webhooks } = await deps.store.pool.query<{ id: string }>('select id from webhook')
  const { rows: items } = await deps.store.pool.query<{ queue: string; id: string }>(
    'select distinct on (queue_id) queue_id as queue, id from queue_item',
  )
  const general: Record<string, string> = {
    ...{ operatorId: demo.operator.accountId, webhookId: webhooks[0]?.id ?? '', jobId: job },
    ...{ inspectionId: bundle, backupId: backup, seq: '1', callId: await lastCall(stand) },
    operationId: 'createOutlet',
  }
  // one of the merchant: who may no longer read him sees its place alone
  const { rows: heard } = await deps.store.pool.query<{ seq: bigint }>(
    'select seq from event where account_id = $1 and owner_id <> account_id limit 1',
    [demo.dealer.accountId],
  )
  expect(heard).toHaveLength(1)
  const filled = (path: string, values: Record<string, string>): string =>
    `/${path}`.replaceAll(/:(\w+)/g, (_, name: string) => {
      const value = values[name]
      if (value === undefined) throw new Error(`nothing is known for :${name} of ${path}`)
      return value
    })
  const ofRegisters = demo.cashBoxes.flatMap(({ cashBoxId, queueId, scuIds }) => {
    const receiptId = items.find(({ queue }) => queue === queueId)?.id ?? ''
    const values = { ...general, cashBoxId, queueId, scuId: scuIds[0] ?? '', receiptId }
    return [
      ...ROUTES.filter((path) => OF_REGISTER.test(path)).map((path) => filled(path, values)),
      `/lab?cashBoxId=${cashBoxId}&operatorId=${demo.operator.accountId}`,
    ]
  })
  const others = ROUTES.filter((path) => !OF_REGISTER.test(path))
  return [
    '/',
    `/events/${heard[0]?.seq}`,
    ...others.map((path) => filled(path, general)),
    ...others
      .filter((path) => path.includes(':operatorId'))
      .map((path) => filled(path, { ...general, operatorId: german })),
    ...ofRegisters,
  ]
}

export function rightTests(found: () => PortalStand): void {
  let stand: PortalStand
  let addresses: string[]
  /** Nobody has read it on any page yet. */
  const unsaid = new Set(Object.keys(OF_PAGE))
  beforeAll(async () => {
    stand = found()
    await addWebhook(stand)
    addresses = await addressesOf(stand)
  })

  const grant = (right: string) =>
    stand.shop.deps.store.pool.query('update connection set rights = $1 where account_id = $2', [
      right,
      stand.shop.demo.dealer.accountId,
    ])

  /** One after the other in a page of its own: what the server tells, and what pages say. */
  async function walk(paths: readonly string[]): Promise<{ told: Refusal[]; said: string[] }> {
    const { page, context, settled, faults } = await stand.visitAs(stand.shop.dealer, '/me')
    const refusals = refusalsTo(page)
    const told: Refusal[] = []
    const said: string[] = []
    const unexplained: string[] = []
    for (const path of paths) {
      await goTo(page, path)
      await shown(page, path)
      await settled()
      const reasons = await page.evaluate<Reason[]>(REASONS)
      expect(
        reasons.filter((one) => one.faults.length > 0),
        path,
      ).toEqual([])
      for (const { name, why } of reasons) {
        const known = refusals.filter(({ text }) => text === why)
        told.push(...known)
        if (known.length > 0) continue
        if (OF_PAGE[why] === undefined) unexplained.push(`${path}: ${name}: ${why}`)
        else said.push(why)
      }
    }
    expect(unexplained).toEqual([])
    // what the server has refused, browsers note
    expect(faults.filter((one) => !/40[34]/.test(one))).toEqual([])
    await context.close()
    return { told, said }
  }

  async function isRefused(caller: Caller, { body, ...one }: Refusal): Promise<void> {
    const address = MOUNTS[one.group] + one.path
    const answer = await caller.ask(one.method, address, body === undefined ? {} : { body })
    const told = (await answer.json()) as { code?: string; Code?: string }
    const { operationId, code, path } = one
    expect({ operationId, path, code: told.code ?? told.Code }).toEqual({ operationId, path, code })
  }

  it.each(RIGHTS)('with the right %s', { timeout: 120_000 }, async (right) => {
    await grant(right)
    const halves = [0, 1].map((half) => walk(addresses.filter((_, at) => at % 2 === half)))
    const walked = await Promise.all(halves)
    const told = walked.flatMap((half) => half.told)
    const once = new Map(told.map((one) => [`${one.operationId} ${one.path}`, one]))
    const caller = await visitOf(stand.shop.url, stand.shop.dealer)
    for (const one of once.values()) await isRefused(caller, one)
    for (const why of new Set(walked.flatMap((half) => half.said))) {
      unsaid.delete(why)
      const [call = '', refused = '', body = {}] = OF_PAGE[why]?.(stand) ?? []
      const [method = '', path = ''] = call.split(' ')
      const answer = await caller.ask(method, path, method === 'GET' ? {} : { body })
      expect([why, codeAndField((await answer.json()) as Told)]).toEqual([why, refused])
    }
    expect(once.size).toBeGreaterThanOrEqual(LEAST[right])
    await grant('Full')
  })

  it('each reason that pages say by themselves was read on one of them', () => {
    expect([...unsaid]).toEqual([])
  })
}
