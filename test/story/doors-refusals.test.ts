// The same receipt through every door: the same amounts are signed, or it is refused with the same
// code, whatever it has of unknown cases, foreign items and senseless amounts.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GrpcServer, startGrpc } from '../../src/api/middleware/grpc/server.js'
import { listenAt } from '../../src/lib/listen.js'
import { type Door, DOORS as HTTP_DOORS, JSON_V1, type Told } from '../support/doors.js'
import { posCall } from '../support/group-d.js'
import { grpcDoor } from '../support/grpc-door.js'
import { openShop, type Shop } from '../support/shop.js'

let shop: Shop
let grpc: GrpcServer
let doors: readonly Door[]

beforeAll(async () => {
  shop = await openShop({ DATABASE_POOL: '6' }, undefined, { countries: ['AT'] })
  const { middleware, log } = shop.deps
  const listen = listenAt({ host: '127.0.0.1', port: 0 })
  grpc = await startGrpc(middleware, { listen, most: 100, log })
  doors = [...HTTP_DOORS, JSON_V1, grpcDoor('gRPC', '', () => `127.0.0.1:${grpc.port}`)]
})
afterAll(async () => {
  await grpc.close()
  await shop.close()
})

const AT = 0x4154n << 48n
const rounded = (word: bigint) => BigInt(String(Number(word)))
/** Codes of the tables, their roundings, unknown ones, none, and those of other countries. */
const words = (codes: readonly bigint[]) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...codes.map((code) => AT | code)) },
    { weight: 1, arbitrary: fc.constantFrom(...codes.map((code) => rounded(AT | code))) },
    { weight: 1, arbitrary: fc.constantFrom(...codes) },
    { weight: 1, arbitrary: fc.constantFrom(AT | 0x77n, 0x4445n << 48n, (0x4652n << 48n) | 1n) },
  )

const amounts = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.integer({ min: -99999, max: 99999 }).map((n) => (n / 100).toFixed(2)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('9999999999999.99', '10000000000000', '-92000000000000000'),
  },
)
const rates = fc.constantFrom('20', '10', '13', '0', '4.9', '99.99', '100', '999.99')

const receipts = fc.record({
  word: words([0n, 1n, 7n, 8n, 0x10n]),
  charges: fc.array(
    fc.record({ word: words([0n, 1n, 2n, 3n, 5n, 0x22n]), amount: amounts, rate: rates }),
    { minLength: 1, maxLength: 3 },
  ),
  pays: fc.array(fc.record({ word: words([0n, 1n, 4n, 0xbn]), amount: amounts }), { maxLength: 2 }),
})

type Receipt = typeof receipts extends fc.Arbitrary<infer T> ? T : never

function jsonOf({ word, charges, pays }: Receipt): string {
  const chargeTexts = charges.map(
    (one) =>
      `{"Quantity":1,"Description":"x","Amount":${one.amount},"VATRate":${one.rate},` +
      `"ftChargeItemCase":${one.word}}`,
  )
  const payTexts = pays.map(
    (one) => `{"Quantity":1,"Description":"x","Amount":${one.amount},"ftPayItemCase":${one.word}}`,
  )
  return (
    `{"ftCashBoxID":"${shop.box.cashBoxId}","cbTerminalID":"1","cbReceiptReference":"r",` +
    `"cbReceiptMoment":"2026-01-31T10:15:00Z","cbChargeItems":[${chargeTexts}],` +
    `"cbPayItems":[${payTexts}],"ftReceiptCase":${word}}`
  )
}

interface Item {
  caption: string
  data: string
}

/** The five amounts that were signed and every hint; 'unsigned', or the code of the refusal. */
function judged(told: Told): string {
  if (!('answer' in told)) return 'refused' in told ? told.refused : 'nothing'
  const items = told.answer.ftsignatures as Item[]
  const code = items.find(({ data }) => data.startsWith('_R1-'))?.data
  const hints = items.filter(({ caption }) => caption.startsWith('[Hint]'))
  const amounts = code?.split('_').slice(5, 10).join('_') ?? 'unsigned'
  return [told.answer.ftstate, amounts, ...hints.map(({ data }) => data)].join(' ')
}

/** What the rules say, told a second time: which of them makes it a refusal. */
function expected({ word, charges, pays }: Receipt): string | undefined {
  const country = (one: bigint) => one >> 48n
  const foreign = (one: bigint) => country(one) !== 0n && country(one) !== 0x4154n
  const large = (list: readonly { amount: string }[]) =>
    list.reduce((sum, { amount }) => sum + Math.abs(Number(amount)), 0) >= 1e13
  if (large(charges) || large(pays)) return 'FIELD_INVALID'
  if (charges.some(({ rate }) => Number(rate) > 99.99)) return 'FIELD_INVALID'
  if (foreign(word)) return 'COUNTRY_WRONG'
  if ([...charges, ...pays].some((one) => foreign(one.word))) return 'COUNTRY_WRONG'
  const lost = [...charges, ...pays].some((one) => (one.word & 0xffffn) === 0x38n)
  return (word & 0xffffn) > 0x10n || lost ? 'MARKET_RULE' : undefined
}

it('every door gives one answer, and it is the one that the rules say', {
  timeout: 120_000,
}, async () => {
  let refused = 0
  await fc.assert(
    fc.asyncProperty(receipts, async (receipt) => {
      const told: string[] = []
      for (const door of doors)
        told.push(judged(await door.sign(shop.url, shop.box, jsonOf(receipt))))
      expect([...new Set(told)], jsonOf(receipt)).toHaveLength(1)
      const code = expected(receipt)
      if (code === undefined) expect(told[0]).toMatch(/^\d{19} /)
      else expect(told[0]).toBe(code)
      refused += code === undefined ? 0 : 1
    }),
    { numRuns: 120 },
  )
  expect(refused).toBeGreaterThan(10)
})

/** A sale of version 2 with these texts in the place of its two amounts. */
function posText([charge, pay]: readonly [string, string], items = [AT, AT]): string {
  const [chargeCase = 0n, payCase = 0n] = items
  return (
    `{"cbTerminalID":"1","cbReceiptReference":"${randomUUID()}",` +
    `"cbReceiptMoment":"2026-01-31T10:15:00Z","cbChargeItems":[{"Quantity":1,` +
    `"Description":"x","Amount":${charge},"VATRate":20,` +
    `"ftChargeItemCase":${chargeCase | V2 | 3n}}],` +
    `"cbPayItems":[{"Description":"x","Amount":${pay},"ftPayItemCase":${payCase | V2 | 1n}}],` +
    `"ftReceiptCase":${AT | V2 | 1n}}`
  )
}

const V2 = 2n << 44n

async function posTold(body: string) {
  const till = { ...shop.box, market: 'AT' } as unknown as Parameters<typeof posCall>[1]
  const call = { path: '/v2/sign', body, operationId: randomUUID() }
  const answer = await posCall(shop.url, till, call)
  const { errors = {} } = JSON.parse(answer.body) as { errors?: object }
  return { status: answer.status, fields: Object.keys(errors), body: answer.body }
}

it('the PosSystem door takes a sound sale', async () => {
  expect((await posTold(posText(['1.00', '1.00']))).status).toBe(201)
})

it.each(['null', '""', '"x"', '10000000000000', '-92000000000000000', '1e400', '{}', 'true'])(
  'the PosSystem door refuses %s as an amount and names it, JSON v1 refuses it too',
  async (wrong) => {
    const charge = await posTold(posText([wrong, '1.00']))
    expect(charge).toMatchObject({ status: 400, fields: ['cbChargeItems[0].Amount'] })
    const pay = await posTold(posText(['1.00', wrong]))
    expect(pay).toMatchObject({ status: 400, fields: ['cbPayItems[0].Amount'] })
    for (const text of [posText([wrong, '1.00']), posText(['1.00', wrong])]) {
      const told = await JSON_V1.sign(shop.url, shop.box, text)
      expect(told).toEqual({ refused: 'FIELD_INVALID' })
    }
  },
)

it('the PosSystem door refuses items of another country by name', async () => {
  const german = 0x4445n << 48n
  const charge = await posTold(posText(['1.00', '1.00'], [german, AT]))
  // a refusal of version 2 is an answer, whose state says that nothing was signed
  const pay = await posTold(posText(['1.00', '1.00'], [AT, german]))
  const state = `"ftState":${AT | V2 | 0xeeee_eeeen}`
  for (const { status, body } of [charge, pay]) {
    expect([status, body]).toEqual([201, expect.stringContaining(state)])
    expect(body).not.toContain('_R1-')
  }
  expect(charge.body).toContain('ChargeItemCaseCountryMismatch')
  expect(pay.body).toContain('PayItemCaseCountryMismatch')
})
