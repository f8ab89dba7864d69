// A stored request in the form in which it was signed, with its case words.
import { JsonObject, LENIENT, parseJson } from '../lib/json.js'
import { decodePosRequest } from '../model/pos-request.js'
import type { ReceiptRequest } from '../model/receipt.js'
import { decodeStoredRequest, StoredTextError } from '../model/stored-texts.js'
import { type CasedRequest, readCompleted, withWords } from './reader.js'
import type { CaseRules } from './rules.js'

/** How a stored request is to be read: the version it came with, and the rules of its country. */
export interface StoredAs {
  version: string
  cases: CaseRules
}

/** A request of which nobody asks what its cases say. Throws as readStored. */
export function storedRequest(text: string, { version, cases }: StoredAs): ReceiptRequest {
  return version === 'v2' ? storedPosRequest(text, cases).request : decodeStoredRequest(text)
}

/**
 * Reads the JSON text of a request that was accepted. The text is the client's own: one of version
 * 2 is brought into the form in which it was signed, with complete cases and scaled amounts. Throws
 * as decodeStoredRequest.
 */
export function readStored(text: string, { version, cases }: StoredAs): CasedRequest {
  if (version === 'v2') return storedPosRequest(text, cases)
  return withWords(decodeStoredRequest(text))
}

function storedPosRequest(text: string, cases: CaseRules): CasedRequest {
  const value = parseJson(text, LENIENT)
  if (!(value instanceof JsonObject)) throw new StoredTextError('expected an object')
  const { request } = decodePosRequest(value)
  // without one it was never accepted
  const moment: Date | null = request.receiptMoment
  if (moment === null) throw new StoredTextError('cbReceiptMoment is missing')
  return { request, words: readCompleted(request, cases).words }
}
