// Lists page by page: nothing is left out or told twice, whatever comes in between; and lists as a
// whole, which are what they were.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dealerOperations } from '../../../src/api/dealer/operations.js'
import { grantEntitlement } from '../../../src/core/sales/entitlements.js'
import { importPlans } from '../../../src/core/sales/plans.js'
import { type DealerStand, faults, openDealer, type Reply } from '../../support/dealer.js'
import { rollOut } from '../../support/dealer-stock.js'
import { formOf, person } from '../../support/invitations.js'

let stand: DealerStand
let operator = ''
const INVITATIONS = '/api/pos-operators-invitation'

beforeAll(async () => {
  stand = await openDealer({
    variables: { RATE_LIMITS: 'credentials=0' },
    dealer: { market: 'DE' },
  })
  operator = await stand.operator('Full', { market: 'DE' })
  for (let at = 0; at < 6; at += 1) await more()
})
afterAll(() => stand.close())

const SHOP = {
  name: 'Ring',
  address: 'Ring 2',
  postalCode: '01067',
  city: 'Dresden',
  country: 'DE',
}

/** One thing more in every list. */
async function more(): Promise<void> {
  await stand.operator('Full', { name: 'Zwilling' })
  await stand.call(`POST /api/posoperators/${operator}/outlets`, { body: SHOP })
  await stand.call(`POST ${INVITATIONS}`, { body: person() })
  const deleted = await stand.call(`POST ${INVITATIONS}`, { body: person() })
  await stand.call(`DELETE ${INVITATIONS}/${deleted.json().id}`)
  const sent = await stand.call(`POST ${INVITATIONS}`, { body: person() })
  await stand.call(`POST ${INVITATIONS}/${sent.json().id}/execute`)
  await rollOut(stand, operator, 'DE')
  await forSale()
}

let offered = 0

/** A template, a plan and an entitlement; each earlier in its list than the one before. */
async function forSale(): Promise<void> {
  offered += 1
  const [name, accountId] = [`X${9_999 - offered}`, stand.dealer.accountId]
  await stand.rows(
    `insert into template values ($1, gen_random_uuid(), 'DE', '4445-028000', $2, '', '', '', 0,
       false, 0, '{}', now(), now())`,
    [accountId, name],
  )
  const includedProducts = [{ number: '4445-000001', name: 'Product' }]
  const number = `4445-${9_999 - offered}`
  const { sales } = stand.deps.dealer
  await importPlans(sales, [{ number, title: 'Plan', rolloutType: 'Outlet', includedProducts }])
  await grantEntitlement(sales, { accountId, market: 'DE', name, terms: '5', validTo: null })
}

const nextOf = ({ headers }: Reply): string | undefined =>
  /^<([^>]+)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1]

const idOf = (one: Record<string, unknown>) =>
  one.id ?? one.cashBoxId ?? one.outletNumber ?? one.name

async function pagesOf(path: string, between: () => Promise<void>): Promise<unknown[][]> {
  const pages: unknown[][] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const reply: Reply = await stand.call(`GET ${next}`)
    expect(reply.status, reply.text).toBe(200)
    pages.push(reply.list().map(idOf))
    next = nextOf(reply)
    await between()
  }
  return pages
}

const nothing = async () => undefined

const LISTS = [
  '/api/posoperators',
  '/api/connections',
  INVITATIONS,
  `${INVITATIONS}/history`,
  `${INVITATIONS}/history?from=2020-01-01`,
  '/api/templates',
  '/api/rolloutplans',
  '/api/entitlements',
]
const BELOW = ['outlets', 'queues', 'scus', 'cashboxes', 'templates']

describe.each([...LISTS, ...BELOW])('%s', (name) => {
  const pathOf = () => (BELOW.includes(name) ? `/api/posoperators/${operator}/${name}` : name)
  const paged = (limit: number) => `${pathOf()}${pathOf().includes('?') ? '&' : '?'}limit=${limit}`

  it('page by page is the whole list', async () => {
    const whole = (await stand.call(`GET ${pathOf()}`)).list().map(idOf)
    expect(whole.length).toBeGreaterThan(5)
    for (const limit of [1, 4, whole.length, 1000]) {
      const pages = await pagesOf(paged(limit), nothing)
      expect(pages.flat()).toEqual(whole)
      expect(pages).toHaveLength(Math.ceil(whole.length / limit))
    }
  })

  it('loses and doubles nothing that was there when others come in between', async () => {
    const before = (await stand.call(`GET ${pathOf()}`)).list().map(idOf)
    let left = 2
    const pages = await pagesOf(paged(4), async () => {
      left -= 1
      if (left >= 0) await more()
    })
    const seen = pages.flat()
    expect(new Set(seen).size).toBe(seen.length)
    for (const one of before) expect(seen).toContain(one)
  })

  it.each(['x', 'W10', Buffer.from('["x","y"]').toString('base64url')])(
    'refuses an after that nobody gave: %s',
    async (after) => {
      const glue = pathOf().includes('?') ? '&' : '?'
      const reply = await stand.call(`GET ${pathOf()}${glue}after=${after}`)
      expect(Object.keys(faults(reply))).toEqual(['after'])
    },
  )

  it('refuses an after of another account, another list, or with one letter changed', async () => {
    const first = await stand.call(`GET ${paged(1)}`)
    const after = new URL(nextOf(first) ?? '', 'http://x').searchParams.get('after') ?? ''
    const glue = pathOf().includes('?') ? '&' : '?'
    const damaged = Buffer.from(after, 'base64url')
      .toString()
      .replace(/[0-9a-z]/, (one) => (one === '1' ? '2' : '1'))
    const changed = Buffer.from(damaged).toString('base64url')
    expect(Object.keys(faults(await stand.call(`GET ${pathOf()}${glue}after=${changed}`)))).toEqual(
      ['after'],
    )
    const elsewhere = name === 'queues' ? 'cashboxes' : 'queues'
    const line = `GET /api/posoperators/${operator}/${elsewhere}?after=${after}`
    expect(Object.keys(faults(await stand.call(line)))).toEqual(['after'])
    if (BELOW.includes(name)) return
    const as = await stand.account({ market: 'DE' })
    const other = await stand.call(`GET ${pathOf()}${glue}after=${after}`, { as })
    expect(Object.keys(faults(other))).toEqual(['after'])
  })
})

it('every operation that answers a list takes limit and after', () => {
  const lists = dealerOperations.filter(({ success, method }) => {
    const schema = success.schema as { _zod?: { def: { type: string } } } | undefined
    return method === 'GET' && schema?._zod?.def.type === 'array'
  })
  expect(lists.length).toBeGreaterThan(8)
  for (const { id, query } of lists) {
    expect(Object.keys(query.shape), id).toEqual(expect.arrayContaining(['limit', 'after']))
  }
})

it('a list that is longer than a piece is written while it is read', async () => {
  const as = await stand.account({ market: 'DE' })
  const template = await stand.call(`GET ${INVITATIONS}/import/csv/template`, { as })
  const [header = ''] = template.text.split(/\r?\n/)
  const rows = Array.from({ length: 1234 }, (_, at) => {
    const { company, contact } = person()
    const { name, email, addressLine1, postalCode, city } = company
    const start = `${name};${email};${addressLine1};;${postalCode};${city};DE;;;;;;;`
    return `${start};${contact.firstName};${contact.lastName};x${at}${contact.email};;;;`
  })
  const form = formOf('a.csv', [header, ...rows, ''].join('\n'))
  const imported = await stand.call(`POST ${INVITATIONS}/import/csv`, { ...form, as })
  expect(imported.json()).toMatchObject({ created: 1234 })
  const whole = (await stand.call(`GET ${INVITATIONS}`, { as })).list().map(idOf)
  expect(new Set(whole).size).toBe(1234)
})

describe('times of the history', () => {
  const history = (query: string) => stand.call(`GET ${INVITATIONS}/history?${query}`)
  const count = async (query: string) => (await history(query)).list().length

  it.each([
    '2020-01-01',
    '2020-01-01T10:15',
    '2020-01-01T10:15Z',
    '2020-01-01T10:15%2B02:00',
    '2020-01-01T10:15+02:00',
    '2020-01-01T10:15:30.5-0330',
    '2020-01-01T24:00',
    '2020-01-01 10:15',
  ])('%s is read', async (from) => {
    expect(await count(`from=${from}`)).toBeGreaterThan(0)
  })

  it.each(['2020-01-01T25:00', '2020-02-30', '2020-01-01T24:01', '10:15', '2020-1-1'])(
    '%s is refused',
    async (from) => {
      expect(Object.keys(faults(await history(`from=${from}`)))).toEqual(['from'])
    },
  )

  it('a midnight covers its day whatever its offset, the end of a day is one moment', async () => {
    await stand.rows(`update invitation set last_run = '2021-05-05T21:30:00Z'
      where id = (select id from invitation where success limit 1)`)
    const until = (to: string) => count(`from=2021-05-01&to=${encodeURIComponent(to)}`)
    expect(await until('2021-05-05')).toBe(1)
    expect(await until('2021-05-05T00:00:00+02:00')).toBe(1)
    expect(await until('2021-05-05T00:00-05:00')).toBe(1)
    expect(await count('from=2021-05-01&to=2021-05-05T00:00:00+02:00')).toBe(1)
    // of that day in Vienna half an hour is left
    expect(await until('2021-05-05T00:00:00+03:00')).toBe(0)
    expect(await until('2021-05-05T24:00')).toBe(1)
    expect(await until('2021-05-04T24:00')).toBe(0)
    expect(await until('2021-05-04T24:00-05:00')).toBe(0)
    expect(await until('2021-05-05T21:30')).toBe(1)
  })
})

it('outletNumber of SCUs is any 64-bit integer', async () => {
  const without = await stand.operator('Full', { market: 'DE' })
  const path = `GET /api/posoperators/${without}/scus?outletNumber=`
  for (const number of [
    '1',
    '-1',
    '9007199254740993',
    '9223372036854775807',
    '-9223372036854775808',
  ]) {
    expect((await stand.call(`${path}${number}`)).list()).toEqual([])
  }
  for (const number of ['9223372036854775808', '1.5', 'x']) {
    expect(Object.keys(faults(await stand.call(`${path}${number}`)))).toEqual(['outletNumber'])
  }
})
