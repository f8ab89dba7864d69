import { describe, expect, it } from 'vitest'
import { readCompleted } from '../../../src/case/reader.js'
import type { CaseRules } from '../../../src/case/rules.js'
import { problemsOf } from '../../../src/core/receipt-rules/rules.js'
import { JsonObject, parseJson } from '../../../src/lib/json.js'
import { writeJson } from '../../../src/lib/json-write.js'
import { marketOf } from '../../../src/market/index.js'
import { decodePosRequest } from '../../../src/model/pos-request.js'

const AT = marketOf('AT').cases

function codesOf(members: object, rules: CaseRules = AT): string[] {
  const text = writeJson({
    cbReceiptReference: 'r',
    cbReceiptMoment: '2026-01-30T09:15:00Z',
    cbChargeItems: [],
    cbPayItems: [],
    ...members,
  })
  const root = parseJson(text)
  if (!(root instanceof JsonObject)) throw new Error('no object')
  const { request, facts, faults } = decodePosRequest(root)
  expect(faults).toEqual([])
  const { words, faults: caseFaults } = readCompleted(request, rules)
  return problemsOf({ request, words, facts, caseFaults, rules }).map(
    ({ code, path, always }) => `${code} ${path}${always ? ' always' : ''}`,
  )
}

const charge = (Amount: number, more: object = {}) => ({ Amount, VATRate: 20, ...more })
const pay = (Amount: number, more: object = {}) => ({ Amount, ...more })
/** Country and version are the queue's. */
const word = (flags: number, code: number) => BigInt(flags) * 0x1_0000n + BigInt(code)

describe('a correct receipt', () => {
  it('has no problems', () => {
    expect(codesOf({ cbChargeItems: [charge(10)], cbPayItems: [pay(10)] })).toEqual([])
  })

  it.each([
    ['change', [pay(10), pay(-1.2, { ftPayItemCase: word(0x20, 1) })], 8.8],
    [
      'tip to staff by card',
      [pay(12, { ftPayItemCase: 5n }), pay(-2, { ftPayItemCase: word(0x40, 4) })],
      10,
    ],
    ['a voucher sold', [pay(-50, { ftPayItemCase: word(0x8000, 6) }), pay(50)], 0],
  ])('with %s is balanced', (_, cbPayItems, sum) => {
    expect(codesOf({ cbChargeItems: sum === 0 ? [] : [charge(sum)], cbPayItems })).toEqual([])
  })
})

describe('ReceiptNotBalanced', () => {
  const problem = 'ReceiptNotBalanced cbPayItems'

  it.each([
    [10, 10.01, []],
    [10, 9.99, []],
    [10, 10.011, [problem]],
    [10, 9.98, [problem]],
    [30, 40, [problem]],
  ])('charged %s, paid %s', (charged, paid, codes) => {
    expect(codesOf({ cbChargeItems: [charge(charged)], cbPayItems: [pay(paid)] })).toEqual(codes)
  })

  it.each([
    ['handwritten', word(0x8, 1)],
    ['a table check', word(0, 6)],
    ['a pro-forma invoice', word(0, 7)],
    ['an order', word(0, 0x3004)],
  ])('is not asked of %s', (_, ftReceiptCase) => {
    expect(codesOf({ ftReceiptCase, cbChargeItems: [charge(10)] })).toEqual([])
  })
})

describe('lists of null', () => {
  it('are named', () => {
    expect(codesOf({ cbChargeItems: null, cbPayItems: null })).toEqual([
      'ChargeItemsMissing cbChargeItems',
      'PayItemsMissing cbPayItems',
    ])
  })
})

describe('references', () => {
  const at = 'cbPreviousReceiptReference'
  const item = { cbChargeItems: [charge(-1)], cbPayItems: [pay(-1)] }

  it.each([
    ['void', word(0x4, 1), 'Void'],
    ['refund', word(0x100, 1), 'Refund'],
  ])('of a %s are exactly one', (_, ftReceiptCase, kind) => {
    const codes = (reference?: unknown) =>
      codesOf({ ...item, ftReceiptCase, cbPreviousReceiptReference: reference })
    expect(codes()).toEqual([`${kind}MissingPreviousReceiptReference ${at}`])
    expect(codes('a')).toEqual([])
    expect(codes(['a'])).toEqual([])
    expect(codes(['a', 'b'])).toEqual([`${kind}GroupReferenceNotSupported ${at}`])
  })

  it('of a payment transfer are needed', () => {
    const transfer = { ftReceiptCase: 2n, cbChargeItems: [charge(1)], cbPayItems: [pay(1)] }
    expect(codesOf(transfer)).toEqual([`PaymentTransferMissingPreviousReceiptReference ${at}`])
    expect(codesOf({ ...transfer, cbPreviousReceiptReference: 'a' })).toEqual([])
  })

  it('of a partial refund are one', () => {
    const refund = {
      cbChargeItems: [charge(-1, { ftChargeItemCase: word(0x2, 0x13) })],
      cbPayItems: [pay(-1)],
    }
    expect(codesOf({ ...refund, cbPreviousReceiptReference: 'a' })).toEqual([])
    expect(codesOf({ ...refund, cbPreviousReceiptReference: ['a', 'b'] })).toEqual([
      `PartialRefundGroupReferenceNotSupported ${at}`,
    ])
  })

  it('of a sale may be several', () => {
    const sale = { cbChargeItems: [charge(1)], cbPayItems: [pay(1)] }
    expect(codesOf({ ...sale, cbPreviousReceiptReference: ['a', 'b'] })).toEqual([])
  })
})

describe('an item', () => {
  const codes = (item: object, more: object = {}, rules = AT) =>
    codesOf({ cbChargeItems: [item], cbPayItems: [item], ...more }, rules)

  it.each([
    [12, 20, 2, []],
    [12, 20, 2.01, []],
    [12, 20, 2.02, ['VatAmountMismatch cbChargeItems[0].VATAmount']],
    [12, 20, -2, ['VatAmountMismatch cbChargeItems[0].VATAmount']],
    [3.8, 20, 0.63, []],
    [15.2, 10, 1.38, []],
  ])('of %s at %s %% with VATAmount %s', (Amount, VATRate, VATAmount, found) => {
    expect(codes({ Amount, VATRate, VATAmount })).toEqual(found)
  })

  it.each([
    ['AT', 20, 0x13, []],
    ['AT', 19, 0x14, []],
    ['AT', 19, 0x13, ['VatRateCaseMismatch cbChargeItems[0].VATRate']],
    ['AT', 19, 0x15, []],
    ['AT', 20, 0x18, ['VatRateCaseMismatch cbChargeItems[0].VATRate']],
    ['AT', 0, 0x18, []],
    // the published smoke test: v0 numbers under a prefix of version 2
    ['DE', 19, 0x11, ['VatRateCaseMismatch cbChargeItems[0].VATRate']],
    ['DE', 7, 0x12, ['VatRateCaseMismatch cbChargeItems[0].VATRate']],
    ['DE', 19, 0x13, []],
  ])('of %s at %s %% with the case %s', (market, VATRate, code, found) => {
    const item = { Amount: 1, VATRate, ftChargeItemCase: BigInt(code) }
    expect(codes(item, {}, marketOf(market).cases)).toEqual(found)
  })

  it.each([
    ['nothing', 0x13, 0, 0, true],
    ['a voided position', 0x13, 0x1, 0, false],
    ['a refunded position', 0x13, 0x2, 0, false],
    ['a discount', 0x13, 0x4, 0, false],
    ['a deposit taken back', 0x13, 0x10, 0, false],
    ['a voucher redeemed', 0x48, 0, 0, false],
    ['a receivable', 0x98, 0, 0, false],
    ['money out of the till', 0xa8, 0, 0, false],
    ['a voided receipt', 0x13, 0, 0x4, false],
    ['a refund', 0x13, 0, 0x100, false],
  ])('that is negative for %s', (_, code, itemFlags, flags, isWrong) => {
    const item = { Amount: -1, Quantity: -1, VATRate: 20, ftChargeItemCase: word(itemFlags, code) }
    const found = codes(item, { ftReceiptCase: word(flags, 1), cbPreviousReceiptReference: 'a' })
    expect(found.filter((one) => one.startsWith('Negative'))).toEqual(
      isWrong
        ? [
            'NegativeQuantityNotAllowed cbChargeItems[0].Quantity',
            'NegativeAmountNotAllowed cbChargeItems[0].Amount',
          ]
        : [],
    )
  })

  it('without tax needs a nature where the country wants it', () => {
    const rules = { ...AT, wantsNature: true }
    const item = (code: number) => ({ Amount: 1, ftChargeItemCase: BigInt(code) })
    const problem = 'ZeroVatRateMissingNature cbChargeItems[0].ftChargeItemCase'
    expect(codes(item(0x17), {}, rules)).toEqual([problem])
    expect(codes(item(0x3017), {}, rules)).toEqual([])
    expect(codes(item(0x17))).toEqual([])
  })
})

describe('discounts', () => {
  const discount = (Amount: number) => charge(Amount, { ftChargeItemCase: word(0x4, 0x13) })
  const codes = (...amounts: number[]) =>
    codesOf({
      cbChargeItems: [charge(10), ...amounts.map(discount)],
      cbPayItems: [pay(10 + amounts.reduce((sum, one) => sum + one, 0))],
    })

  it.each([
    [[-10], []],
    [[-6, -4], []],
    [[5, -10], []],
    [[-11], ['DiscountExceedsArticleAmount cbChargeItems[1].Amount']],
    [[-6, -5], ['DiscountExceedsArticleAmount cbChargeItems[2].Amount']],
  ])('of %j on a position of 10', (amounts, found) => {
    expect(codes(...amounts)).toEqual(found)
  })
})

describe('always errors', () => {
  it('are currencies other than the one of the queue', () => {
    expect(codesOf({ Currency: 'EUR' })).toEqual([])
    expect(codesOf({ Currency: '' })).toEqual([])
    expect(
      codesOf({
        Currency: 'CHF',
        cbChargeItems: [charge(1, { Currency: 'USD' })],
        cbPayItems: [pay(1, { Currency: 'eur' })],
      }),
    ).toEqual([
      'OnlyEuroCurrencySupported cbChargeItems[0].Currency always',
      'OnlyEuroCurrencySupported Currency always',
    ])
  })

  it('are cases of another country', () => {
    const foreign = 0x4445_2000_0000_0001n
    expect(codesOf({ ftReceiptCase: foreign })).toEqual([
      'ReceiptCaseCountryMismatch ftReceiptCase always',
    ])
    expect(
      codesOf({
        cbChargeItems: [charge(1, { ftChargeItemCase: foreign })],
        cbPayItems: [pay(1, { ftPayItemCase: foreign })],
      }),
    ).toEqual([
      'ChargeItemCaseCountryMismatch cbChargeItems[0].ftChargeItemCase always',
      'PayItemCaseCountryMismatch cbPayItems[0].ftPayItemCase always',
    ])
  })
})

describe('CustomerRequiredForInvoice', () => {
  it.each([0x1000, 0x1001, 0x1002, 0x1003])('of the case %s', (code) => {
    const invoice = { ftReceiptCase: BigInt(code) }
    expect(codesOf(invoice)).toEqual(['CustomerRequiredForInvoice cbCustomer'])
    expect(codesOf({ ...invoice, cbCustomer: { CustomerName: 'A' } })).toEqual([])
  })
})
