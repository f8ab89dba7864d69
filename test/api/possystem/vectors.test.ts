// The published vectors of the interface over HTTP: exact numbers, spellings of cases, the tables
// of v2 against those of v0, balance, idempotency, formats, delivery, terminals, PIN.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addTerminal } from '../../../src/core/payment/terminals.js'
import {
  digitsOf,
  lowState,
  openPosShop,
  type PosBox,
  type PosShop,
  payment,
  receipt,
  sale,
  signaturesOf,
} from '../../support/pos-shop.js'
import { problemOf, type WireReply, wire, wireHeaders } from '../../support/pos-wire.js'

let shop: PosShop
beforeAll(async () => {
  // a minute is six tenths of a second
  shop = await openPosShop({ DUMMY_PAYMENT_TIME_SCALE: '0.01', RATE_LIMITS: 'pin=0,credentials=0' })
})
afterAll(() => shop.close())

const AT = 0x4154_2000_0000_0000n
const DE = 0x4445_2000_0000_0000n

describe('precision', () => {
  it('a case keeps its last digits: stored, replayed, shown, published', async () => {
    const id = randomUUID()
    const reference = randomUUID()
    const body = sale(reference, { ftReceiptCase: 4707422694881099777n })
    const first = await shop.send(shop.at, '/v2/sign', body, { id })
    const again = await shop.send(shop.at, '/v2/sign', body, { id })
    expect([first.status, again.status, again.text]).toEqual([201, 200, first.text])
    expect(digitsOf(first.text, 'ftState')).toBe('4707422694881099776')
    const [stored] = await shop.rows(
      'select request from queue_item where receipt_reference = $1',
      [reference],
    )
    expect(digitsOf(String(stored?.request), 'ftReceiptCase')).toBe('4707422694881099777')
    const record = await shop.read(shop.at, `/v2/journal/OperationItem/${id}`)
    expect(digitsOf(String(record.json().Request), 'ftReceiptCase')).toBe('4707422694881099777')
    const pair = `{"ReceiptRequest":${String(stored?.request)},"ReceiptResponse":${first.text}}`
    const issued = await shop.send(shop.at, '/v2/issue', pair)
    const { ftQueueID, ftQueueItemID } = issued.json()
    const shown = await shop.read(shop.at, `/v2/issue/${ftQueueID}/${ftQueueItemID}`)
    expect(digitsOf(shown.text, 'ftReceiptCase')).toBe('4707422694881099777')
    expect(digitsOf(shown.text, 'ftState')).toBe('4707422694881099776')
  })
})

/** What a dry run recognises. */
async function tried(box: PosBox, body: object): Promise<WireReply> {
  return shop.send(box, '/v2/sign', body, { headers: { 'x-dry-run': 'true' } })
}

describe('case words', () => {
  it.each([
    '0x4154_2000_0000_2011',
    '0x4154200000002011',
    '4707422694881107985',
    4707422694881107985n,
  ])('%s is the daily closing', async (ftReceiptCase) => {
    const reply = await tried(shop.at, receipt(randomUUID(), { ftReceiptCase }))
    expect(reply.status, reply.text).toBe(200)
    expect(digitsOf(reply.text, 'Value')).toBe('4707422694881107985')
  })

  it.each([
    ['AT', AT | 0x2012n, 4707387510509010949n],
    ['DE', DE | 0x2011n, 0x4445_0001_0000_0007n],
    ['AT', AT | 0x0004_0001n, 0x4154_0000_0004_0001n],
  ] as const)('%s %i is %i in the tables of v0', async (market, v2, v0) => {
    const box = market === 'AT' ? shop.at : shop.de
    const reply = await tried(box, sale(randomUUID(), { ftReceiptCase: v2 }))
    expect(digitsOf(reply.text, 'V0')).toBe(String(v0))
  })

  it.each([
    [undefined, '4707422694881099776'],
    [35184372092930n, String(AT | 0x1002n)],
    [0x4154_0000_0000_0001n, String(AT | 1n)],
    [4707387510509019136n, String(AT | 0x2000n)],
    [4707387510509019153n, String(AT | 0x2011n)],
    [1, String(AT | 1n)],
  ])('an Austrian queue reads %s as %s', async (given, read) => {
    const reply = await tried(shop.at, receipt(randomUUID(), { ftReceiptCase: given }))
    expect(digitsOf(reply.text, 'Value')).toBe(read)
    expect(reply.json().Accepted).toBe(true)
  })

  it.each([4919373352344223745n, 4707387510509010959n])(
    'an Austrian queue answers %i with an error state',
    async (ftReceiptCase) => {
      const reply = await shop.send(shop.at, '/v2/sign', receipt(randomUUID(), { ftReceiptCase }))
      expect([reply.status, lowState(reply)]).toEqual([201, 0xeeee_eeeen])
    },
  )

  it('a German queue reads 0x4445_0001_0000_0001 as the implicit receipt of v0', async () => {
    const body = sale(randomUUID(), { ftReceiptCase: 4919338172267102209n })
    const reply = await shop.send(shop.de, '/v2/sign', body)
    expect([reply.status, lowState(reply)]).toEqual([201, 0n])
  })

  it.each(['4.7E18', '4707422694881099777.0', '-1', '18446744073709551616', 'true', '{}'])(
    '%s is no case',
    async (text) => {
      const body = JSON.stringify(receipt()).replace(/\}$/, `,"ftReceiptCase":${text}}`)
      const { errors } = problemOf(
        await shop.send(shop.at, '/v2/sign', body),
        400,
        'validation_failed',
      )
      expect(Object.keys(errors)).toEqual(['ftReceiptCase'])
    },
  )
})

describe('balance', () => {
  it('30.00 charged and 40.00 paid is signed', async () => {
    const body = receipt(randomUUID(), {
      cbChargeItems: [
        { Amount: 20, VATRate: 20 },
        { Quantity: 2, Amount: 10, VATRate: 10 },
      ],
      cbPayItems: [{ Amount: 40 }],
    })
    const reply = await shop.send(shop.at, '/v2/sign', body)
    expect([reply.status, lowState(reply)]).toEqual([201, 0n])
    expect(signaturesOf(reply).length).toBeGreaterThan(0)
  })
})

describe('idempotency', () => {
  const pay = (id: string, body: string, path = '/v2/pay') => shop.send(shop.at, path, body, { id })

  it('steps 1 to 6 and 11, with a real payment', async () => {
    const id = randomUUID()
    const first = await pay(id, payment('10.00'))
    expect(first.status).toBe(201)
    const same = await pay(id, payment('10.00'))
    expect([same.status, same.text]).toEqual([200, first.text])
    const reordered = await pay(
      id,
      '{"cbPayItem":{"Amount":10.0,"Description":"Card"},"Protocol":"use_auto","Action":"payment"}',
    )
    expect([reordered.status, reordered.text]).toEqual([200, first.text])
    problemOf(await pay(id, payment('11.00')), 409, 'operation_conflict')
    problemOf(await pay(id, payment('10.00'), '/v2/sign'), 409, 'operation_conflict')
    const bare = await pay(id, payment('10.00'), '/pay')
    expect([bare.status, bare.text]).toEqual([200, first.text])
    const other = await shop.send(shop.de, '/v2/pay', payment('10.00'), { id })
    expect(other.status).toBe(201)
    expect(other.text).not.toBe(first.text)
    const paid = await shop.rows('select 1 from payment where reference = $1', [id])
    expect(paid, 'one payment per cash box').toHaveLength(2)
  })

  it('7: two at once are one payment', async () => {
    const id = randomUUID()
    const both = await Promise.all([1, 2].map(() => pay(id, payment('30000.60'))))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 201])
    expect(both[0]?.text).toBe(both[1]?.text)
    expect(await shop.rows('select 1 from payment where reference = $1', [id])).toHaveLength(1)
  })

  it('8: declined twice, with the same bytes', async () => {
    const id = randomUUID()
    const [one, two] = [await pay(id, payment('30000.10')), await pay(id, payment('30000.10'))]
    problemOf(one, 400, 'payment_declined')
    expect([two.status, two.text]).toEqual([400, one.text])
  })

  it('9 and 10: a wrong token and a wrong body use up nothing', async () => {
    const id = randomUUID()
    const headers = { 'x-cashbox-accesstoken': 'wrong' }
    problemOf(await shop.send(shop.at, '/v2/pay', payment(), { id, headers }), 401, 'unauthorized')
    problemOf(await pay(id, '{"Protocol":"use_auto"}'), 400, 'validation_failed')
    expect((await pay(id, payment())).status).toBe(201)
  })
})

describe('what can be had of an issued receipt', () => {
  const issue = async () => {
    const pair = {
      ReceiptRequest: receipt(),
      ReceiptResponse: { ftQueueID: randomUUID(), ftQueueItemID: randomUUID(), ftSignatures: [] },
    }
    const { ftQueueID, ftQueueItemID } = (await shop.send(shop.at, '/v2/issue', pair)).json()
    return `/${ftQueueID}/${ftQueueItemID}`
  }

  it('*/* and no Accept are JSON, application/zip is refused', async () => {
    const path = `/v2/issue${await issue()}`
    for (const accept of ['*/*', undefined, 'application/json', 'application/zip;q=1, */*;q=0.1']) {
      const reply = await shop.read(shop.at, path, { accept })
      expect([reply.status, reply.headers['content-type']], accept).toEqual([
        200,
        'application/json; charset=utf-8',
      ])
      expect(reply.headers['cache-control']).toBe('private, no-store')
      expect(reply.headers.vary).toContain('Accept')
    }
    const zip = await shop.read(shop.at, path, { accept: 'application/zip' })
    expect(problemOf(zip, 400, 'unsupported_format').detail).toContain('application/zip')
  })

  it('is delivered by the page without AppId, and by accept', async () => {
    const at = await issue()
    const delivered = (path: string) => shop.read(shop.at, `/v2/issue${path}/delivered`)
    const none = await delivered(at)
    expect([none.status, none.text, none.headers['x-delivery-state']]).toEqual([
      204,
      '',
      'Submitted',
    ])
    const page = (query: string) => wire(shop.url, `${at}${query}`, { method: 'GET' })
    expect((await page(`?AppId=${randomUUID()}`)).status).toBe(200)
    expect((await delivered(at)).status).toBe(204)
    expect((await page('')).status).toBe(200)
    const seen = await delivered(at)
    expect([seen.status, seen.json().state]).toEqual([200, 'Printed'])
    const second = await issue()
    const put = { method: 'PUT' }
    const accepted = await shop.send(shop.at, `/v2/issue${second}`, { Action: 'accept' }, put)
    expect(accepted.status).toBe(200)
    const taken = await delivered(second)
    expect(taken.json()).toMatchObject({ state: 'Printed', DeliveryMethod: 'customeraccepted' })
  })
})

describe('terminals', () => {
  it.each([
    ['A1', undefined, true],
    ['A1', 'A1', true],
    ['A1', 'B1', false],
    [undefined, undefined, true],
    ['', undefined, true],
    ['undefined', undefined, true],
    [undefined, 'A1', false],
    ['', 'A1', false],
    ['undefined', 'A1', false],
  ])('cbTerminalID %s with a device for %s: takes part %s', async (asked, filter, takes) => {
    // the test provider of the sandbox answers use_auto too; a device that is named does not
    const named = asked !== undefined && !['', 'undefined'].includes(asked)
    const box = await shop.more('AT')
    const deps = { store: shop.deps.store, sandbox: true }
    const device = { provider: 'hobexecr', terminal: filter, url: 'http://127.0.0.1:9/' }
    await addTerminal(deps, { cashBoxId: box.cashBoxId, ...device })
    const body = payment('5', { Protocol: 'hobexecr', cbTerminalID: asked })
    const reply = await shop.send(box, '/v2/pay', body)
    // a device that takes part cannot be reached here: that is told otherwise than none at all
    expect(reply.json().code === 'no_payment_provider', reply.text).toBe(!takes)
    if (!takes) expect(reply.json().detail).toContain(named ? asked : 'any terminal')
  })
})

describe('a PIN', () => {
  const redeem = (body: string) => wire(shop.url, '/v2/pair', { body })

  it('of text is redeemed once, without any header; a number of two digits is 400', async () => {
    const { pin } = await shop.deps.possystem.pairing.create(shop.at.cashBoxId)
    problemOf(await redeem('{"Pin":42}'), 400, 'validation_failed')
    const reply = await redeem(`{"Pin":"${pin}"}`)
    expect(reply.json()).toEqual({
      ...{ CashBoxId: shop.at.cashBoxId, CashBoxID: shop.at.cashBoxId },
      AccessToken: shop.at.accessToken,
    })
    const { CashBoxId: cashBoxId, AccessToken: accessToken } = reply.json() as Record<
      string,
      string
    >
    const box = { cashBoxId: cashBoxId ?? '', accessToken: accessToken ?? '' }
    const headers = wireHeaders(box)
    expect((await wire(shop.url, '/v2/echo', { headers, body: '{"Message":"x"}' })).status).toBe(
      200,
    )
    problemOf(await redeem(`{"Pin":"${pin}"}`), 401, 'unauthorized')
  })

  it('is over after five minutes', async () => {
    const { pin } = await shop.deps.possystem.pairing.create(shop.at.cashBoxId)
    await shop.rows(`update pairing_pin set expires_at = expires_at - interval '301 seconds'`)
    problemOf(await redeem(`{"Pin":"${pin}"}`), 401, 'unauthorized')
  })
})
