import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FiscalError } from '../../src/errors.js'
import { Decimal } from '../../src/lib/decimal.js'
import type { ReceiptRequest } from '../../src/model/receipt.js'
import {
  chargeItemFields,
  type Field,
  payItemFields,
  requestFields,
} from '../../src/model/receipt-fields.js'
import { decodeRequest } from '../../src/model/receipt-json.js'
import { decodeStoredRequest } from '../../src/model/stored-texts.js'
import { requests } from '../support/receipt-arbitraries.js'

/** A request with its two required members and further ones as JSON text. */
function text(members = ''): string {
  const rest = members === '' ? '' : `,${members}`
  return `{"ftReceiptCase":4707387510509010945,"cbReceiptMoment":"2026-01-31T10:15:00Z"${rest}}`
}

function read(members: string): ReceiptRequest {
  return decodeRequest(text(members)).request
}

function refusal(json: string): FiscalError {
  try {
    decodeRequest(json)
  } catch (error) {
    if (error instanceof FiscalError) return error
    throw error
  }
  throw new Error(`read without complaint: ${json.slice(0, 200)}`)
}

describe('a request', () => {
  it('is read member by member, in any order, whatever is null or missing', () => {
    fc.assert(
      fc.property(requests, ({ json, value }) => {
        expect(decodeRequest(json).request).toEqual(value)
      }),
      { numRuns: 300 },
    )
  })

  it('is read from the store as it was read from the wire', () => {
    fc.assert(
      fc.property(requests, ({ json, value }) => {
        expect(decodeStoredRequest(json)).toEqual(value)
      }),
      { numRuns: 100 },
    )
  })
})

describe('names', () => {
  it.each([
    ['ftCashBoxID', 'ftCashboxId', 'FTCASHBOXID', 'ftcashboxid', 'ftCashBoxId'],
    ['ftPosSystemId', 'ftPosSystemID', 'ftpossystemid'],
    ['cbTerminalID', 'cbTerminalId', 'CbTerminalID'],
    ['cbPreviousReceiptReference', 'cbPreviousReceiptID', 'cbpreviousreceiptid'],
  ])('%s is read in every spelling', (...names) => {
    const id = '0e0af2cb-1a2b-4c3d-8e9f-001122334455'
    const found = names.map((name) => read(`"${name}":"${id}"`))
    for (const request of found) expect(request).toEqual(found[0])
    expect(Object.values(found[0] ?? {})).toContain(id)
  })

  it('nested ones are Pascal, camel or anything else', () => {
    for (const [amount, rate] of [
      ['Amount', 'VATRate'],
      ['amount', 'vatRate'],
      ['AMOUNT', 'vatrate'],
    ]) {
      const { chargeItems } = read(`"cbChargeItems":[{"${amount}":1.5,"${rate}":20}]`)
      expect(chargeItems[0]).toMatchObject({ amount: Decimal.of('1.5'), vatRate: Decimal.of('20') })
    }
  })

  it('unknown ones are ignored, doubled or not', () => {
    expect(read('"Foo":1,"Foo":{"cbUser":"x"},"ftChargeItems":7').user).toBeNull()
  })

  it('of several spellings the last one counts', () => {
    expect(read('"cbUser":"a","cbuser":"b"').user).toBe('b')
    expect(read('"cbUser":"a","CBUSER":null').user).toBeNull()
    expect(
      read('"cbChargeItems":[{"Amount":1,"amount":2,"AMOUNT":3}]').chargeItems[0]?.amount,
    ).toEqual(Decimal.of('3'))
  })

  it('the same spelling twice is refused, wherever it stands', () => {
    for (const [members, field] of [
      ['"cbUser":"a","cbUser":"a"', 'cbUser'],
      ['"cbUser":"a","cbuser":"b","cbUser":"c"', 'cbUser'],
      ['"cbUser":"a","cbuser":"b","cbuser":"c"', 'cbuser'],
      ['"x":1,"cbUser":"a","cbuser":"b","cbArea":"1","cbArea":"2"', 'cbArea'],
      ['"cbChargeItems":[{},{"Amount":1,"Amount":1}]', 'cbChargeItems[1].Amount'],
      ['"cbPayItems":[{"amount":1,"x":2,"amount":1}]', 'cbPayItems[0].amount'],
    ]) {
      expect(refusal(text(members))).toMatchObject({ code: 'FIELD_DOUBLED', field })
    }
  })

  // looking each spelling up among all the others would need minutes
  it('two hundred thousand spellings of one name are read in one pass', () => {
    const letters = [...'cbpreviousreceiptreference']
    const spelled = (turn: number) =>
      letters.map((letter, at) => ((turn >> at) & 1 ? letter.toUpperCase() : letter)).join('')
    const members = Array.from({ length: 200_000 }, (_, turn) => `"${spelled(turn)}":"${turn}"`)
    expect(read(members.join(',')).previousReceiptReference).toBe('199999')
  })
})

describe('64-bit numbers', () => {
  it.each([
    ['4707387510509010945', 4707387510509010945n],
    ['"4707387510509010945"', 4707387510509010945n],
    ['"5067112530745229313"', 5067112530745229313n],
    ['"0x4154000000000001"', 4707387510509010945n],
    ['"0X1"', undefined],
    ['"0xFFFFFFFFFFFFFFFF"', -1n],
    ['9223372036854775807', 9223372036854775807n],
    ['9223372036854775808', undefined],
    ['-9223372036854775808', -9223372036854775808n],
    ['-9223372036854775809', undefined],
    ['1e3', 1000n],
    ['4707387510509010945.0', 4707387510509010945n],
    ['1.5', undefined],
    ['1e-1', undefined],
    ['1e40', undefined],
    ['"1e3"', undefined],
    ['"1.0"', undefined],
    ['""', undefined],
    ['"abc"', undefined],
    ['"0x"', undefined],
    ['"0x11112222333344445"', undefined],
    ['true', undefined],
    ['[1]', undefined],
    ['{}', undefined],
  ])('ftReceiptCase %s', (json, value) => {
    const body = `{"ftReceiptCase":${json},"cbReceiptMoment":"2026-01-31T10:15:00Z"}`
    if (value === undefined) {
      expect(refusal(body)).toMatchObject({ code: 'FIELD_INVALID', field: 'ftReceiptCase' })
    } else {
      expect(decodeRequest(body).request.receiptCase).toBe(value)
    }
  })
})

describe('decimals', () => {
  it.each([
    ['2.0', '2.0'],
    ['4.5', '4.5'],
    ['10', '10'],
    ['"4.8"', '4.8'],
    ['" 4.8 "', '4.8'],
    ['-0.01', '-0.01'],
    ['1e2', '100'],
    ['0.1000000000000000055511151231', '0.1000000000000000055511151231'],
    ['""', undefined],
    ['" "', undefined],
    ['null', undefined],
    ['"4,8"', undefined],
    ['"1.000,00"', undefined],
    ['"NaN"', undefined],
    ['"0x10"', undefined],
    ['1e30', undefined],
    ['0.12345678901234567890123456789', undefined],
    ['true', undefined],
    ['{}', undefined],
  ])('Amount %s', (json, value) => {
    const members = `"cbChargeItems":[{"Amount":${json}}]`
    if (value === undefined) {
      const field = 'cbChargeItems[0].Amount'
      expect(refusal(text(members))).toMatchObject({ code: 'FIELD_INVALID', field })
    } else {
      expect(read(members).chargeItems[0]?.amount.toString()).toBe(value)
    }
  })

  const EMPTY = ['null', '""', '" "']
  it.each(
    ['Amount', 'amount', 'AMOUNT', 'Quantity', 'quantity', 'VATRate', 'vatRate'].flatMap((name) =>
      EMPTY.map((json) => [name, json] as const),
    ),
  )('%s %s is no 0 and no 1', (name, json) => {
    const member = /amount/i.test(name) ? 'Amount' : /q/i.test(name) ? 'Quantity' : 'VATRate'
    expect(refusal(text(`"cbChargeItems":[{},{"${name}":${json}}]`))).toMatchObject({
      code: 'FIELD_INVALID',
      field: `cbChargeItems[1].${member}`,
    })
    if (member === 'VATRate') return
    expect(refusal(text(`"cbPayItems":[{"${name}":${json}}]`))).toMatchObject({
      code: 'FIELD_INVALID',
      field: `cbPayItems[0].${member}`,
    })
  })

  it('stored receipts that were read as 0 before stay readable as 0', () => {
    const stored = text('"cbChargeItems":[{"Amount":null},{"Amount":"","Quantity":null}]')
    const amounts = decodeStoredRequest(stored).chargeItems.map(({ amount }) => amount)
    expect(amounts).toEqual([Decimal.ZERO, Decimal.ZERO])
  })

  it('VATAmount, UnitPrice, UnitQuantity and cbReceiptAmount may be null or empty', () => {
    const { chargeItems, receiptAmount } = read(
      '"cbReceiptAmount":"",' +
        '"cbChargeItems":[{"VATAmount":null,"UnitPrice":"","UnitQuantity":null}]',
    )
    expect(receiptAmount).toBeNull()
    expect(chargeItems[0]).toMatchObject({ vatAmount: null, unitPrice: null, unitQuantity: null })
  })
})

describe('dates', () => {
  const dated = (json: string) => `{"ftReceiptCase":1,"cbReceiptMoment":${json}}`

  it.each([
    '"\\/Date(1593452740505)\\/"',
    '"/Date(1593452740505)/"',
    '"/Date(1593452740505+0200)/"',
  ])('%s marks the request as one of that form', (json) => {
    const { request, wcfDates } = decodeRequest(dated(json))
    expect(request.receiptMoment.toISOString()).toBe('2020-06-29T17:45:40.505Z')
    expect(wcfDates).toBe(true)
  })

  it('a moment of an item marks it as well', () => {
    const item = '"cbChargeItems":[{"Moment":"\\/Date(0)\\/"}]'
    expect(decodeRequest(text(item)).wcfDates).toBe(true)
    expect(decodeRequest(text('"cbPayItems":[{"Moment":"\\/Date(0)\\/"}]')).wcfDates).toBe(true)
    expect(decodeRequest(text('"cbUser":"/Date(0)/"')).wcfDates).toBe(false)
  })

  it.each(['""', '"yesterday"', '1593452740505', 'true', '{}', '"2026-02-30T00:00:00Z"'])(
    'cbReceiptMoment %s is refused',
    (json) => {
      const expected = { code: 'FIELD_INVALID', field: 'cbReceiptMoment' }
      expect(refusal(dated(json))).toMatchObject(expected)
    },
  )
})

describe('what must be there', () => {
  it.each(['ftReceiptCase', 'cbReceiptMoment'])('%s missing or null is refused', (name) => {
    const rest = { ftReceiptCase: '1', cbReceiptMoment: '"2026-01-31T10:15:00Z"' }
    const pairs = Object.entries(rest).filter(([other]) => other !== name)
    const members = pairs.map(([other, json]) => `"${other}":${json}`).join(',')
    const expected = { code: 'FIELD_MISSING', field: name }
    expect(refusal(`{${members}}`)).toMatchObject(expected)
    expect(refusal(`{${members},"${name}":null}`)).toMatchObject(expected)
  })

  it.each(['', ' ', '\r\n\t'])('a body of %j is missing', (body) => {
    expect(refusal(body).code).toBe('BODY_MISSING')
  })

  it.each(['null', '1', '"x"', '[]', 'true', '{', 'NaN', '{"ftReceiptCase":1}}'])(
    'the body %s is malformed',
    (body) => {
      expect(refusal(body).code).toBe('BODY_MALFORMED')
    },
  )

  it('empty, null and missing lists are the same', () => {
    for (const members of ['', '"cbChargeItems":null', '"cbChargeItems":[]']) {
      expect(read(members).chargeItems).toEqual([])
    }
  })

  it('an empty GUID is none', () => {
    const { cashBoxId, queueId } = read('"ftCashBoxID":"","ftQueueID":""')
    expect([cashBoxId, queueId]).toEqual([null, null])
  })

  it('the id of a POS system is a text: not every register has a GUID there', () => {
    expect(read('"ftPosSystemId":"Kasse 7"').posSystemId).toBe('Kasse 7')
  })
})

type AnyField = Field<never>

/** Every member of a request, where it stands and its longest text. */
const everyMember: [string, AnyField, (json: string) => string][] = [
  ...(requestFields as readonly AnyField[]).map(
    (field): [string, AnyField, (json: string) => string] => [
      field.name,
      field,
      (json) => {
        const rest = ['"ftReceiptCase":1', '"cbReceiptMoment":"2026-01-31T10:15:00Z"']
        const others = rest.filter((one) => !one.includes(field.name))
        return `{${[...others, `"${field.name}":${json}`]}}`
      },
    ],
  ),
  ...(chargeItemFields as readonly AnyField[]).map(
    (field): [string, AnyField, (json: string) => string] => [
      `cbChargeItems[1].${field.name}`,
      field,
      (json) => text(`"cbChargeItems":[{},{"${field.name}":${json}}]`),
    ],
  ),
  ...(payItemFields as readonly AnyField[]).map(
    (field): [string, AnyField, (json: string) => string] => [
      `cbPayItems[0].${field.name}`,
      field,
      (json) => text(`"cbPayItems":[{"${field.name}":${json}}]`),
    ],
  ),
]

const WRONG: Record<AnyField['kind'], string[]> = {
  guid: ['1', 'true', '{}', '[]', '"x"', '"{0e0af2cb-1a2b-4c3d-8e9f-001122334455}"'],
  text: ['true', 'false', '{}', '[]', '[""]'],
  decimal: ['true', '{}', '[]', '"x"', '"1,0"'],
  int64: ['true', '{}', '[]', '"x"', '1.5', '"1.5"', '9223372036854775808'],
  moment: ['1', 'true', '{}', '[]', '"x"'],
  chargeItems: ['1', '"x"', '{}', 'true', '[1]', '[null]', '[[]]', '["x"]'],
  payItems: ['1', '"x"', '{}', 'true', '[1]', '[null]', '[[]]', '["x"]'],
  texts: [],
  signatures: [],
}

describe('every member of a wrong type is refused by name', () => {
  it.each(everyMember)('%s', (path, field, bodyWith) => {
    for (const json of WRONG[field.kind]) {
      const found = refusal(bodyWith(json))
      expect(found.code, json).toBe('FIELD_INVALID')
      expect(found.field?.replace(/^(cb(Charge|Pay)Items)\[0\]$/, '$1'), json).toBe(path)
    }
    expect(refusal(bodyWith('NaN'))).toMatchObject({ code: 'BODY_MALFORMED', field: path })
  })
})

describe('texts', () => {
  const texts = everyMember.filter(([, field]) => field.kind === 'text')

  it.each(texts)('%s is taken up to its limit and refused beyond', (path, field, bodyWith) => {
    const max = field.max ?? 0
    expect([1023, 64_000]).toContain(max)
    for (const letter of ['x', 'ß', '🌍']) {
      expect(decodeRequest(bodyWith(JSON.stringify(letter.repeat(max)))).wcfDates).toBe(false)
      const found = refusal(bodyWith(JSON.stringify(letter.repeat(max + 1))))
      expect(found).toMatchObject({ code: 'FIELD_INVALID', field: path })
      expect(found.message).toContain(String(max))
    }
  })

  it.each(texts)('%s: a number is kept as its text', (_path, field, bodyWith) => {
    const { request } = decodeRequest(bodyWith('12.50'))
    const item = request.chargeItems[1] ?? request.payItems[0] ?? request
    expect(Reflect.get(item, field.key)).toBe('12.50')
  })

  it.each(texts)('%s: control characters are refused', (path, _field, bodyWith) => {
    for (const json of ['"a\\u0000"', '"\\u001b[0m"', '"\\b"', '"\\ud800"', '"a\u0007"']) {
      expect(refusal(bodyWith(json))).toMatchObject({ code: 'BODY_MALFORMED', field: path })
    }
    expect(decodeRequest(bodyWith('"a\\tb\\r\\nc"')).wcfDates).toBe(false)
  })
})

describe('items', () => {
  it('ten thousand of a kind are read, one more is refused', () => {
    const items = (count: number) => `"cbPayItems":[${new Array(count).fill('{}').join(',')}]`
    expect(read(items(10_000)).payItems).toHaveLength(10_000)
    expect(refusal(text(items(10_001)))).toMatchObject({ field: 'cbPayItems' })
  })

  it('missing members have the defaults of the contract', () => {
    const { chargeItems, payItems } = read('"cbChargeItems":[{}],"cbPayItems":[{}]')
    const defaults = { quantity: Decimal.of('1'), amount: Decimal.ZERO, position: 0n }
    expect(chargeItems[0]).toMatchObject({ ...defaults, vatRate: Decimal.ZERO, vatAmount: null })
    expect(payItems[0]).toMatchObject({ ...defaults, moment: null, payItemCase: 0n })
  })
})
