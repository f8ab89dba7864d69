// What the published client of the interface sends, byte by byte as far as it is known, and what
// its own tests assert about the answers. Then the published smoke suite of the middleware.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  digitsOf,
  jsonOf,
  lowState,
  openPosShop,
  type PosBox,
  type PosShop,
  signaturesOf,
} from '../../support/pos-shop.js'
import { wire, wireHeaders } from '../../support/pos-wire.js'

let shop: PosShop
/** x-possystem-id is not asked for here. */
let lenient: { url: string; close(): Promise<void> }
beforeAll(async () => {
  shop = await openPosShop({ DUMMY_PAYMENT_TIME_SCALE: '0' })
  lenient = await shop.beside({ POSSYSTEM_ID_REQUIRED: 'false' })
})
afterAll(async () => {
  await lenient.close()
  await shop.close()
})

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/
const ERROR = 0xeeee_eeeen
const FAIL = 0xffff_ffffn

/** What the client's serializer leaves out: zeros, false, null; lists stay. */
function withoutDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDefaults)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(
    ([, one]) => one !== null && one !== false && one !== 0 && one !== 0n && one !== '',
  )
  return Object.fromEntries(entries.map(([name, one]) => [name, withoutDefaults(one)]))
}

/** Base address and path are put together as the client does it. */
const send = (box: PosBox, call: string, body: object, base = `${shop.url}/v2`, id?: string) => {
  const address = new URL(base)
  const headers = wireHeaders(box, id === undefined ? {} : { 'x-operation-id': id })
  const path = `${address.pathname}${call}`
  return wire(address.origin, path, { headers, body: jsonOf(withoutDefaults(body) as object) })
}

const boxes = () => [
  { box: shop.at, rates: [20, 10], receiptCase: 0x4154_0000_0000_0001n },
  { box: shop.de, rates: [19, 7], receiptCase: 0x4445_0000_0000_0001n },
]

describe('the reachability test', () => {
  it.each(['/v2/echo', '/v2//echo', '/echo', '/v2.1/echo'])(
    'of %s without headers and body is 400, and the text names x-cashbox-id',
    async (path) => {
      const reply = await wire(shop.url, path)
      expect(reply.status).toBe(400)
      expect(reply.text).toContain('x-cashbox-id')
    },
  )
})

describe('the assertions of the client', () => {
  it('echo: the message comes back', async () => {
    for (const { box } of boxes()) {
      const reply = await send(box, '/echo', { Message: 'Grüße, 你好 🧾' })
      expect(reply.status).toBe(200)
      expect(reply.json()).toEqual({ Message: 'Grüße, 你好 🧾' })
    }
  })

  it('a base address that ends in a slash leads to the same', async () => {
    for (const base of [`${shop.url}/v2/`, `${shop.url}/v2.1/`]) {
      expect((await send(shop.at, '/echo', { Message: 'x' }, base)).text).toBe('{"Message":"x"}')
    }
  })

  it('pay: use_auto over 10.0', async () => {
    for (const { box } of boxes()) {
      const id = randomUUID()
      const request = {
        ...{ Action: 'payment', Protocol: 'use_auto', cbTerminalID: 'term1' },
        cbPayItem: { Description: 'Card', Amount: 10.0 },
      }
      const reply = await send(box, '/pay', request, undefined, id)
      expect([reply.status, reply.headers['x-operation-id']]).toEqual([201, id])
      // names are read with their case by the client
      const { Protocol, ftQueueID, ftPayItems } = reply.json()
      expect([Protocol, ftQueueID]).toEqual(['use_auto', box.queueId])
      expect(ftPayItems).toEqual([
        {
          ftPayItemId: expect.stringMatching(UUID),
          ftPayItemID: expect.stringMatching(UUID),
          ...{ Description: 'Card', Amount: 10, ftPayItemCase: expect.any(Number) },
          Moment: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          ftPayItemCaseData: {
            Provider: {
              ...{ Protocol: 'test', Action: 'payment' },
              ProtocolRequest: expect.objectContaining({ OperationID: id, Amount: 10 }),
              ProtocolResponse: expect.objectContaining({ OperationID: id, Amount: 10 }),
            },
            Receipt: expect.arrayContaining([expect.any(String)]),
          },
        },
      ])
      const expected = box.market === 'AT' ? '4707422694906265604' : '4919373352369389572'
      expect(digitsOf(reply.text, 'ftPayItemCase')).toBe(expected)
    }
  })

  it('sign: unbalanced, without item cases, zeros and moments, version nibble 0', async () => {
    for (const { box, rates, receiptCase } of boxes()) {
      const reply = await send(box, '/sign', {
        ...{ cbTerminalID: 'T1', cbReceiptReference: randomUUID(), ftReceiptCase: receiptCase },
        cbReceiptMoment: '2026-01-30T10:15:00.1234567Z',
        cbChargeItems: [
          { Quantity: 1, Description: 'Item 1', Amount: 20.0, VATRate: rates[0], VATAmount: 0 },
          { Quantity: 2, Description: 'Item 2', Amount: 10.0, VATRate: rates[1], Position: 0 },
          { Quantity: 0, Description: '', Amount: 0, VATRate: 0 },
        ],
        cbPayItems: [{ Description: 'Cash', Amount: 40.0, ftPayItemId: randomUUID() }],
      })
      expect(reply.status, reply.text).toBe(201)
      expect(signaturesOf(reply).length).toBeGreaterThan(0)
      expect([ERROR, FAIL]).not.toContain(lowState(reply))
      expect(BigInt(digitsOf(reply.text, 'ftState')) >> 44n).toBe((receiptCase >> 44n) | 2n)
    }
  })

  it('sign: a zero receipt whose case has version nibble 0', async () => {
    for (const { box, receiptCase } of boxes()) {
      const reply = await send(box, '/sign', {
        ...{ cbReceiptReference: randomUUID(), cbReceiptMoment: '2026-01-30T10:15:00Z' },
        ...{ cbChargeItems: [], cbPayItems: [], ftReceiptCase: (receiptCase & ~1n) | 0x2000n },
      })
      expect(reply.status, reply.text).toBe(201)
      expect(lowState(reply)).toBe(0n)
    }
  })

  it('issue: a pair with random ids, empty lists and without a state', async () => {
    for (const { box } of boxes()) {
      const ids = { ftQueueID: randomUUID(), ftQueueItemID: randomUUID() }
      const reply = await send(box, '/issue', {
        ReceiptRequest: {
          ...{ cbReceiptReference: 'r1', cbReceiptMoment: '2026-01-30T10:15:00Z' },
          ...{ cbChargeItems: [], cbPayItems: [], ftReceiptCase: 0 },
        },
        ReceiptResponse: {
          ...{ ...ids, ftQueueRow: 0, ftCashBoxIdentification: 'x', cbReceiptReference: 'r1' },
          ...{ ftReceiptIdentification: 'ft0#', ftReceiptMoment: '2026-01-30T10:15:00Z' },
          ...{ ftSignatures: [], ftState: 0 },
        },
      })
      expect(reply.status, reply.text).toBe(201)
      expect(reply.json()).toMatchObject({
        ...ids,
        DocumentURL: `${shop.url}/${ids.ftQueueID}/${ids.ftQueueItemID}`,
        DocumentContentType: 'text/html',
      })
    }
  })

  it('pay, sign with its items, issue with the answer, as the samples do it', async () => {
    for (const { box, rates, receiptCase } of boxes()) {
      const paid = await send(box, '/pay', {
        ...{ Action: 'payment', Protocol: 'use_auto' },
        cbPayItem: { Description: 'Card', Amount: 12.5 },
      })
      const items = /"ftPayItems":(\[.*\])\}$/.exec(paid.text)?.[1] ?? ''
      const body =
        `{"cbReceiptReference":"${randomUUID()}","cbReceiptMoment":"2026-01-30T10:15:00Z",` +
        `"cbChargeItems":[{"Quantity":1,"Description":"x","Amount":12.5,"VATRate":${rates[0]}}],` +
        `"cbPayItems":${items},"ftReceiptCase":${receiptCase}}`
      const signed = await shop.send(box, '/v2/sign', body)
      expect(signed.status, signed.text).toBe(201)
      expect(lowState(signed)).toBe(0n)
      const pair = `{"ReceiptRequest":${body},"ReceiptResponse":${signed.text}}`
      const issued = await shop.send(box, '/v2/issue', pair)
      expect(issued.status, issued.text).toBe(201)
      expect((await fetch(String(issued.json().DocumentURL))).status).toBe(200)
    }
  })
})

describe('error bodies', () => {
  it('have title, a status that is a number in quotes, and detail', async () => {
    const reply = await send(shop.at, '/pay', { Protocol: 'use_auto' })
    const { title, status, detail } = reply.json()
    expect([title, Number(status), detail]).toEqual([
      'Validation failed',
      400,
      expect.stringContaining('Action'),
    ])
  })
})

describe('the published smoke suite', () => {
  it('runs in its order on a German queue that was never started', async () => {
    const box = await shop.more('DE')
    const smoke = async (path: string, body: string) => {
      const headers = wireHeaders(box, { 'x-possystem-id': undefined })
      const reply = await wire(lenient.url, path, { headers, body })
      expect([200, 201], `${path}: ${reply.text}`).toContain(reply.status)
      return reply
    }
    expect((await smoke('/v2/echo', '{"Message":"smoke"}')).json()).toEqual({ Message: 'smoke' })
    const moment = '2026-01-30T10:15:00.1234567+01:00'
    const item = (ending: number, rest: string) =>
      `{"Moment":"2020-06-29T17:45:40.505Z","Quantity":1,${rest}Case":4919373352344223${ending}}`
    const lists = {
      none: '"cbChargeItems":[],"cbPayItems":[]',
      sale:
        `"cbChargeItems":[${item(761, '"Amount":2.00,"VATRate":19,"ftChargeItem')},` +
        `${item(762, '"Amount":2.50,"VATRate":7,"ftChargeItem')}],` +
        `"cbPayItems":[${item(745, '"Description":"Cash","Amount":4.50,"ftPayItem')}]`,
    }
    const steps = [
      ['4919373352344240129', 'INIT', `"cbUser":"Admin",${lists.none}`],
      ['4919373352344231936', '7001', lists.none],
      ['4919373352344223745', '7002', lists.sale],
      ['4919373352344231953', `daily-${moment}`, lists.none],
    ] as const
    for (const [receiptCase, reference, rest] of steps) {
      const reply = await smoke(
        '/v2/sign',
        `{"cbReceiptReference":"${reference}","cbReceiptMoment":"${moment}",` +
          `"ftReceiptCase":${receiptCase},${rest}}`,
      )
      const low = lowState(reply)
      expect([low === ERROR, low === FAIL, low & 3n], reference).toEqual([false, false, 0n])
    }
    const zip = await smoke('/v2/journal', '{"ftJournalType":4919338167972134914}')
    expect(zip.headers['content-type']).toContain('zip')
    expect(zip.bytes.subarray(0, 2).toString()).toBe('PK')
    for (const type of [1, 2, 3]) {
      const list = await smoke('/v2/journal', `{"ftJournalType":${type}}`)
      expect(list.headers['content-type']).toBe('application/json; charset=utf-8')
      const rows = JSON.parse(list.text) as unknown[]
      if (type === 1) expect(rows.length).toBeGreaterThan(0)
      else expect(rows, `type ${type}`).toHaveLength(steps.length)
    }
  })
})
