// A stored request in the form in which it was signed, with its case words.
import { JsonObject, type JsonValue, LENIENT, parseJson } from '../lib/json.js'
import type { StoredItem } from '../model/journal.js'
import { decodePosRequest } from '../model/pos-request.js'
import type { ReceiptRequest } from '../model/receipt.js'
import {
  decodeStoredRequest,
  onceOf,
  requestIn,
  requestValue,
  StoredTextError,
} from '../model/stored-texts.js'
import { type CasedRequest, readCompleted, withWords } from './reader.js'
import type { CaseRules } from './rules.js'

/** How a stored request is to be read: the version it came with, and the rules of its country. */
export interface StoredAs {
  version: string
  cases: CaseRules
}

/** A request of which nobody asks what its cases say. Throws as readStored. */
export function storedRequest(text: string, { version, cases }: StoredAs): ReceiptRequest {
  return version === 'v2' ? posRequestOf(text, cases).request : decodeStoredRequest(text)
}

/** The same of an item that several readers may share. */
export function requestOfItem(item: StoredItem, cases: CaseRules): ReceiptRequest {
  return onceOf(item, requestOfItem, () => {
    const value = requestValue(item)
    return item.version === 'v2' ? storedPosRequest(value, cases).request : requestIn(value)
  })
}

/**
 * Reads the JSON text of a request that was accepted. The text is the client's own: one of version
 * 2 is brought into the form in which it was signed, with complete cases and scaled amounts. Throws
 * as decodeStoredRequest.
 */
export function readStored(text: string, { version, cases }: StoredAs): CasedRequest {
  if (version === 'v2') return posRequestOf(text, cases)
  return withWords(decodeStoredRequest(text))
}

const posRequestOf = (text: string, cases: CaseRules): CasedRequest =>
  storedPosRequest(parseJson(text, LENIENT), cases)

function storedPosRequest(value: JsonValue, cases: CaseRules): CasedRequest {
  if (!(value instanceof JsonObject)) throw new StoredTextError('expected an object')
  const { request } = decodePosRequest(value)
  // without one it was never accepted
  const moment: Date | null = request.receiptMoment
  if (moment === null) throw new StoredTextError('cbReceiptMoment is missing')
  return { request, words: readCompleted(request, cases).words }
}
