import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Decimal } from '../../src/lib/decimal.js'
import { JsonError } from '../../src/lib/json.js'
import type { ReceiptResponse } from '../../src/model/receipt.js'
import { decodeRequest } from '../../src/model/receipt-json.js'
import { encodeResponse } from '../../src/model/response-json.js'
import {
  decodeResponse,
  decodeStoredRequest,
  StoredTextError,
} from '../../src/model/stored-texts.js'

const text = fc.string({ unit: 'grapheme', maxLength: 20 })
const word = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const moment = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
})
const amount = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat(8))
  .map(([units, scale]) => new Decimal(units, scale))
const optionalText = fc.option(text)
const optionalAmount = fc.option(amount)

const bookkeeping = { accountNumber: optionalText, costCenter: optionalText }
const chargeItem = fc.record({
  position: word,
  quantity: amount,
  description: text,
  amount,
  vatRate: amount,
  chargeItemCase: word,
  chargeItemCaseData: optionalText,
  vatAmount: optionalAmount,
  ...bookkeeping,
  productGroup: optionalText,
  productNumber: optionalText,
  productBarcode: optionalText,
  unit: optionalText,
  unitQuantity: optionalAmount,
  unitPrice: optionalAmount,
  moment: fc.option(moment),
})
const payItem = fc.record({
  position: word,
  quantity: amount,
  description: text,
  amount,
  payItemCase: word,
  payItemCaseData: optionalText,
  ...bookkeeping,
  moneyGroup: optionalText,
  moneyNumber: optionalText,
  moment: fc.option(moment),
})
const lines = fc.option(fc.array(text, { maxLength: 3 }))
const response: fc.Arbitrary<ReceiptResponse> = fc.record({
  cashBoxId: fc.uuid(),
  queueId: fc.uuid(),
  queueItemId: fc.uuid(),
  queueRow: word,
  terminalId: optionalText,
  receiptReference: optionalText,
  cashBoxIdentification: text,
  receiptIdentification: text,
  receiptMoment: moment,
  receiptHeader: lines,
  chargeItems: fc.option(fc.array(chargeItem, { maxLength: 2 })),
  chargeLines: lines,
  payItems: fc.option(fc.array(payItem, { maxLength: 2 })),
  payLines: lines,
  signatures: fc.array(fc.record({ format: word, type: word, caption: text, data: text }), {
    maxLength: 3,
  }),
  receiptFooter: lines,
  state: word,
  stateData: optionalText,
})

describe('a stored response', () => {
  it('comes back as it was written, in every style', () => {
    fc.assert(
      fc.property(response, fc.boolean(), fc.boolean(), (value, wcfDates, pascal) => {
        expect(decodeResponse(encodeResponse(value, { wcfDates, pascal }).toString())).toEqual(
          value,
        )
      }),
    )
  })

  it('is read without regard to case, of several spellings the last', () => {
    const written =
      '{"FTCASHBOXID":"b","ftQueueId":"q","ftQueueItemId":"i","ftQueueRow":"7","unknown":{},' +
      '"ftCashBoxIdentification":"first","ftcashboxidentification":"K",' +
      '"ftReceiptIdentification":"",' +
      '"ftReceiptMoment":"2026-01-01T01:00:00+01:00","ftSignatures":null,' +
      '"ftState":4707422698889735918}'
    expect(decodeResponse(written)).toMatchObject({
      cashBoxId: 'b',
      queueId: 'q',
      queueRow: 7n,
      cashBoxIdentification: 'K',
      receiptMoment: new Date('2026-01-01T00:00:00Z'),
      signatures: [],
      state: 0x4154_2000_eeee_eeeen,
    })
  })

  it.each([
    ['a missing member', '{"ftState":1}'],
    ['no object', '[]'],
    ['signatures that are no array', '{"ftSignatures":{}}'],
  ])('with %s is refused', (_, written) => {
    expect(() => decodeResponse(written)).toThrow(StoredTextError)
  })

  it('that is no JSON is refused', () => {
    expect(() => decodeResponse('{')).toThrow(JsonError)
  })
})

describe('a stored request', () => {
  const request =
    '{"ftCashBoxID":"3D6A1A2C-0D53-4C44-9A0F-64AD5D7A9C11","cbTerminalId":"T",' +
    '"cbReceiptMoment":"\\/Date(1773478800500)\\/","cbPreviousReceiptID":"P-1",' +
    '"cbChargeItems":[{"quantity":"1","amount":"4.80","VATRate":1e1,' +
    '"ftChargeItemCase":"0x4154000000000001",' +
    '"Moment":"","VATAmount":null,"UnitPrice":0.0000000000000000000000000001}],' +
    '"cbPayItems":null,"ftReceiptCase":4707387510509010945,"cbArea":7,}'

  it('is read like the request when it came', () => {
    const { request: then } = decodeRequest(request)
    const now = decodeStoredRequest(request)
    expect({ ...now, cashBoxId: now.cashBoxId?.toLowerCase() }).toEqual(then)
  })

  it('may have empty amounts, which were read as missing ones when it came', () => {
    const empty = request.replace('"quantity":"1","amount":"4.80"', '"quantity":"","amount":null')
    expect(() => decodeRequest(empty)).toThrow('cbChargeItems[0].Quantity')
    const [item] = decodeStoredRequest(empty).chargeItems
    expect([item?.quantity.toShortString(), item?.amount.toShortString()]).toEqual(['1', '0'])
  })

  it('may be longer than a new one: limits are no reason to lose a receipt', () => {
    const user = 'x'.repeat(70_000)
    const long = request.replace('"cbArea":7,', `"cbUser":"${user}"`)
    expect(() => decodeRequest(long)).toThrow('cbUser')
    expect(decodeStoredRequest(long).user).toBe(user)
  })

  it('keeps objects in text members as their JSON text, numbers exact', () => {
    const object = '{"id":4707422694881099777,"a":[1.10,null]}'
    const written = request.replace('"cbArea":7,', `"cbUser":${object}`)
    expect(decodeStoredRequest(written).user).toBe(object)
  })
})
