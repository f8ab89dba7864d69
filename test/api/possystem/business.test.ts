// What goes wrong with a receipt itself comes inside of a success; what goes wrong with a call is
// an error of HTTP. Dry runs, receipt requests and references, all through the door.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  baseOf,
  digitsOf,
  jsonOf,
  lowState,
  openPosShop,
  type PosBox,
  type PosShop,
  payment,
  receipt,
  sale,
  signaturesOf,
} from '../../support/pos-shop.js'
import { problemOf, type WireReply } from '../../support/pos-wire.js'

let shop: PosShop
let strict: { url: string; close(): Promise<void> }
beforeAll(async () => {
  shop = await openPosShop({ DUMMY_PAYMENT_TIME_SCALE: '0' })
  strict = await shop.beside({ SIGN_VALIDATION: 'strict' })
})
afterAll(async () => {
  await strict.close()
  await shop.close()
})

const ERROR = 0xeeee_eeeen
const FAIL = 0xffff_ffffn
const sign = (box: PosBox, body: object | string, options = {}) =>
  shop.send(box, '/v2/sign', body, options)
const markets = () => [shop.at, shop.de]
/** A word of the box's country. */
const word = (box: PosBox, low: bigint) => baseOf(box.market) | low

/** A success that carries an error: what its signatures say. */
function failuresOf(reply: WireReply, market: string): string[] {
  expect([reply.status, lowState(reply)], reply.text).toEqual([201, ERROR])
  const failures = signaturesOf(reply).filter(({ Caption }) => Caption !== 'S A N D B O X')
  expect(failures.length).toBeGreaterThan(0)
  expect(reply.text).toContain(
    `"ftSignatureFormat":1,"ftSignatureType":${baseOf(market) | 0x3000n}`,
  )
  return failures.map(({ Caption, Data }) => `${Caption}: ${Data}`)
}

describe('a failure inside of a success', () => {
  it('has state EEEE_EEEE and a signature that says why, takes a row and no number', async () => {
    for (const box of markets()) {
      const before = await sign(box, sale())
      const id = randomUUID()
      const body = sale(randomUUID(), { Currency: 'CHF' })
      const failed = await sign(box, body, { id })
      expect(failuresOf(failed, box.market).join()).toContain('CHF')
      const after = await sign(box, sale())
      const [row, failedRow, next] = [before, failed, after].map((reply) =>
        Number(digitsOf(reply.text, 'ftQueueRow')),
      )
      expect([failedRow, next]).toEqual([Number(row) + 1, Number(row) + 2])
      const number = (reply: WireReply) =>
        Number.parseInt(
          /^ft([0-9A-F]+)#/.exec(String(reply.json().ftReceiptIdentification))?.[1] ?? '',
          16,
        )
      expect(number(after), 'the number is not used up').toBe(number(before) + 1)
      const record = (await shop.read(box, `/v2/journal/${id}`)).json()
      expect(record).toMatchObject({ LastState: 'done', ResponseCode: 201 })
      const again = await sign(box, body, { id })
      expect([again.status, again.bytes]).toEqual([200, failed.bytes])
    }
  })

  it.each([
    ['an unknown case', (box: PosBox) => ({ ftReceiptCase: word(box, 0x0fffn) })],
    ['version 1', (box: PosBox) => ({ ftReceiptCase: (baseOf(box.market) ^ (3n << 44n)) | 1n })],
    ['another country', () => ({ ftReceiptCase: 0x4652_2000_0000_0001n })],
    [
      'an item of another country',
      () => ({
        cbChargeItems: [{ Amount: 1, VATRate: 20, ftChargeItemCase: 0x4652_2000_0000_0003n }],
      }),
    ],
    [
      'a payment of another country',
      () => ({ cbPayItems: [{ Amount: 1, ftPayItemCase: 0x4652_2000_0000_0001n }] }),
    ],
    ['a reference to nothing', () => ({ cbPreviousReceiptReference: randomUUID() })],
    ['another currency', () => ({ Currency: 'USD' })],
    ['another currency of an item', () => ({ cbPayItems: [{ Amount: 1, Currency: 'usd' }] })],
  ])('is what %s becomes, whatever is validated', async (_name, more) => {
    for (const box of markets()) {
      for (const url of [shop.url, strict.url]) {
        const reply = await sign(box, sale(randomUUID(), more(box)), { url })
        failuresOf(reply, box.market)
      }
    }
  })

  it.each([
    ['ReceiptNotBalanced', { cbPayItems: [{ Amount: 40 }] }],
    ['CustomerRequiredForInvoice', { ftReceiptCase: 0x2000_0000_1001n }],
    ['RefundMissingPreviousReceiptReference', { ftReceiptCase: 0x2000_0100_0001n }],
    ['PaymentTransferMissingPreviousReceiptReference', { ftReceiptCase: 0x2000_0000_0002n }],
  ])('%s is one where that is asked for, and a signature otherwise', async (code, more) => {
    for (const box of markets()) {
      const logged = await sign(box, sale(randomUUID(), more))
      expect([logged.status, lowState(logged)], logged.text).toEqual([201, 0n])
      const refused = await sign(box, sale(randomUUID(), more), { url: strict.url })
      expect(failuresOf(refused, box.market).join()).toContain(code)
    }
  })

  it('lists that are null are empty, and a failure where that is asked for', async () => {
    const body = jsonOf(receipt()).replace('"cbPayItems":[]', '"cbPayItems":null')
    expect(lowState(await sign(shop.at, body))).toBe(0n)
    const refused = await sign(shop.at, body, { url: strict.url })
    expect(failuresOf(refused, 'AT').join()).toContain('PayItemsMissing')
  })

  it('is not issued, as it is no receipt', async () => {
    const body = jsonOf(sale(randomUUID(), { Currency: 'CHF' }))
    const failed = await sign(shop.at, body)
    const pair = `{"ReceiptRequest":${body},"ReceiptResponse":${failed.text}}`
    const { errors } = problemOf(
      await shop.send(shop.at, '/v2/issue', pair),
      400,
      'validation_failed',
    )
    expect(Object.keys(errors)).toEqual(['ReceiptResponse.ftState'])
  })
})

describe('a body that is refused', () => {
  it('names every member at fault at once, with the text of each', async () => {
    const body = `{"cbReceiptReference":" ","cbChargeItems":[{"Amount":"1","Quantity":true},7],
      "cbPayItems":{},"ftReceiptCase":1.5,"ftCashBoxID":"${randomUUID()}","Currency":[]}`
    const before = await shop.counts()
    const { errors, detail } = problemOf(await sign(shop.at, body), 400, 'validation_failed')
    expect(Object.keys(errors).sort()).toEqual([
      ...['Currency', 'cbChargeItems[0].Amount', 'cbChargeItems[0].Quantity', 'cbChargeItems[1]'],
      ...['cbPayItems', 'cbReceiptMoment', 'cbReceiptReference', 'ftCashBoxID', 'ftReceiptCase'],
    ])
    expect(errors.cbReceiptMoment).toEqual([expect.stringContaining('cbReceiptMoment is missing')])
    expect(detail).toBe(Object.values(errors)[0]?.[0])
    expect(await shop.counts()).toEqual(before)
  })

  it.each(['cbReceiptReference', 'cbReceiptMoment', 'cbChargeItems', 'cbPayItems'])(
    '%s is required',
    async (name) => {
      const { [name]: _gone, ...rest } = receipt() as Record<string, unknown>
      const { errors } = problemOf(await sign(shop.at, rest), 400, 'validation_failed')
      expect(errors).toEqual({ [name]: [expect.stringContaining(`${name} is missing`)] })
    },
  )

  it('of a payment says what there is instead', async () => {
    const none = await shop.send(shop.at, '/v2/pay', payment('1', { Protocol: 'shift4' }))
    expect(problemOf(none, 400, 'no_payment_provider').detail).toContain('shift4')
    for (const [name, value] of [
      ['Protocol', 'bluecode'],
      ['Action', 'pay'],
    ] as const) {
      const reply = await shop.send(shop.at, '/v2/pay', payment('1', { [name]: value }))
      expect(Object.keys(problemOf(reply, 400, 'validation_failed').errors)).toEqual([name])
    }
    for (const amount of ['0', '-1', '"1"', 'null', '{}']) {
      const reply = await shop.send(shop.at, '/v2/pay', payment(amount))
      const { errors } = problemOf(reply, 400, 'validation_failed')
      expect(Object.keys(errors)).toEqual(['cbPayItem.Amount'])
    }
    for (const [amount, code, status] of [
      ['30000.10', 'payment_declined', 400],
      ['30000.40', 'payment_cancelled', 400],
      ['30000.20', 'payment_timeout', 500],
    ] as const) {
      problemOf(await shop.send(shop.at, '/v2/pay', payment(amount)), status, code)
    }
  })

  it('of an unknown queue names it', async () => {
    for (const [path, body] of [
      ['/v2/sign', receipt('x', { ftQueueID: shop.de.queueId })],
      ['/v2/journal', { ftJournalType: 1, ftQueueID: shop.de.queueId }],
    ] as const) {
      const { errors } = problemOf(await shop.send(shop.at, path, body), 400, 'validation_failed')
      expect(Object.keys(errors)).toEqual(['ftQueueID'])
    }
  })
})

describe('a dry run', () => {
  const headers = { 'x-dry-run': 'true' }

  it('leaves the id free, moves nothing, and is no record', async () => {
    for (const box of markets()) {
      const id = randomUUID()
      const body = sale()
      const before = await shop.counts()
      for (const turn of [1, 2]) {
        const reply = await sign(box, body, { id, headers })
        expect([reply.status, reply.json().DryRun, reply.json().Accepted], `${turn}`).toEqual([
          ...[200, true, true],
        ])
        expect(Object.keys(reply.json())).toEqual([
          ...['DryRun', 'Accepted', 'Case', 'Problems', 'Sums', 'ChargeTotal', 'PayTotal'],
          ...['Print', 'Changes'],
        ])
      }
      expect(await shop.counts()).toEqual(before)
      expect((await shop.read(box, `/v2/operation/${id}`)).json()).toEqual({ State: 'never' })
      // with another body it is still the first call of this id
      expect((await sign(box, sale(), { id })).status).toBe(201)
      expect((await sign(box, body, { id, headers })).status, 'not even compared').toBe(200)
    }
  })

  it('says what the real call will say', async () => {
    for (const more of [{}, { Currency: 'CHF' }, { cbPayItems: [{ Amount: 1 }] }]) {
      const tried = await sign(shop.at, sale('dry', more), { headers })
      const real = await sign(shop.at, sale('dry', more))
      expect(tried.json().Accepted).toBe(lowState(real) !== ERROR)
    }
    const wrong = jsonOf(receipt('')).replace('"cbPayItems":[]', '"cbPayItems":3')
    const [tried, real] = [await sign(shop.at, wrong, { headers }), await sign(shop.at, wrong)]
    expect(tried.json().errors).toEqual(real.json().errors)
    for (const body of ['', '[]', '{"a":']) {
      problemOf(await sign(shop.at, body, { headers }), 400, 'invalid_json')
    }
  })

  it('is for /sign alone: what cannot be tried is refused before it does anything', async () => {
    const reply = await shop.send(shop.at, '/v2/pay', payment('3'), { headers })
    problemOf(reply, 400, 'invalid_header')
  })
})

describe('a receipt request', () => {
  const ASK = 0x8000_0000n

  it('finds the stored answer under a new id, and its own record replays it', async () => {
    for (const box of markets()) {
      const reference = randomUUID()
      const [ftReceiptCase, asking] = [word(box, 1n), word(box, 1n | ASK)]
      const signed = await sign(box, sale(reference, { ftReceiptCase }))
      const before = await shop.counts()
      const id = randomUUID()
      const found = await sign(box, sale(reference, { ftReceiptCase: asking }), { id })
      expect([found.status, found.text]).toEqual([201, signed.text])
      const again = await sign(box, sale(reference, { ftReceiptCase: asking }), { id })
      expect([again.status, again.text]).toEqual([200, signed.text])
      const after = await shop.counts()
      expect([after.queue_item, after.receipt_journal]).toEqual([
        before.queue_item,
        before.receipt_journal,
      ])
      const other = await sign(box, sale(reference, { ftReceiptCase: asking }, 13))
      expect([other.status, lowState(other)], 'other items are no match').toEqual([201, FAIL])
    }
  })

  it('without a match is FFFF_FFFF and stores nothing', async () => {
    const before = await shop.counts()
    const reply = await sign(
      shop.at,
      sale(randomUUID(), { ftReceiptCase: word(shop.at, 1n | ASK) }),
    )
    expect([reply.status, lowState(reply)]).toEqual([201, FAIL])
    const { operation: _record, versions: _fence, ...after } = await shop.counts()
    expect(before).toMatchObject(after)
  })
})

describe('references', () => {
  it('bring the earlier pair along, as one or as a group', async () => {
    for (const box of markets()) {
      const [one, two] = [randomUUID(), randomUUID()]
      const first = await sign(box, sale(one))
      const second = await sign(box, sale(two))
      for (const [given, answers] of [
        [one, [first]],
        [[one], [first]],
        [
          [one, two],
          [first, second],
        ],
      ] as const) {
        const reply = await sign(box, sale(randomUUID(), { cbPreviousReceiptReference: given }))
        expect([reply.status, lowState(reply)], reply.text).toEqual([201, 0n])
        const data = reply.json().ftStateData as { ftPreviousReceiptReference: Pair[] }
        const pairs = data.ftPreviousReceiptReference
        expect(pairs.map(({ ReceiptResponse: { ftQueueItemID } }) => ftQueueItemID)).toEqual(
          answers.map((answer) => answer.json().ftQueueItemID),
        )
        expect(pairs[0]?.ReceiptRequest.cbReceiptReference).toBe(one)
      }
    }
  })

  it('that two receipts have, or an error, or another queue, is an error', async () => {
    const twice = randomUUID()
    const wrong = randomUUID()
    const elsewhere = randomUUID()
    await sign(shop.at, sale(twice))
    await sign(shop.at, sale(twice))
    await sign(shop.at, sale(wrong, { Currency: 'CHF' }))
    await sign(shop.de, sale(elsewhere))
    for (const cbPreviousReceiptReference of [twice, wrong, elsewhere]) {
      failuresOf(await sign(shop.at, sale(randomUUID(), { cbPreviousReceiptReference })), 'AT')
    }
  })

  it('a void without one is signed and says so; strictly it is an error', async () => {
    const VOID = 0x0004_0001n
    for (const box of markets()) {
      const body = () => sale(randomUUID(), { ftReceiptCase: word(box, VOID) }, -12)
      const signed = await sign(box, body())
      expect([signed.status, lowState(signed)]).toEqual([201, 0n])
      const refused = await sign(box, body(), { url: strict.url })
      expect(failuresOf(refused, box.market).join()).toContain(
        'VoidMissingPreviousReceiptReference',
      )
    }
  })
})

interface Pair {
  ReceiptRequest: { cbReceiptReference: string }
  ReceiptResponse: { ftQueueItemID: string }
}
