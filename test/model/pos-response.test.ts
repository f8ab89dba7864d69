import { describe, expect, it } from 'vitest'
import { encodePosResponse, withMember } from '../../src/model/pos-response.js'
import type { ReceiptResponse } from '../../src/model/receipt.js'

const response = (more: Partial<ReceiptResponse> = {}): ReceiptResponse => ({
  cashBoxId: 'box',
  queueId: 'queue',
  queueItemId: 'item',
  queueRow: 17n,
  terminalId: 'T1',
  receiptReference: '2026-000017',
  cashBoxIdentification: 'at-demo-1',
  receiptIdentification: 'ft10#17',
  receiptMoment: new Date('2026-01-30T09:15:01.120Z'),
  receiptHeader: null,
  chargeItems: null,
  chargeLines: null,
  payItems: null,
  payLines: null,
  signatures: [],
  receiptFooter: null,
  state: 4707422694881099776n,
  stateData: null,
  ...more,
})

describe('a response of version 2', () => {
  it('has the members of the interface and nothing that is empty', () => {
    const signatures = [{ format: 3n, type: 4707422694881099777n, caption: '', data: '_R1' }]
    expect(encodePosResponse(response({ signatures }))).toBe(
      '{"ftQueueID":"queue","ftQueueItemID":"item","ftQueueRow":17,' +
        '"ftCashBoxIdentification":"at-demo-1","ftCashBoxID":"box","cbTerminalID":"T1",' +
        '"cbReceiptReference":"2026-000017","ftReceiptIdentification":"ft10#17",' +
        '"ftReceiptMoment":"2026-01-30T09:15:01.120Z","ftSignatures":[{"ftSignatureFormat":3,' +
        '"ftSignatureType":4707422694881099777,"Caption":"","Data":"_R1"}],' +
        '"ftState":4707422694881099776}',
    )
  })

  it('shows an empty list of signatures, and no terminal where none was named', () => {
    const text = encodePosResponse(response({ terminalId: null, receiptHeader: [] }))
    expect(text).toContain('"ftSignatures":[]')
    expect(text).not.toContain('cbTerminalID')
    expect(text).not.toContain('ftReceiptHeader')
  })

  it('writes whole seconds with three digits', () => {
    const text = encodePosResponse(response({ receiptMoment: new Date('2026-01-30T09:15:01Z') }))
    expect(text).toContain('"ftReceiptMoment":"2026-01-30T09:15:01.000Z"')
  })

  it('escapes no umlaut', () => {
    expect(encodePosResponse(response({ receiptReference: 'Süß"€' }))).toContain('"Süß\\"€"')
  })

  it('has lines before and behind the items', () => {
    const text = encodePosResponse(
      response({ receiptHeader: ['a'], chargeLines: ['b'], payLines: ['c'], receiptFooter: ['d'] }),
    )
    expect(text).toContain(
      '"ftReceiptHeader":["a"],"ftChargeLines":["b"],"ftPayLines":["c"],"ftSignatures":[],' +
        '"ftReceiptFooter":["d"],"ftState":',
    )
  })

  it.each([
    ['{"AT":{"Number":7}}', '"ftStateData":{"AT":{"Number":7}}'],
    ['plain', '"ftStateData":"plain"'],
    ['{broken', '"ftStateData":"{broken"'],
  ])('state data %j', (stateData, member) => {
    expect(encodePosResponse(response({ stateData }))).toContain(member)
  })
})

describe('a further member of the state data', () => {
  it.each([
    [null, '{"x":[1]}'],
    ['{}', '{"x":[1]}'],
    ['{"a":4707422694881099777}', '{"a":4707422694881099777,"x":[1]}'],
    ['opaque', '{"x":[1]}'],
  ])('beside %j', (stateData, text) => {
    expect(withMember(stateData, 'x', [1])).toBe(text)
  })
})
