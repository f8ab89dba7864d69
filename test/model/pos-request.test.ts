import { describe, expect, it } from 'vitest'
import { JsonObject, parseJson } from '../../src/lib/json.js'
import { type DecodedPosRequest, decodePosRequest } from '../../src/model/pos-request.js'

function decode(members: string): DecodedPosRequest {
  const root = parseJson(`{${members}}`)
  if (!(root instanceof JsonObject)) throw new Error('no object')
  return decodePosRequest(root)
}

const HEAD = '"cbReceiptReference":"r","cbReceiptMoment":"2026-01-30T09:15:00Z"'
const LISTS = '"cbChargeItems":[],"cbPayItems":[]'
const BASE = `${HEAD},${LISTS}`

const charge = (members: string) => decode(`${HEAD},"cbChargeItems":[{${members}}],"cbPayItems":[]`)
const firstCharge = (members: string) => {
  const { request, faults } = charge(members)
  expect(faults).toEqual([])
  const [item] = request.chargeItems
  if (item === undefined) throw new Error('no item')
  return item
}
const pathsOf = ({ faults }: DecodedPosRequest) => faults.map(({ path }) => path)

describe('names of members', () => {
  it('are read in any case, and unknown ones are passed over', () => {
    const { request, faults } = decode(
      '"CBRECEIPTREFERENCE":"r","cbreceiptmoment":"2026-01-30T09:15:00Z",' +
        '"cbchargeitems":[{"AMOUNT":1,"vatrate":20}],"cbPayItems":[],"nobody":{"a":[1]}',
    )
    expect(faults).toEqual([])
    expect(request.receiptReference).toBe('r')
    expect(request.chargeItems[0]?.amount.toString()).toBe('1')
  })

  const ID = '0f8fad5b-d9cb-469f-a165-70867728950e'
  it.each([
    `"ftChargeItemID":"${ID}"`,
    `"ftChargeItemId":"${ID}"`,
    `"ftChargeItemId":"","ftChargeItemID":"${ID}"`,
    `"ftChargeItemId":null,"ftChargeItemID":"${ID}"`,
    `"ftChargeItemID":"${ID}","ftChargeItemId":"11111111-d9cb-469f-a165-70867728950e"`,
  ])('of %s the first that is not empty counts', (members) => {
    expect(firstCharge(members).itemId).toBe(ID)
  })
})

describe('case words', () => {
  it.each([
    '4707422694881107985',
    '"4707422694881107985"',
    '"0x4154200000002011"',
    '"0x4154_2000_0000_2011"',
  ])('%s are equal', (text) => {
    const { request, faults } = decode(`${BASE},"ftReceiptCase":${text}`)
    expect(faults).toEqual([])
    expect(request.receiptCase).toBe(4707422694881107985n)
  })

  it('keep the last digits that a double loses', () => {
    expect(decode(`${BASE},"ftReceiptCase":4707422694881099777`).request.receiptCase).toBe(
      4707422694881099777n,
    )
  })

  it.each([
    '4.7E18',
    '1.0',
    '1e3',
    '-1',
    '18446744073709551616',
    '"4.7E18"',
    '"0x"',
    '"0x10000000000000000"',
    '"47_07"',
    'true',
    '{}',
    '[1]',
  ])('%s are refused', (text) => {
    expect(pathsOf(decode(`${BASE},"ftReceiptCase":${text}`))).toEqual(['ftReceiptCase'])
  })

  it.each(['', ',"ftReceiptCase":null', ',"ftReceiptCase":0', ',"ftReceiptCase":""'])(
    'missing as in %j are 0',
    (members) => {
      expect(decode(`${BASE}${members}`).request.receiptCase).toBe(0n)
    },
  )
})

describe('required members', () => {
  it('are all named at once', () => {
    const { faults } = decode('')
    expect(faults.map(({ path, isMissing }) => [path, isMissing])).toEqual([
      ['cbReceiptReference', true],
      ['cbReceiptMoment', true],
      ['cbChargeItems', true],
      ['cbPayItems', true],
    ])
  })

  it.each(['""', '"  "'])('the reference %s is blank', (text) => {
    const members = `"cbReceiptReference":${text},"cbReceiptMoment":"2026-01-30T09:15:00Z",${LISTS}`
    expect(pathsOf(decode(members))).toEqual(['cbReceiptReference'])
  })

  it('lists of null are empty, and it is noted', () => {
    const { request, facts, faults } = decode(`${HEAD},"cbChargeItems":null,"cbPayItems":null`)
    expect(faults).toEqual([])
    expect([request.chargeItems, request.payItems]).toEqual([[], []])
    expect(facts.nullLists).toEqual(['cbChargeItems', 'cbPayItems'])
  })

  it('every wrong item is named with its place', () => {
    const found = decode(
      `${HEAD},"cbChargeItems":[{"Amount":"1"},7,{"Quantity":[]}],"cbPayItems":[{"Moment":"x"}]`,
    )
    expect(pathsOf(found)).toEqual([
      'cbChargeItems[0].Amount',
      'cbChargeItems[1]',
      'cbChargeItems[2].Quantity',
      'cbPayItems[0].Moment',
    ])
  })
})

describe('what the published client leaves out', () => {
  it('is one piece of nothing for nothing', () => {
    const item = firstCharge('')
    expect(item.quantity.toString()).toBe('1')
    expect(item.amount.isZero && item.vatRate.isZero).toBe(true)
    expect(item.description).toBe('')
    expect([item.moment, item.vatAmount, item.exactPosition]).toEqual([null, null, null])
  })
})

describe('texts', () => {
  const long = (length: number) => JSON.stringify('x'.repeat(length))

  it.each(['cbTerminalID', 'cbReceiptReference', 'Currency'])('%s has at most 1023', (name) => {
    const members = (length: number) =>
      name === 'cbReceiptReference'
        ? `"cbReceiptReference":${long(length)},"cbReceiptMoment":"2026-01-30T09:15:00Z",${LISTS}`
        : `${BASE},"${name}":${long(length)}`
    expect(pathsOf(decode(members(1023)))).toEqual([])
    expect(pathsOf(decode(members(1024)))).toEqual([name])
  })

  it('are counted in UTF-16 code units', () => {
    expect(pathsOf(charge(`"Description":${JSON.stringify('😀'.repeat(512))}`))).toEqual([
      'cbChargeItems[0].Description',
    ])
  })

  it.each(['\\u0000', '\\u001b', '\\u0007', '\\ud800'])('with %s are refused', (sign) => {
    expect(pathsOf(decode(`${BASE},"cbTerminalID":"a${sign}b"`))).toEqual(['cbTerminalID'])
  })

  it.each(['\\t', '\\r', '\\n', 'ä', '\\ud83d\\ude00'])('with %s are taken', (text) => {
    expect(pathsOf(decode(`${BASE},"cbTerminalID":"a${text}b"`))).toEqual([])
  })

  it('of free data have no limit of their own', () => {
    const { request, faults } = decode(`${BASE},"cbUser":${long(5000)}`)
    expect(faults).toEqual([])
    expect(request.user).toHaveLength(5000)
  })
})

describe('free data', () => {
  it.each([
    ['{"a":[1,"x"],"n":4707422694881099777}', '{"a":[1,"x"],"n":4707422694881099777}'],
    ['"{\\"a\\":1}"', '{"a":1}'],
    ['"Admin"', 'Admin'],
    ['[1.50]', '[1.50]'],
    ['7', '7'],
    ['""', null],
    ['null', null],
  ])('%s is kept as text', (json, text) => {
    const { request } = decode(`${BASE},"cbUser":${json},"ftReceiptCaseData":${json}`)
    expect([request.user, request.receiptCaseData]).toEqual([text, text])
  })
})

describe('decimals', () => {
  it.each(['7.60', '-0.5', '0', '1e2', '1234567890123456789012345678'])('%s is exact', (text) => {
    expect(Number(firstCharge(`"Amount":${text}`).amount.toString())).toBe(Number(text))
  })

  it.each(['12345678901234567890123456789', '"7.6"', 'true'])('%s is refused', (text) => {
    expect(pathsOf(charge(`"Amount":${text}`))).toEqual(['cbChargeItems[0].Amount'])
  })

  it('are divided by the multiplier of their own object', () => {
    const { request, faults } = decode(
      `${HEAD},"DecimalPrecisionMultiplier":100,"cbReceiptAmount":380,` +
        '"cbChargeItems":[{"DecimalPrecisionMultiplier":100,"Quantity":200,"VATRate":2000,' +
        '"Amount":380,"VATAmount":63,"Position":100,"UnitQuantity":200,"UnitPrice":190},' +
        '{"Amount":380}],"cbPayItems":[{"DecimalPrecisionMultiplier":10000,"Amount":38000}]',
    )
    expect(faults).toEqual([])
    expect(request.receiptAmount?.toString()).toBe('3.80')
    const [scaled, own] = request.chargeItems
    const { quantity, vatRate, amount, vatAmount, unitQuantity, unitPrice, position } = scaled ?? {}
    const texts = [quantity, vatRate, amount, vatAmount, unitQuantity, unitPrice].map(String)
    expect(texts).toEqual(['2.00', '20.00', '3.80', '0.63', '2.00', '1.90'])
    expect(position).toBe(1n)
    expect(String(own?.amount)).toBe('380')
    expect(String(request.payItems[0]?.amount)).toBe('3.8000')
    expect(String(request.payItems[0]?.quantity)).toBe('1')
  })

  it.each(['0', '1'])('the multiplier %s changes nothing', (text) => {
    const item = firstCharge(`"DecimalPrecisionMultiplier":${text},"Amount":1.5`)
    expect(String(item.amount)).toBe('1.5')
  })

  it.each(['10', '1000', '-100', '"100"', '1e2'])('the multiplier %s is refused', (text) => {
    expect(pathsOf(charge(`"DecimalPrecisionMultiplier":${text}`))).toEqual([
      'cbChargeItems[0].DecimalPrecisionMultiplier',
    ])
  })

  it('a fraction beside a multiplier is refused', () => {
    expect(pathsOf(charge('"DecimalPrecisionMultiplier":100,"Amount":3.8'))).toEqual([
      'cbChargeItems[0].Amount',
    ])
  })

  it('a position keeps its fraction', () => {
    const item = firstCharge('"Position":2.5')
    expect([item.position, String(item.exactPosition)]).toEqual([2n, '2.5'])
  })
})

describe('dates', () => {
  it.each([
    ['2026-01-30T10:15:00.1234567+01:00', '2026-01-30T09:15:00.123Z'],
    ['2026-01-30T09:15:00.1234567Z', '2026-01-30T09:15:00.123Z'],
    ['2026-01-30T09:15:00', '2026-01-30T09:15:00.000Z'],
    ['2026-01-30T09:15:00Z', '2026-01-30T09:15:00.000Z'],
  ])('%s is %s', (text, iso) => {
    expect(firstCharge(`"Moment":"${text}"`).moment?.toISOString()).toBe(iso)
  })

  it.each(['0001-01-01T00:00:00', '0001-01-01T00:00:00+01:00', '1899-12-31T23:59:59Z', ''])(
    '%j is no date at all',
    (text) => {
      expect(firstCharge(`"Moment":"${text}"`).moment).toBeNull()
      const members = `"cbReceiptReference":"r","cbReceiptMoment":"${text}",${LISTS}`
      expect(decode(members).faults).toMatchObject([{ path: 'cbReceiptMoment', isMissing: true }])
    },
  )

  it.each(['yesterday', '/Date(1)/', '2026-02-30T00:00:00Z'])('%s is refused', (text) => {
    expect(pathsOf(charge(`"Moment":"${text}"`))).toEqual(['cbChargeItems[0].Moment'])
  })
})

describe('ids', () => {
  it.each(['ftQueueID', 'ftCashBoxID'])('an empty %s is none', (name) => {
    expect(decode(`${BASE},"${name}":""`).faults).toEqual([])
    expect(pathsOf(decode(`${BASE},"${name}":"x"`))).toEqual([name])
  })
})

describe('earlier receipts', () => {
  it.each([
    ['"a"', ['a'], 'a', false],
    ['["a","b"]', ['a', 'b'], '["a","b"]', true],
    ['["a",""]', ['a'], '["a"]', true],
    ['""', [], null, false],
    ['[]', [], null, true],
    ['null', [], null, false],
  ])('%s are %j', (json, list, text, isGroup) => {
    const { request, facts } = decode(`${BASE},"cbPreviousReceiptReference":${json}`)
    expect(facts.references).toEqual(list)
    expect(request.previousReceiptReference).toBe(text)
    expect(facts.isGroup).toBe(isGroup)
  })

  it.each(['7', '[7]', '{}', `"${'x'.repeat(1024)}"`])('%s are refused', (json) => {
    expect(pathsOf(decode(`${BASE},"cbPreviousReceiptReference":${json}`))).toEqual([
      'cbPreviousReceiptReference',
    ])
  })
})
