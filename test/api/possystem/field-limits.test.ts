// Every text of every request of group D beyond its length: refused by name, nothing stored, and
// the operation id still free.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  jsonOf,
  lowState,
  openPosShop,
  type PosShop,
  payment,
  receipt,
  sale,
} from '../../support/pos-shop.js'
import { problemOf, wire } from '../../support/pos-wire.js'

let shop: PosShop
beforeAll(async () => {
  shop = await openPosShop({ DUMMY_PAYMENT_TIME_SCALE: '0' }, ['AT'])
})
afterAll(() => shop.close())

const LONG = 1024
const FULL = 'ü'.repeat(1023)
const over = 'ü'.repeat(LONG)

/** The body is refused for this member alone, and the id takes a right body afterwards. */
async function expectRefused(path: string, bad: string, about: { field: string; right: string }) {
  const id = randomUUID()
  const before = await shop.counts()
  const reply = await shop.send(shop.at, path, bad, { id })
  const { detail, errors } = problemOf(reply, 400, 'validation_failed')
  expect(Object.keys(errors)).toEqual([about.field])
  expect(detail).toContain(about.field)
  expect(reply.text.length, 'the text is not sent back').toBeLessThan(1000)
  expect(await shop.counts()).toEqual(before)
  const state = (await shop.read(shop.at, `/v2/operation/${id}`)).json().State
  expect(state).toBe('never')
  const right = await shop.send(shop.at, path, about.right, { id })
  expect([200, 201], right.text).toContain(right.status)
}

const MESSAGE = (text: string) => JSON.stringify({ Message: text })

describe('echo', () => {
  it('Message has 1023 characters, not one more', async () => {
    const full = await shop.send(shop.at, '/v2/echo', MESSAGE(FULL))
    expect(full.json()).toEqual({ Message: FULL })
    const right = MESSAGE('x')
    await expectRefused('/v2/echo', MESSAGE(over), { field: 'Message', right })
  })
})

describe('pay', () => {
  const body = (members: object, item: object = {}, amount = 5) =>
    jsonOf({
      ...{ Action: 'payment', Protocol: 'use_auto', ...members },
      cbPayItem: { Description: 'Card', Amount: amount, ...item },
    })

  it.each(['Action', 'Protocol', 'cbTerminalID'])('%s beyond it is refused', async (name) => {
    const right = body({})
    await expectRefused('/v2/pay', body({ [name]: over }), { field: name, right })
  })

  it.each(['Description', 'MoneyBarcode', 'ftPayItemId'])(
    'cbPayItem.%s beyond it is refused',
    async (name) => {
      const right = body({ Action: 'refund' })
      const bad = body({ Action: 'refund' }, { [name]: over })
      await expectRefused('/v2/pay', bad, { field: `cbPayItem.${name}`, right })
    },
  )

  it('1023 characters are taken', async () => {
    const reply = await shop.send(
      shop.at,
      '/v2/pay',
      body({ cbTerminalID: FULL }, { Description: FULL }),
    )
    expect([reply.status, reply.text.includes(FULL)]).toEqual([201, true])
  })

  it('a terminal named by its header has the same length', async () => {
    const headers = { 'x-terminal-id': 'x'.repeat(LONG) }
    const reply = await shop.send(shop.at, '/v2/pay', payment(), { headers })
    expect(problemOf(reply, 400, 'invalid_header').detail).toContain('x-terminal-id')
  })
})

describe('sign', () => {
  const right = jsonOf(sale())
  const TOP = ['cbTerminalID', 'cbReceiptReference', 'cbPreviousReceiptReference', 'Currency']
  const HEAD = [...TOP, 'ftPosSystemId', 'ftCashBoxID', 'ftQueueID', 'cbReceiptMoment']
  const CHARGE = [
    ...['Description', 'AccountNumber', 'CostCenter', 'ProductGroup', 'ProductNumber', 'Unit'],
    ...['ProductBarcode', 'Currency', 'ftChargeItemId', 'Moment', 'ftChargeItemCase'],
  ]
  const PAY = [
    ...['Description', 'AccountNumber', 'CostCenter', 'MoneyGroup', 'MoneyNumber', 'MoneyBarcode'],
    ...['Currency', 'ftPayItemId', 'Moment', 'ftPayItemCase'],
  ]

  it.each([...HEAD, 'ftReceiptCase'])('%s beyond it is refused', async (name) => {
    await expectRefused('/v2/sign', jsonOf(receipt('r', { [name]: over })), { field: name, right })
  })

  it.each([
    ...CHARGE.map((name) => ['cbChargeItems', name] as const),
    ...PAY.map((name) => ['cbPayItems', name] as const),
  ])('%s[1].%s beyond it is refused', async (list, name) => {
    const bad = jsonOf(receipt('r', { [list]: [{ Amount: 1 }, { Amount: 1, [name]: over }] }))
    await expectRefused('/v2/sign', bad, { field: `${list}[1].${name}`, right })
  })

  it('one of several references beyond it is refused', async () => {
    const field = 'cbPreviousReceiptReference'
    const bad = jsonOf(receipt('r', { [field]: ['x', over] }))
    await expectRefused('/v2/sign', bad, { field, right })
  })

  it.each(['cbUser', 'cbArea', 'cbCustomer', 'cbSettlement'])(
    '%s may carry JSON: it has 64,000 characters, as text and as object',
    async (name) => {
      const most = 'x'.repeat(64_000)
      const taken = await shop.send(shop.at, '/v2/sign', receipt(randomUUID(), { [name]: most }))
      expect([taken.status, lowState(taken)]).toEqual([201, 0n])
      for (const bad of [`${most}x`, { name: most }, [most]]) {
        const text = jsonOf(receipt('r', { [name]: bad }))
        await expectRefused('/v2/sign', text, { field: name, right })
      }
    },
  )

  it('case data is bounded by the body alone', async () => {
    const data = { AT: 'x'.repeat(300_000) }
    const body = sale(randomUUID(), {
      ftReceiptCaseData: data,
      cbChargeItems: [{ Amount: 1, VATRate: 20, ftChargeItemCaseData: data }],
      cbPayItems: [{ Amount: 1, ftPayItemCaseData: 'x'.repeat(300_000) }],
    })
    const reply = await shop.send(shop.at, '/v2/sign', body)
    expect([reply.status, lowState(reply)]).toEqual([201, 0n])
  })

  it('texts of 1023 characters are all taken at once', async () => {
    const texts = (names: readonly string[]) =>
      Object.fromEntries(names.filter((name) => !STRICT.has(name)).map((name) => [name, FULL]))
    const body = receipt(FULL, {
      ...{ cbTerminalID: FULL, ftPosSystemId: FULL },
      cbChargeItems: [{ Amount: 1, VATRate: 20, ...texts(CHARGE) }],
      cbPayItems: [{ Amount: 1, ...texts(PAY) }],
    })
    const reply = await shop.send(shop.at, '/v2/sign', body)
    expect([reply.status, lowState(reply)], reply.text.slice(0, 300)).toEqual([201, 0n])
    expect(reply.json()).toMatchObject({ cbReceiptReference: FULL, cbTerminalID: FULL })
  })
})

/** Texts that mean something: long ones are wrong for that alone. */
const STRICT = new Set([
  ...['Currency', 'ftChargeItemId', 'ftPayItemId', 'Moment', 'ftChargeItemCase', 'ftPayItemCase'],
])

describe('issue', () => {
  const ids = { ftQueueID: randomUUID(), ftQueueItemID: randomUUID() }
  const pair = (request: object, response: object) =>
    jsonOf({ ReceiptRequest: request, ReceiptResponse: { ...ids, ...response } })

  it.each(['ftQueueID', 'ftQueueItemID', 'ftCashBoxID', 'ftState'])(
    'ReceiptResponse.%s that is a long text is refused',
    async (name) => {
      const about = { field: `ReceiptResponse.${name}`, right: pair({}, {}) }
      await expectRefused('/v2/issue', pair({}, { [name]: over }), about)
    },
  )

  it('ReceiptRequest.ftCashBoxID that is a long text is refused', async () => {
    const about = { field: 'ReceiptRequest.ftCashBoxID', right: pair({}, {}) }
    await expectRefused('/v2/issue', pair({ ftCashBoxID: over }, {}), about)
  })

  it('everything else is the content of a receipt, bounded by the body', async () => {
    const data = 'x'.repeat(100_000)
    const body = pair(
      { cbReceiptReference: data, cbChargeItems: [{ Description: data }] },
      { ftSignatures: [{ ftSignatureFormat: 1, Caption: data, Data: data }], ftStateData: data },
    )
    expect((await shop.send(shop.at, '/v2/issue', body)).status).toBe(201)
  })

  it('Action beyond it is refused', async () => {
    await shop.send(shop.at, '/v2/issue', pair({}, {}))
    const path = `/v2/issue/${ids.ftQueueID}/${ids.ftQueueItemID}`
    const reply = await shop.send(shop.at, path, { Action: over }, { method: 'PUT' })
    expect(Object.keys(problemOf(reply, 400, 'validation_failed').errors)).toEqual(['Action'])
  })
})

describe('journal', () => {
  it.each(['ftJournalType', 'From', 'To', 'ftQueueID'])('%s beyond it is refused', async (name) => {
    const bad = jsonOf({ ftJournalType: 1, [name]: over })
    await expectRefused('/v2/journal', bad, { field: name, right: '{"ftJournalType":1}' })
  })
})

describe('calls without an operation', () => {
  it.each(['cbReceiptReference', 'cbTerminalID'])(
    'a look-up by a long %s is refused',
    async (name) => {
      for (const text of ['x'.repeat(LONG), '%00', 'a%0001']) {
        const query = { cbReceiptReference: 'x', cbTerminalID: 'x', [name]: text }
        const parts = Object.entries(query).map(([key, value]) => `${key}=${value}`)
        const reply = await shop.read(shop.at, `/v2/operation?${parts.join('&')}`)
        expect(Object.keys(problemOf(reply, 400, 'validation_failed').errors)).toEqual([name])
      }
    },
  )

  it('a long PIN is refused', async () => {
    const reply = await wire(shop.url, '/v2/pair', { body: JSON.stringify({ Pin: over }) })
    expect(Object.keys(problemOf(reply, 400, 'validation_failed').errors)).toEqual(['Pin'])
  })

  it.each([
    ...[`/v2/operation/${over}`, `/v2/journal/${over}`, `/v2/journal/OperationItem/${over}`],
    ...[`/v2/issue/${over}/${over}`, `/v2/issue/x/${over}/link/qrcode`, `/v2/issue/%00/%00`],
    ...[`/v2/issue/${randomUUID()}/${randomUUID()}/delivered?x=${'y'.repeat(5000)}`],
  ])('a long path is refused: %#', async (path) => {
    const reply = await shop.read(shop.at, encodeURI(path))
    expect([400, 404]).toContain(reply.status)
    problemOf(reply, reply.status, reply.status === 404 ? 'not_found' : 'validation_failed')
    expect(reply.text.length).toBeLessThan(2 * encodeURI(path).length + 500)
  })
})
