import { describe, expect, it } from 'vitest'
import { responseTree } from '../../src/model/receipt-xml.js'
import { decodeResponse } from '../../src/model/stored-texts.js'

const BASE =
  '"ftCashBoxID":"b","ftQueueID":"q","ftQueueItemID":"i","ftQueueRow":1,"ftState":0,' +
  '"ftCashBoxIdentification":"K","ftReceiptIdentification":"ft0#",' +
  '"ftReceiptMoment":"2026-01-01T00:00:00Z"'

describe('the data contract form of a response', () => {
  it('has string arrays in the namespace of serialised arrays', () => {
    const tree = responseTree(decodeResponse(`{${BASE},"ftReceiptHeader":["a","<b>"]}`))
    expect(tree.ftReceiptHeader).toEqual({
      '@xmlns:b': 'http://schemas.microsoft.com/2003/10/Serialization/Arrays',
      'b:string': ['a', '<b>'],
    })
  })

  it('keeps the order of the interface, whatever the order of the text', () => {
    const items = '"ftPayItems":[{"ftPayItemCase":1,"Description":"p"}],"ftChargeItems":[]'
    const tree = responseTree(decodeResponse(`{"ftReceiptFooter":[],${items},${BASE}}`))
    expect(Object.keys(tree)).toEqual([
      ...['@xmlns', 'ftCashBoxID', 'ftQueueID', 'ftQueueItemID', 'ftQueueRow', 'cbTerminalID'],
      ...['cbReceiptReference', 'ftCashBoxIdentification', 'ftReceiptIdentification'],
      ...['ftReceiptMoment', 'ftChargeItems', 'ftPayItems', 'ftSignatures', 'ftReceiptFooter'],
      'ftState',
    ])
    expect(tree.ftPayItems).toEqual({
      PayItem: [{ Quantity: '1', Description: 'p', Amount: '0', ftPayItemCase: '1' }],
    })
  })
})
