// The hot sign paths read receipts with readers of their own. What the schema of the document takes
// they take, and what the schema refuses they refuse, but for the leniencies that are named here.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { middlewareTable } from '../../src/api/middleware/table.js'
import { possystemTable } from '../../src/api/possystem/table.js'
import { documentOf } from '../../src/api/shared/openapi/document.js'
import { FiscalError } from '../../src/errors.js'
import { JsonObject, parseJson } from '../../src/lib/json.js'
import { decodePosRequest } from '../../src/model/pos-request.js'
import { decodeRequest } from '../../src/model/receipt-json.js'
import { schemasOf } from '../support/document-schemas.js'

const HEAD = { title: '', description: '', version: '1', server: '/', credentials: {}, tags: {} }
const REQUEST = ['components', 'schemas', 'ReceiptRequest']

interface Side {
  name: string
  fits(value: unknown): boolean
  reads(text: string): boolean
  item: (name: string) => string
}

const fitting = (table: typeof possystemTable) => {
  const schemas = schemasOf(documentOf(HEAD, table, '3.1'))
  return (value: unknown) => schemas.faultsOf(REQUEST, value).length === 0
}

const SIDES: Side[] = [
  {
    name: 'the Middleware',
    fits: fitting(middlewareTable(false)),
    reads: (text) => {
      try {
        decodeRequest(text)
        return true
      } catch (error) {
        if (error instanceof FiscalError) return false
        throw error
      }
    },
    item: (name) => (name.startsWith('ft') ? name : name.charAt(0).toLowerCase() + name.slice(1)),
  },
  {
    name: 'the PosSystem API',
    fits: fitting(possystemTable),
    reads: (text) => {
      const root = parseJson(text)
      return root instanceof JsonObject && decodePosRequest(root).faults.length === 0
    },
    item: (name) => name,
  },
]

const moment = fc
  .date({ min: new Date('1950-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())
const word = fc.oneof(
  fc.bigInt(0n, 2n ** 63n - 1n).map((value) => `0x${value.toString(16)}`),
  fc.bigInt(0n, 2n ** 63n - 1n).map(String),
  fc.nat(),
)
const amount = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((cents) => cents / 100)
const text = fc.string({ unit: 'grapheme-ascii', maxLength: 40 })
const filled = text.filter((one) => one.trim() !== '')
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null })

/** What no schema takes, whatever stands there. */
const wrong = fc.constantFrom<unknown>(
  true,
  {},
  [[]],
  'x'.repeat(70_000),
  '\u0000',
  'no such thing',
)

function requestOf({ item }: Side): fc.Arbitrary<Record<string, unknown>> {
  const named = (members: Record<string, fc.Arbitrary<unknown>>) =>
    Object.fromEntries(Object.entries(members).map(([name, one]) => [item(name), one]))
  const common = {
    Quantity: amount,
    Description: maybe(text),
    Amount: amount,
    Position: maybe(fc.nat(1000)),
    AccountNumber: maybe(text),
    Moment: maybe(moment),
  }
  const charge = named({
    ...common,
    VATRate: fc.nat(99),
    ftChargeItemCase: maybe(word),
    VATAmount: maybe(amount),
  })
  const pay = named({ ...common, ftPayItemCase: maybe(word), MoneyGroup: maybe(text) })
  return fc.record(
    {
      cbReceiptReference: filled,
      cbReceiptMoment: moment,
      ftReceiptCase: word,
      cbChargeItems: fc.array(fc.record(charge, { requiredKeys: [] }), { maxLength: 3 }),
      cbPayItems: fc.array(fc.record(pay, { requiredKeys: [] }), { maxLength: 3 }),
      ftQueueID: maybe(fc.uuid()),
      ftCashBoxID: maybe(fc.uuid()),
      cbTerminalID: maybe(text),
      cbUser: maybe(text),
      cbReceiptAmount: maybe(amount),
      cbPreviousReceiptReference: maybe(text),
    },
    {
      requiredKeys: [
        ...(['cbReceiptReference', 'cbReceiptMoment', 'ftReceiptCase'] as const),
        ...(['cbChargeItems', 'cbPayItems'] as const),
      ],
    },
  )
}

describe.each(SIDES)('the reader of $name', (side) => {
  it('takes what the schema takes', () => {
    fc.assert(
      fc.property(requestOf(side), (request) => {
        expect(side.fits(request), JSON.stringify(request)).toBe(true)
        expect(side.reads(JSON.stringify(request)), JSON.stringify(request)).toBe(true)
      }),
    )
  })

  it('refuses what the schema refuses', () => {
    const spoiled = fc.tuple(requestOf(side), fc.nat(100), fc.oneof(wrong, fc.constant(undefined)))
    fc.assert(
      fc.property(spoiled, ([request, at, value]) => {
        const names = Object.keys(request)
        const name = names[at % names.length] ?? ''
        const changed = { ...request, [name]: value }
        const sent = JSON.parse(JSON.stringify(changed)) as unknown
        if (side.fits(sent)) return
        expect(side.reads(JSON.stringify(sent)), `${name}: ${JSON.stringify(value)}`).toBe(false)
      }),
    )
  })
})

describe('beyond its schema', () => {
  const sale = { cbReceiptReference: 'x', cbReceiptMoment: '2026-01-31T10:15:00Z' }
  const lists = { cbChargeItems: [], cbPayItems: [] }
  const [middleware, possystem] = SIDES as [Side, Side]

  it.each([
    ['a number where a text is wanted', { ftReceiptCase: 1, cbTerminalID: 1 }],
    ['an empty id', { ftReceiptCase: 1, ftQueueID: '' }],
    ['a date without offset, or of WCF', { ftReceiptCase: 1, cbReceiptMoment: '/Date(0)/' }],
  ])('the Middleware takes %s', (_name, more) => {
    const request = { ...sale, ...lists, ...more }
    expect([middleware.fits(request), middleware.reads(JSON.stringify(request))]).toEqual([
      false,
      true,
    ])
  })

  it.each([
    ['an empty id', { ftQueueID: '' }],
    ['a word with gaps', { ftReceiptCase: '0x4154_0000_0000_0001' }],
    ['a date without offset', { cbReceiptMoment: '2026-01-31T10:15:00' }],
  ])('the PosSystem API takes %s', (_name, more) => {
    const request = { ...sale, ...lists, ...more }
    expect([possystem.fits(request), possystem.reads(JSON.stringify(request))]).toEqual([
      false,
      true,
    ])
  })
})
