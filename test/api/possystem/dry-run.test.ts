import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dryRun } from '../../../src/api/possystem/dry-run.js'
import { JsonNumber, JsonObject } from '../../../src/lib/json.js'
import { writeJson } from '../../../src/lib/json-write.js'
import { marketOf } from '../../../src/market/index.js'
import {
  Answer,
  createPosTill,
  listIn,
  openPosTills,
  type PosTill,
  type PosTills,
  posCall,
  receipt,
  signed,
} from '../../support/pos-till.js'
import { REMOTE_PACKAGE, type Stand } from '../../support/stand.js'

let tills: PosTills
let client: pg.Client
let stand: Stand
let at: PosTill
let de: PosTill

beforeAll(async () => {
  tills = await openPosTills()
  ;({ client, stand, at, de } = tills)
})

afterAll(() => tills.close())

async function tried(till: PosTill, body: string | object): Promise<Answer> {
  const { store } = stand
  const deps = { store, marketOf, now: () => new Date(), sandbox: true, strict: till.strict }
  const credentials = { renewed: async () => undefined }
  const {
    status,
    contentType,
    body: text,
  } = await dryRun({ ...deps, credentials }, posCall(till, body))
  expect([status, contentType]).toEqual([200, 'application/json; charset=utf-8'])
  return new Answer(text)
}

const codesOf = (answer: Answer) => listIn(answer.member('Problems')).map((one) => one.get('Code'))
const accepted = (answer: Answer) => answer.member('Accepted')
const printOf = (answer: Answer): unknown[] => {
  const lines = answer.member('Print')
  return Array.isArray(lines) ? lines : []
}
const changesOf = (answer: Answer) =>
  listIn(answer.member('Changes')).map((one) =>
    ['What', 'From', 'To'].map((name) => {
      const value = one.get(name)
      return value instanceof JsonNumber ? Number(value.text) : value
    }),
  )
const v0Of = (answer: Answer): unknown => {
  const found = answer.member('Case')
  const value = found instanceof JsonObject ? found.get('V0') : undefined
  return value instanceof JsonNumber ? `0x${BigInt(value.text).toString(16)}` : value
}

const coffees = (members: object = {}) =>
  receipt({
    cbChargeItems: [
      { Quantity: 2, Description: 'Kaffee', Amount: 7.6, VATRate: 20, ftChargeItemCase: 0x13n },
      { Description: 'Semmel', Amount: 1.2, VATRate: 10 },
    ],
    cbPayItems: [
      { Description: 'Bar', Amount: 10.0, ftPayItemCase: 1n },
      { Description: 'Retourgeld', Amount: -1.2, ftPayItemCase: 0x20_0001n },
    ],
    ftReceiptCase: 1n,
    ...members,
  })

describe('a dry run', () => {
  it('shows case, sums and totals of the published example', async () => {
    const answer = await tried(at, coffees())
    expect(answer.root.names).toEqual([
      ...['DryRun', 'Accepted', 'Case', 'Problems', 'Sums', 'ChargeTotal', 'PayTotal', 'Print'],
      'Changes',
    ])
    expect(accepted(answer)).toBe(true)
    expect(writeJson(answer.member('Case'))).toBe(
      '{"Value":4707422694881099777,"Market":"AT","Name":"Point-of-sale receipt",' +
        '"V0":4707387510509010945}',
    )
    expect(writeJson(answer.member('Sums'))).toBe(
      '[{"VATRate":20,"Letter":"A","Net":6.33,"Tax":1.27,"Gross":7.6},' +
        '{"VATRate":10,"Letter":"B","Net":1.09,"Tax":0.11,"Gross":1.2}]',
    )
    expect(writeJson(answer.member('ChargeTotal'))).toBe('8.8')
    expect(writeJson(answer.member('PayTotal'))).toBe('8.8')
  })

  it('prints what the receipt would show, with the places of its signatures', async () => {
    const lines = printOf(await tried(at, coffees()))
    expect(lines).toContain(`2 x Kaffee${' '.repeat(26)}7,60 A`)
    expect(lines).toContain(`Total EUR${' '.repeat(29)}8,80`)
    expect(lines).toContain(`A 20 %${' '.repeat(18)}6,33 + 1,27 = 7,60`)
    expect(lines).toContain('30.01.2026 10:15')
    expect(lines).toContain('<code of the signature>')
    expect(lines.join()).not.toContain('_R1-')
    for (const line of lines) expect([...String(line)].length).toBeLessThanOrEqual(42)
  })

  it('says what would move', async () => {
    const own = await createPosTill(stand, 'AT')
    expect(changesOf(await tried(own, coffees()))).toEqual([
      ['Row', 1, 2],
      ['ReceiptNumerator', 1, 2],
      ['CashNumerator', 1, 2],
      ['TurnoverCounter', '0.00', '8.80'],
    ])
    await signed(own, coffees())
    expect(changesOf(await tried(own, coffees()))).toContainEqual([
      'TurnoverCounter',
      '8.80',
      '17.60',
    ])
  })

  it('says so in Germany as well', async () => {
    const own = await createPosTill(stand, 'DE')
    expect(changesOf(await tried(own, receipt({ ftReceiptCase: 0x2011n })))).toEqual([
      ['Row', 1, 2],
      ['ReceiptNumerator', 1, 2],
      ['DailyClosingNumber', 0, 1],
    ])
    const start = { ftReceiptCase: 0x4445_2011_0000_3001n, cbReceiptReference: randomUUID() }
    expect(changesOf(await tried(own, receipt(start)))).toContainEqual(['OpenTransactions', 0, 1])
  })

  it('writes nothing and moves no unit', async () => {
    const rows = async () => {
      const tables = ['queue', 'scu', 'queue_item', 'action_journal', 'market_row', 'operation']
      const counted: unknown[] = []
      for (const table of tables) {
        const sql = `select md5(string_agg(t::text, '' order by t::text)) from ${table} t`
        counted.push((await client.query(sql)).rows)
      }
      return counted
    }
    const before = await rows()
    const start = { ftReceiptCase: 0x4001n }
    for (const body of [coffees(), receipt({ ftReceiptCase: 0x2000n }), receipt(start)]) {
      await tried(at, body)
      await tried(de, body)
    }
    expect(await rows()).toEqual(before)
  })

  it('asks no device', async () => {
    const own = await createPosTill(stand, 'AT', {
      started: false,
      scu: {
        package: REMOTE_PACKAGE,
        url: 'https://device.invalid/',
        configuration: { cashBoxId: randomUUID(), accessToken: 'token' },
      },
    })
    const answer = await tried(own, receipt({ ftReceiptCase: 0x4001n }))
    expect(accepted(answer)).toBe(true)
    expect(changesOf(answer)).toContainEqual(['CashNumerator', 0, 1])
  })
})

describe('the case of v0', () => {
  // vectors of the interface
  it.each([
    ['AT', 0x2012n, {}, '0x4154000000000005'],
    ['AT', 0x4_0001n, {}, '0x4154000000040001'],
    ['AT', 0x2000n, {}, '0x4154000000000002'],
    ['AT', 0x4001n, {}, '0x4154000000000003'],
    ['AT', 0x1002n, {}, '0x4154000000000008'],
    ['AT', 0x80_0001n, {}, '0x4154000000800010'],
    ['AT', 2n, { cbPayItems: [{ Amount: 5 }] }, '0x415400000000000a'],
    ['AT', 2n, { cbPayItems: [{ Amount: -5 }] }, '0x415400000000000b'],
    ['AT', 2n, {}, '0x415400000000000c'],
    ['DE', 0x2011n, {}, '0x4445000100000007'],
    ['DE', 0x10_2000n, {}, '0x4445000100800002'],
    ['DE', 0x10_4001n, {}, '0x4445000101000003'],
    ['DE', 0x4011n, {}, '0x4445000100000017'],
    ['DE', 0x100_0003n, {}, '0x4445000000000016'],
    ['DE', 0x1002n, {}, '0x444500000000000c'],
    ['DE', 0x4022n, {}, null],
    ['AT', 0x000fn, {}, null],
  ])('of %s for %s', async (market, ftReceiptCase, members, word) => {
    const answer = await tried(market === 'AT' ? at : de, receipt({ ftReceiptCase, ...members }))
    expect(v0Of(answer)).toBe(word)
  })
})

describe('problems of a dry run', () => {
  it('are those of strict rules too, without making it an error', async () => {
    const answer = await tried(at, coffees({ cbPayItems: [{ Amount: 5 }] }))
    expect(codesOf(answer)).toEqual(['ReceiptNotBalanced'])
    expect(accepted(answer)).toBe(true)
    const strict = await tried({ ...at, strict: true }, coffees({ cbPayItems: [{ Amount: 5 }] }))
    expect(accepted(strict)).toBe(false)
  })

  it.each([
    ['a rule of the market', { ftReceiptCase: 0x2000n }, 'MarketRule'],
    ['another country', { ftReceiptCase: 0x4445_2000_0000_0001n }, 'ReceiptCaseCountryMismatch'],
    ['another currency', { Currency: 'CHF' }, 'OnlyEuroCurrencySupported'],
    ['a reference to nobody', { cbPreviousReceiptReference: 'x' }, 'PreviousReceiptNotFound'],
    ['a receipt request for nothing', { ftReceiptCase: 0x8000_0001n }, 'ReceiptNotFound'],
  ])('%s: not accepted', async (_, members, code) => {
    const answer = await tried(at, coffees(members))
    expect(codesOf(answer)).toContain(code)
    expect(accepted(answer)).toBe(false)
    expect(printOf(answer)).not.toContain('<code of the signature>')
  })

  const item = (more: object) => ({ Description: 'x', Amount: 8.8, VATRate: 20, ...more })
  const told = async (till: PosTill, members: object) => {
    const answer = await tried(till, coffees(members))
    expect(accepted(answer)).toBe(true)
    return listIn(answer.member('Problems')).map((one) => [one.get('Code'), one.get('Path')])
  }
  const foreign = { Description: 'CHF', Amount: 8.8, ftPayItemCase: 0x10_0001n }

  it.each([
    [
      'a VAT code that is not defined',
      { cbChargeItems: [item({ ftChargeItemCase: 0x1an })] },
      [['VatCodeUnknown', 'cbChargeItems[0].ftChargeItemCase']],
    ],
    [
      'a rate that has no code',
      { cbChargeItems: [item({ VATRate: 17 })] },
      [['VatRateUnknown', 'cbChargeItems[0].VATRate']],
    ],
    [
      'numbers of v0',
      {
        ftReceiptCase: 0x4154_0000_0000_0001n,
        cbChargeItems: [item({ ftChargeItemCase: 0x4154_0000_0000_0003n })],
        cbPayItems: [{ Description: 'Bar', Amount: 8.8, ftPayItemCase: 0x4154_0000_0000_0001n }],
      },
      [
        ['LooksLikeV0', 'ftReceiptCase'],
        ['LooksLikeV0', 'cbChargeItems[0].ftChargeItemCase'],
        ['LooksLikeV0', 'cbPayItems[0].ftPayItemCase'],
      ],
    ],
    [
      'foreign money without its members',
      { cbPayItems: [foreign] },
      [['ForeignCurrencyMissing', 'cbPayItems[0].ftPayItemCaseData']],
    ],
    [
      'foreign money with one of its members',
      { cbPayItems: [{ ...foreign, ftPayItemCaseData: { foreignCurrencySymbol: 'CHF' } }] },
      [['ForeignCurrencyMissing', 'cbPayItems[0].ftPayItemCaseData']],
    ],
    [
      'foreign money without its flag',
      {
        cbPayItems: [
          {
            ...foreign,
            ftPayItemCase: 1n,
            ftPayItemCaseData: { foreignCurrencySymbol: 'CHF', foreignCurrencyAmount: 8.5 },
          },
        ],
      },
      [['ForeignCurrencyFlagMissing', 'cbPayItems[0].ftPayItemCase']],
    ],
    [
      'foreign money by the documented names: nothing',
      {
        cbPayItems: [
          {
            ...foreign,
            ftPayItemCaseData: { foreignCurrencySymbol: 'CHF', foreignCurrencyAmount: 8.5 },
          },
        ],
      },
      [],
    ],
  ])('%s is told, and accepted all the same', async (_, members, expected) => {
    expect(await told(at, members)).toEqual(expected)
  })

  it('rates of the country are none of them', async () => {
    for (const VATRate of [20, 13, 10, 19, 4.9, 0]) {
      expect(await told(at, { cbChargeItems: [item({ VATRate })] })).toEqual([])
    }
    expect(await told(de, { cbChargeItems: [item({ VATRate: 17 })] })).toEqual([
      ['VatRateUnknown', 'cbChargeItems[0].VATRate'],
    ])
  })

  it('an error would still take a row', async () => {
    const answer = await tried(at, coffees({ Currency: 'CHF' }))
    expect(changesOf(answer).map(([what]) => what)).toEqual(['Row'])
  })

  it('agree with what the real call says afterwards', async () => {
    const bodies = [coffees(), coffees({ Currency: 'CHF' }), receipt({ ftReceiptCase: 0x2011n })]
    for (const body of bodies) {
      for (const till of [at, de]) {
        const before = accepted(await tried(till, body))
        expect((await signed(till, body)).low !== 0xeeee_eeeen).toBe(before)
      }
    }
  })
})
