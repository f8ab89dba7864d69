// What the exports for people show of a stored item, read from the exact texts of its request and
// response.

import { requestOfItem } from '../../../case/stored-receipt.js'
import { hexWord } from '../../../case/word.js'
import {
  JsonError,
  JsonNumber,
  JsonObject,
  type JsonValue,
  jsonIn,
  LENIENT,
} from '../../../lib/json.js'
import { writeJson } from '../../../lib/json-write.js'
import type { StoredItem } from '../../../model/journal.js'
import {
  onceOf,
  requestValue,
  responseValue,
  StoredTextError,
} from '../../../model/stored-texts.js'
import { caseRules } from '../cases.js'

/** Members of an object under their names in lower case; of several spellings the last stands. */
export type Members = ReadonlyMap<string, JsonValue>

export interface StoredReceipt {
  /** `0x4154000000000001`, or null where the request has no such number. */
  receiptCase: string | null
  user: string | null
  /** The items of the request as they were sent. */
  chargeItems: JsonValue[]
  payItems: JsonValue[]
  /** From the response; null while there is none. */
  identification: string | null
  moment: Date | null
  state: string | null
  /** The machine-readable code (QR string) that was put on the receipt. */
  machineCode: string | null
}

export function storedReceiptOf(item: StoredItem): StoredReceipt {
  return onceOf(item, storedReceiptOf, () => readStoredReceipt(item))
}

function readStoredReceipt(item: StoredItem): StoredReceipt {
  const request = membersOf(known(() => requestValue(item)))
  const response = item.response === null ? NONE : membersOf(answerIn(item, item.response))
  return {
    receiptCase: caseText(item) ?? wordText(request.get('ftreceiptcase')),
    user: plainText(request.get('cbuser')),
    chargeItems: listOf(request.get('cbchargeitems')),
    payItems: listOf(request.get('cbpayitems')),
    identification: plainText(response.get('ftreceiptidentification')),
    moment: momentOf(response.get('ftreceiptmoment')),
    state: wordText(response.get('ftstate')),
    machineCode: machineCodeOf(listOf(response.get('ftsignatures'))),
  }
}

/** Version v2: the case as it was signed, which may say more than the one that was sent. */
function caseText(item: StoredItem): string | undefined {
  if (item.version !== 'v2') return undefined
  try {
    return hexWord(requestOfItem(item, caseRules).receiptCase)
  } catch (error) {
    if (error instanceof JsonError || error instanceof StoredTextError) return undefined
    throw error
  }
}

const NONE: Members = new Map()

export function membersOf(value: JsonValue | undefined): Members {
  if (!(value instanceof JsonObject)) return NONE
  const members = new Map<string, JsonValue>()
  const { names, values } = value
  for (let at = 0; at < names.length; at += 1) {
    members.set((names[at] ?? '').toLowerCase(), values[at] ?? null)
  }
  return members
}

/** Our own text, which is strict JSON; whatever else stands there is read as requests are. */
function answerIn(item: StoredItem, text: string): JsonValue | undefined {
  return known(() => responseValue(item)) ?? jsonIn(text, LENIENT)
}

/** A text that is no JSON gives no members: the log shows the text itself all the same. */
function known(read: () => JsonValue): JsonValue | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof JsonError) return undefined
    throw error
  }
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : []
}

/** Texts and numbers as they stood; an object (version 2 users) as its JSON text. */
export function plainText(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value
  return value instanceof JsonNumber ? value.text : writeJson(value)
}

const WORD = /^(?:-?\d{1,20}|0x[0-9a-f]{1,16})$/i

/** A 64-bit word, sent as number or as decimal or hexadecimal text, in its hexadecimal spelling. */
export function wordText(value: JsonValue | undefined): string | null {
  const text = plainText(value)
  return text !== null && WORD.test(text) ? hexWord(BigInt(text)) : null
}

const WCF_DATE = /^\/Date\((-?\d{1,16})(?:[+-]\d{4})?\)\/$/
const ZONED = /(?:Z|[+-]\d\d:?\d\d)$/

/** Our own answers: ISO 8601, or the WCF form where the request used it. */
function momentOf(value: JsonValue | undefined): Date | null {
  if (typeof value !== 'string') return null
  const wcf = WCF_DATE.exec(value)
  const iso = ZONED.test(value) ? value : `${value}Z`
  const time = wcf === null ? Date.parse(iso) : Number(wcf[1])
  const moment = new Date(time)
  return Number.isNaN(moment.getTime()) ? null : moment
}

function machineCodeOf(signatures: JsonValue[]): string | null {
  for (const signature of signatures) {
    const data = membersOf(signature).get('data')
    if (typeof data === 'string' && data.startsWith('_R1-')) return data
  }
  return null
}
