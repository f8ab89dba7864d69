// The pair of request and response as a register sends it to be published: what must be in it, and
// whether it says the same as the stored one.
import { fail } from '../../errors.js'
import { Decimal } from '../../lib/decimal.js'
import { isUuid } from '../../lib/id.js'
import { JsonObject } from '../../lib/json.js'
import { bodyObjectInSlices } from '../../model/body-json.js'
import {
  decimalIn,
  memberOf,
  momentIn,
  objectsIn,
  textIn,
  wordIn,
} from '../../model/json-members.js'

export interface GivenPair {
  request: JsonObject
  response: JsonObject
  queueId: string
  queueItemId: string
}

/** What /sign takes may be nested 64 levels deep, and stands one level deeper here. */
export const PAIR_DEPTH = 65

/** Reads and checks a body. Throws FiscalError (kind invalid) that names the member. */
export async function readPair(bodyText: string, cashBoxId: string): Promise<GivenPair> {
  const body = await parseBody(bodyText)
  const request = objectOf(body, 'ReceiptRequest')
  const response = objectOf(body, 'ReceiptResponse')
  const queueId = idOf(response, 'ftQueueID')
  const queueItemId = idOf(response, 'ftQueueItemID')
  checkCashBox(request, 'ReceiptRequest', cashBoxId)
  checkCashBox(response, 'ReceiptResponse', cashBoxId)
  checkState(response)
  checkLengths(request, response)
  return { request, response, queueId, queueItemId }
}

/** Twice as many as a request may have: both halves may be as large. */
const MOST_VALUES = 500_000

async function parseBody(text: string): Promise<JsonObject> {
  if (text.trim() === '') throw fail('BODY_MISSING', { expected: EXPECTED })
  const options = { depth: PAIR_DEPTH, values: MOST_VALUES }
  return bodyObjectInSlices(text, `expected ${EXPECTED}`, options)
}

const EXPECTED = '{"ReceiptRequest":{…},"ReceiptResponse":{…}}'

function objectOf(body: JsonObject, name: string): JsonObject {
  const value = memberOf(body, name)
  if (value instanceof JsonObject) return value
  const code = value === undefined ? 'FIELD_MISSING' : 'FIELD_INVALID'
  throw fail(code, { field: name, expected: 'the object that /sign took or gave' })
}

function idOf(response: JsonObject, name: string): string {
  const text = textIn(response, name)
  if (isUuid(text)) return text.toLowerCase()
  const missing = text === '' && typeof (memberOf(response, name) ?? '') === 'string'
  const field = `ReceiptResponse.${name}`
  throw fail(missing ? 'FIELD_MISSING' : 'FIELD_INVALID', { field, expected: 'a uuid' })
}

function checkCashBox(object: JsonObject, place: string, cashBoxId: string): void {
  const given = memberOf(object, 'ftCashBoxID') ?? ''
  if (given === '') return
  if (typeof given === 'string' && given.toLowerCase() === cashBoxId) return
  const expected = 'the CashBox of the header x-cashbox-id'
  throw fail('FIELD_INVALID', { field: `${place}.ftCashBoxID`, expected })
}

const LISTS = {
  ReceiptRequest: ['cbChargeItems', 'cbPayItems'],
  ReceiptResponse: ['ftChargeItems', 'ftPayItems', 'ftSignatures'],
} as const

/** As many as a receipt has that is signed here. */
const MOST_ITEMS = 10_000

/** What costs two bytes to send would cost a hundred to show. */
function checkLengths(request: JsonObject, response: JsonObject): void {
  const places = { ReceiptRequest: request, ReceiptResponse: response }
  for (const place of ['ReceiptRequest', 'ReceiptResponse'] as const) {
    for (const name of LISTS[place]) {
      if (objectsIn(places[place], name).length <= MOST_ITEMS) continue
      throw fail('FIELD_INVALID', {
        field: `${place}.${name}`,
        expected: `at most ${MOST_ITEMS} items`,
      })
    }
  }
}

const ERRORS = [0xeeee_eeeen, 0xffff_ffffn]

/** An error is no receipt. Throws FIELD_INVALID for one, and for a state that cannot be read. */
export function checkState(response: JsonObject): void {
  const state = wordIn(response, 'ftState')
  if (state !== undefined && !ERRORS.includes(state & 0xffff_ffffn)) return
  const expected =
    state === undefined ? 'a 64-bit integer' : 'the state of a receipt; an error is not a receipt'
  throw fail('FIELD_INVALID', { field: 'ReceiptResponse.ftState', expected })
}

/**
 * In what a body differs from the pair that is stored; null when in nothing that matters. Clients
 * write pairs anew before they send them: zeros and nulls are gone, cases have other numbers.
 */
export function differenceOf(
  given: Pick<GivenPair, 'request' | 'response'>,
  stored: Pick<GivenPair, 'request' | 'response'>,
): string | null {
  const different = COMPARED.filter(({ of }) => {
    const text = of(given)
    return text !== '' && text !== of(stored)
  })
  return different.length === 0 ? null : different.map(({ name }) => name).join(', ')
}

type Compared = Pick<GivenPair, 'request' | 'response'>

const COMPARED: readonly { name: string; of(pair: Compared): string }[] = [
  { name: 'cbReceiptReference', of: ({ request }) => textIn(request, 'cbReceiptReference') },
  {
    name: 'ftReceiptIdentification',
    of: ({ response }) => textIn(response, 'ftReceiptIdentification'),
  },
  {
    name: 'ftReceiptMoment',
    of: ({ response }) => String(momentIn(response, 'ftReceiptMoment')?.getTime() ?? ''),
  },
  { name: 'cbChargeItems', of: ({ request }) => sumOf(request, 'cbChargeItems') },
  { name: 'cbPayItems', of: ({ request }) => sumOf(request, 'cbPayItems') },
  {
    name: 'ftSignatures',
    of: ({ response }) =>
      objectsIn(response, 'ftSignatures')
        .map((item) => textIn(item, 'Data'))
        .join('\n'),
  },
]

function sumOf(request: JsonObject, list: string): string {
  const items = objectsIn(request, list)
  const amounts = items.map((item) => decimalIn(item, 'Amount') ?? Decimal.ZERO)
  const sum = amounts.reduce((total, amount) => total.plus(amount), Decimal.ZERO)
  return `${items.length}: ${sum.toShortString()}`
}
