import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Decimal } from '../../src/lib/decimal.js'
import { JsonObject, parseJson } from '../../src/lib/json.js'
import type { ReceiptResponse } from '../../src/model/receipt.js'
import { encodeResponse, type ResponseStyle } from '../../src/model/response-json.js'
import { decodeResponse } from '../../src/model/stored-texts.js'
import { chargeItems, payItems, signatures, wireText } from '../support/receipt-arbitraries.js'

const CAMEL = { wcfDates: false, pascal: false }

const written = (response: ReceiptResponse, style: ResponseStyle) =>
  encodeResponse(response, style).toString()

const plain: ReceiptResponse = {
  cashBoxId: '0e0af2cb-1a2b-4c3d-8e9f-001122334455',
  queueId: '1e0af2cb-1a2b-4c3d-8e9f-001122334455',
  queueItemId: '2e0af2cb-1a2b-4c3d-8e9f-001122334455',
  queueRow: 3n,
  terminalId: '1',
  receiptReference: 'r-1',
  cashBoxIdentification: 'fiskalwerk1',
  receiptIdentification: 'ft2#1',
  receiptMoment: new Date('2026-01-31T10:15:00.120Z'),
  receiptHeader: null,
  chargeItems: null,
  chargeLines: null,
  payItems: null,
  payLines: null,
  signatures: [{ format: 3n, type: 0x4154000000000001n, caption: '', data: '_R1-AT1_é"' }],
  receiptFooter: null,
  state: 0x4154000000000008n,
  stateData: null,
}

const nullable = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null })
const lines = nullable(fc.array(wireText(20), { maxLength: 3 }))
const word = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

const responses: fc.Arbitrary<ReceiptResponse> = fc.record({
  cashBoxId: fc.uuid(),
  queueId: fc.uuid(),
  queueItemId: fc.uuid(),
  queueRow: fc.bigInt({ min: 1n, max: 2n ** 53n }),
  terminalId: nullable(wireText(20)),
  receiptReference: nullable(wireText(20)),
  cashBoxIdentification: wireText(20),
  receiptIdentification: wireText(20),
  receiptMoment: fc.date({
    min: new Date('2000-01-01'),
    max: new Date('2100-01-01'),
    noInvalidDate: true,
  }),
  receiptHeader: lines,
  chargeItems: nullable(
    fc.array(
      chargeItems.map((part) => part.value),
      { maxLength: 2 },
    ),
  ),
  chargeLines: lines,
  payItems: nullable(
    fc.array(
      payItems.map((part) => part.value),
      { maxLength: 2 },
    ),
  ),
  payLines: lines,
  signatures: fc.array(signatures, { maxLength: 3 }),
  receiptFooter: lines,
  state: word,
  stateData: nullable(wireText(20)),
})

describe('an answer', () => {
  it('is read back as it was, in every style', () => {
    fc.assert(
      fc.property(responses, fc.boolean(), fc.boolean(), (response, wcfDates, pascal) => {
        const text = written(response, { wcfDates, pascal })
        expect(decodeResponse(text)).toEqual(response)
      }),
      { numRuns: 300 },
    )
  })

  it('is JSON for every reader', () => {
    fc.assert(
      fc.property(responses, (response) => {
        const read = JSON.parse(written(response, CAMEL)) as Record<string, unknown>
        expect(read.cbReceiptReference).toBe(response.receiptReference)
        expect(read.ftReceiptMoment).toSatisfy(
          (text: string) => Date.parse(text) === response.receiptMoment.getTime(),
        )
      }),
      { numRuns: 100 },
    )
  })

  it('looks like this', () => {
    expect(written(plain, CAMEL)).toBe(
      '{"ftCashBoxID":"0e0af2cb-1a2b-4c3d-8e9f-001122334455",' +
        '"ftQueueID":"1e0af2cb-1a2b-4c3d-8e9f-001122334455",' +
        '"ftQueueItemID":"2e0af2cb-1a2b-4c3d-8e9f-001122334455","ftQueueRow":3,' +
        '"cbTerminalID":"1","cbReceiptReference":"r-1",' +
        '"ftCashBoxIdentification":"fiskalwerk1","ftReceiptIdentification":"ft2#1",' +
        '"ftReceiptMoment":"2026-01-31T10:15:00.12Z","ftSignatures":[{"ftSignatureFormat":3,' +
        '"ftSignatureType":4707387510509010945,"caption":"","data":"_R1-AT1_é\\""}],' +
        '"ftState":4707387510509010952}',
    )
  })

  it('always has the eleven members that clients index directly', () => {
    const bare = { ...plain, terminalId: null, receiptReference: null, signatures: [] }
    const read = parseJson(written(bare, CAMEL))
    expect(read instanceof JsonObject ? read.names : []).toEqual([
      ...['ftCashBoxID', 'ftQueueID', 'ftQueueItemID', 'ftQueueRow', 'cbTerminalID'],
      ...['cbReceiptReference', 'ftCashBoxIdentification', 'ftReceiptIdentification'],
      ...['ftReceiptMoment', 'ftSignatures', 'ftState'],
    ])
  })

  it('has dates of the other form when asked to', () => {
    const text = written(plain, { wcfDates: true, pascal: false })
    expect(text).toContain('"ftReceiptMoment":"\\/Date(1769854500120)\\/"')
  })

  it('has nested names in lower camel, or Pascal when configured', () => {
    const item = {
      ...{
        position: 1n,
        quantity: Decimal.of('1.0'),
        description: 'x',
        amount: Decimal.of('5.50'),
      },
      ...{ payItemCase: 1n, payItemCaseData: null, accountNumber: null, costCenter: null },
      ...{ moneyGroup: null, moneyNumber: null, moment: new Date(0) },
    }
    const response = { ...plain, payItems: [item] }
    expect(written(response, CAMEL)).toContain(
      '"ftPayItems":[{"position":1,"quantity":1.0,"description":"x","amount":5.50,' +
        '"ftPayItemCase":1,"moment":"1970-01-01T00:00:00Z"}]',
    )
    const pascal = written(response, { wcfDates: false, pascal: true })
    expect(pascal).toContain('"ftPayItems":[{"Position":1,"Quantity":1.0,"Description":"x",')
    expect(pascal).toContain('"Caption":"","Data":"_R1-AT1_')
    expect(pascal).toContain('"ftState":')
  })
})
