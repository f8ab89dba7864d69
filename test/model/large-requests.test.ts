// A receipt of a thousand items, read in pieces: the same request, the same refusal, and of
// several faults the same one first.
import { describe, expect, it } from 'vitest'
import { FiscalError } from '../../src/errors.js'
import { type JsonObject, parseJson } from '../../src/lib/json.js'
import { decodePosRequest, decodePosRequestInSlices } from '../../src/model/pos-request.js'
import {
  decodeAnyRequest,
  decodeObjectInSlices,
  decodeRequestInSlices,
  decodeRequestObject,
} from '../../src/model/receipt-json.js'

const ITEMS = 1000

interface Wanted {
  /** By place. */
  charges?: Record<number, string>
  pays?: Record<number, string>
  /** Members in front of the lists, and behind them. */
  front?: string
  back?: string
}

const CHARGE = '{"Quantity":1,"Description":"a","Amount":1,"VATRate":20}'

function receipt({ charges = {}, pays = {}, front = '', back = '' }: Wanted): string {
  const list = (own: Record<number, string>, usual: string) =>
    Array.from({ length: ITEMS }, (_, at) => own[at] ?? usual).join(',')
  return (
    `{${front}"cbReceiptReference":"r","cbReceiptMoment":"2026-01-31T10:15:00Z",` +
    `"cbChargeItems":[${list(charges, CHARGE)}],` +
    `"cbPayItems":[${list(pays, '{"Quantity":1,"Description":"b","Amount":1.10}')}],` +
    `"ftReceiptCase":4707387510509010945${back}}`
  )
}

const CASES: Record<string, Wanted> = {
  plain: {},
  'a wrong item': { charges: { 700: '{"Amount":"x"}' } },
  'items in both lists': { pays: { 1: '{"Amount":"x"}' }, charges: { 999: '{"Amount":[]}' } },
  'no item': { charges: { 70: '7' } },
  'a member and an item': { charges: { 5: '{"Amount":"x"}' }, front: '"cbReceiptMoment":"x",' },
  'a member behind': { pays: { 5: '{"Amount":"x"}' }, back: ',"cbReceiptAmount":"x"' },
  'a date of the older form': { charges: { 9: '{"Moment":"/Date(1700000000000)/","Amount":1}' } },
  'currencies and faults': {
    charges: { 9: '{"Currency":"USD","Amount":1}', 11: '{"Currency":7}' },
    back: ',"Currency":"CHF"',
  },
  'more faults than are told': {
    charges: Object.fromEntries(Array.from({ length: 300 }, (_, at) => [at, '{"Amount":"x"}'])),
    back: ',"cbReceiptAmount":"x"',
  },
  'another spelling of a list': { front: `"CBCHARGEITEMS":[${'{"Amount":"x"},'.repeat(99)}{}],` },
}

const plain = (value: unknown): string =>
  JSON.stringify(value, (_name, one: unknown) => (typeof one === 'bigint' ? `${one}n` : one))

async function told(read: () => unknown): Promise<string> {
  try {
    return plain(await read())
  } catch (error) {
    if (error instanceof FiscalError) return plain([error.code, error.details])
    throw error
  }
}

describe.each(Object.entries(CASES))('%s', (_what, wanted) => {
  const text = receipt(wanted)
  const root = () => parseJson(text) as JsonObject

  it('is read in pieces as at once by versions 0 and 1', async () => {
    const sliced = await told(() => decodeRequestInSlices(text))
    expect(sliced).toBe(await told(() => decodeAnyRequest(text)))
    expect(await told(() => decodeObjectInSlices(root()))).toBe(
      await told(() => decodeRequestObject(root())),
    )
  })

  it('is read in pieces as at once by version 2', async () => {
    const sliced = await told(() => decodePosRequestInSlices(root()))
    expect(sliced).toBe(await told(() => decodePosRequest(root())))
  })
})

describe('a JSON body', () => {
  /** So many: the object, the list, and the numbers. */
  const withValues = (count: number) => `{"x":[${'1,'.repeat(count - 3)}1]}`
  const codeOf = async (text: string) =>
    JSON.parse(await told(() => decodeRequestInSlices(text))) as [string, { reason?: string }]

  it('has 250,000 values at most', async () => {
    expect((await codeOf(withValues(250_000)))[0]).toBe('FIELD_MISSING')
    const [code, details] = await codeOf(withValues(250_001))
    expect(code).toBe('BODY_MALFORMED')
    expect(details.reason).toContain('more than 250000 values')
  })
})
