import { describe, expect, it } from 'vitest'
import { readCompleted } from '../../src/case/reader.js'
import { Decimal } from '../../src/lib/decimal.js'
import { JsonObject, parseJson } from '../../src/lib/json.js'
import { marketOf } from '../../src/market/index.js'
import { decodePosRequest } from '../../src/model/pos-request.js'

function read(market: string, members: string) {
  const items = members.includes('cbChargeItems') ? '' : '"cbChargeItems":[],'
  const root = parseJson(
    '{"cbReceiptReference":"r","cbReceiptMoment":"2026-01-30T09:15:00Z","cbPayItems":[],' +
      `${items}${members}}`,
  )
  if (!(root instanceof JsonObject)) throw new Error('no object')
  const { request, faults } = decodePosRequest(root)
  expect(faults).toEqual([])
  return { request, faults: readCompleted(request, marketOf(market).cases).faults }
}

describe('a receipt case', () => {
  // the table of section 8.3
  it.each([
    ['AT', '0', 0x4154_2000_0000_0000n],
    ['AT', '35184372092930', 0x4154_2000_0000_1002n],
    ['AT', '4707387510509010945', 0x4154_2000_0000_0001n],
    ['AT', '4707387510509019136', 0x4154_2000_0000_2000n],
    ['AT', '4707387510509019153', 0x4154_2000_0000_2011n],
    ['AT', '1', 0x4154_2000_0000_0001n],
    ['AT', '4707387510509010959', 0x4154_2000_0000_000fn],
    ['DE', '35184372088833', 0x4445_2000_0000_0001n],
    ['DE', '4919338172267102209', 0x4445_0001_0000_0001n],
    ['DE', '"0x4445_2001_0000_0001"', 0x4445_2001_0000_0001n],
    ['AT', '"0x4154_0001_0000_0001"', 0x4154_2001_0000_0001n],
    ['AT', '"0x4154_0000_8002_0001"', 0x4154_2000_8002_0001n],
  ])('of %s sent as %s is complete', (market, sent, word) => {
    const { request, faults } = read(market, `"ftReceiptCase":${sent}`)
    expect(faults).toEqual([])
    expect(request.receiptCase).toBe(word)
  })

  it.each([
    ['AT', '4919373352344223745', 'ReceiptCaseCountryMismatch'],
    ['DE', '4707422694881099777', 'ReceiptCaseCountryMismatch'],
    ['AT', '"0x4154_1000_0000_0001"', 'ReceiptCaseVersionUnknown'],
    ['AT', '"0x4154_3000_0000_0001"', 'ReceiptCaseVersionUnknown'],
    ['DE', '"0x4445_8001_0000_0001"', 'ReceiptCaseVersionUnknown'],
    ['DE', '"0x4445_1000_0000_0001"', 'ReceiptCaseVersionUnknown'],
  ])('of %s sent as %s is %s', (market, sent, code) => {
    const { faults } = read(market, `"ftReceiptCase":${sent}`)
    expect(faults).toMatchObject([{ code, path: 'ftReceiptCase' }])
  })
})

describe('an item case', () => {
  const caseOf = (market: string, item: string, receiptCase = '1') => {
    const found = read(market, `"cbChargeItems":[${item}],"ftReceiptCase":${receiptCase}`)
    return { ...found, word: found.request.chargeItems[0]?.chargeItemCase }
  }

  it.each([
    ['AT', 20, 3],
    ['AT', 10, 1],
    ['AT', 13, 2],
    ['AT', 0, 7],
    ['AT', 19, 4],
    ['AT', 4.9, 4],
    ['DE', 19, 3],
    ['DE', 7, 1],
    ['DE', 10.7, 4],
    ['DE', 9.5, 4],
    ['DE', 9, 4],
    ['DE', 8.4, 4],
    ['DE', 7.8, 4],
    ['DE', 5.5, 5],
    ['DE', 0, 7],
    ['DE', 16, 0],
    ['DE', 5, 0],
  ])('of %s that is missing at %s %% has V %s', (market, rate, vat) => {
    const base = market === 'AT' ? 0x4154_2000_0000_0000n : 0x4445_2000_0000_0000n
    expect(caseOf(market, `{"VATRate":${rate}}`).word).toBe(base | BigInt(vat))
  })

  it.each([
    ['2020-07-01T10:00:00Z', 16, 3],
    ['2020-12-31T10:00:00Z', 5, 1],
    ['2020-06-30T10:00:00Z', 16, 0],
    ['2021-01-01T10:00:00Z', 5, 0],
  ])('of DE on %s at %s %% has V %s', (moment, rate, vat) => {
    const at = new Date(moment)
    const { vatOfRate } = marketOf('DE').cases
    expect(vatOfRate(Decimal.of(String(rate)), at)).toBe(vat)
  })

  it.each(['19', '"0x2000_0000_0013"', '"0x4154_0000_0000_0013"'])(
    'sent as %s gets country and version',
    (sent) => {
      expect(caseOf('AT', `{"ftChargeItemCase":${sent}}`).word).toBe(0x4154_2000_0000_0013n)
    },
  )

  it('of another country is told with its place', () => {
    expect(caseOf('AT', '{},{"ftChargeItemCase":"0x4445_2000_0000_0013"}').faults).toMatchObject([
      { code: 'ChargeItemCaseCountryMismatch', path: 'cbChargeItems[1].ftChargeItemCase' },
    ])
  })

  it('of another version is told', () => {
    expect(caseOf('AT', '{"ftChargeItemCase":"0x4154_1000_0000_0013"}').faults).toMatchObject([
      { code: 'ChargeItemCaseVersionUnknown' },
    ])
  })

  it.each([
    ['"0x4445_0000_0000_0011"', 0x4445_0000_0000_0011n],
    ['"0x4445_1000_0000_0011"', 0x4445_1000_0000_0011n],
    ['"0x11"', 0x4445_2000_0000_0011n],
    ['"0x4445_2000_0000_0013"', 0x4445_2000_0000_0013n],
  ])('%s beside a German case of v0 is %s', (sent, word) => {
    const receiptCase = '"0x4445_0001_0000_0001"'
    expect(caseOf('DE', `{"ftChargeItemCase":${sent}}`, receiptCase).word).toBe(word)
  })
})
