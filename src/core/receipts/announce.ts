// What is kept beside a receipt when it is issued: the label it was given away with, and what the
// devices in the store are told.
import { Decimal } from '../../lib/decimal.js'
import type { JsonObject } from '../../lib/json.js'
import { writeJson } from '../../lib/json-write.js'
import { dataIn, decimalIn, momentIn, objectsIn, textIn } from '../../model/json-members.js'
import { isTag } from './link.js'
import type { GivenPair } from './pair.js'

export interface Announcement {
  /** Of the give-away label that the receipt names. */
  tag: string | undefined
  terminalId: string | null
  /** What devices are told beside the ids, as JSON text. */
  content: string
}

const LONGEST_TERMINAL = 1023
const LONGEST_NUMBER = 200

export function announcementOf({
  request,
  response,
}: Pick<GivenPair, 'request' | 'response'>): Announcement {
  const terminal = textIn(request, 'cbTerminalID').slice(0, LONGEST_TERMINAL)
  return {
    tag: tagOf(request),
    terminalId: isNone(terminal) ? null : terminal,
    content: writeJson({
      cbTerminalID: terminal,
      ftReceiptIdentification: textIn(response, 'ftReceiptIdentification').slice(0, LONGEST_NUMBER),
      ftReceiptMoment: momentIn(response, 'ftReceiptMoment') ?? null,
      total: totalOf(request),
    }),
  }
}

/** Programs without terminals send one of these. */
export function isNone(terminal: string): boolean {
  return terminal.trim() === '' || terminal.trim().toLowerCase() === 'undefined'
}

function totalOf(request: JsonObject): Decimal {
  const given = decimalIn(request, 'cbReceiptAmount')
  if (given !== undefined) return given
  const amounts = objectsIn(request, 'cbChargeItems').map((item) => decimalIn(item, 'Amount'))
  return amounts.reduce<Decimal>((sum, amount) => sum.plus(amount ?? Decimal.ZERO), Decimal.ZERO)
}

/** The first label that the receipt, its items or its payments name. */
function tagOf(request: JsonObject): string | undefined {
  const places: [JsonObject, string][] = [
    [request, 'ftReceiptCaseData'],
    ...items(request, 'cbChargeItems', 'ftChargeItemCaseData'),
    ...items(request, 'cbPayItems', 'ftPayItemCaseData'),
  ]
  for (const [object, name] of places) {
    const data = dataIn(object, name)
    const tag = data === undefined ? undefined : tagOfAddress(textIn(data, 'ReceiptTag'))
    if (tag !== undefined) return tag
  }
  return undefined
}

function items(request: JsonObject, list: string, name: string): [JsonObject, string][] {
  return objectsIn(request, list).map((item) => [item, name])
}

const LONGEST_ADDRESS = 2000

/** `https://r.example/?tag=abc123456789`: whatever host is printed on the label. */
function tagOfAddress(address: string): string | undefined {
  if (address === '' || address.length > LONGEST_ADDRESS) return undefined
  if (!URL.canParse(address, 'https://label.invalid')) return undefined
  const { searchParams } = new URL(address, 'https://label.invalid')
  const [, tag] = [...searchParams].find(([name]) => name.toLowerCase() === 'tag') ?? []
  return tag !== undefined && isTag(tag) ? tag : undefined
}
