// A PIN becomes the credentials of its cash box; the one call without any of its own.
import type { FastifyRequest } from 'fastify'
import type { PairedBox } from '../../core/accounts/pairing/pairing.js'
import { fail } from '../../errors.js'
import { JsonNumber, type JsonValue } from '../../lib/json.js'
import { networkOf } from '../../lib/network.js'
import { bodyText, memberOf, objectOf } from './body.js'
import type { PosSystemDeps } from './deps.js'
import { jsonAnswer, type PosAnswer } from './read.js'

export type PairDeps = Pick<PosSystemDeps, 'pairing' | 'pins'>

/** Throws PIN_WRONG for a PIN that is unknown, used or over, and PIN_LIMITED. */
export async function pair(deps: PairDeps, request: FastifyRequest): Promise<PosAnswer> {
  const { cashBoxId, accessToken } = await redeem(deps, request)
  // a flat object of texts, in both spellings that are in use
  return jsonAnswer({ CashBoxId: cashBoxId, CashBoxID: cashBoxId, AccessToken: accessToken })
}

/** The same under the address and with the names of the Dealer API. */
export async function pairInStore(deps: PairDeps, request: FastifyRequest): Promise<PosAnswer> {
  const { cashBoxId, accessToken } = await redeem(deps, request)
  return jsonAnswer({ cashBoxId, accessToken })
}

function redeem({ pairing, pins }: PairDeps, request: FastifyRequest): Promise<PairedBox> {
  const pin = pinOf(memberOf(objectOf(bodyText(request)), 'Pin'))
  const network = networkOf(request.ip)
  return pins.during(network, () => pairing.redeem(pin, network))
}

/** A number is taken as well, but none can begin with 0. */
function pinOf(value: JsonValue | undefined): string {
  const text = value instanceof JsonNumber ? value.text : value
  if (typeof text === 'string' && /^\d{4}$/.test(text)) return text
  const kind = text === undefined ? 'FIELD_MISSING' : 'FIELD_INVALID'
  throw fail(kind, { field: 'Pin', expected: 'a text of four digits' })
}
