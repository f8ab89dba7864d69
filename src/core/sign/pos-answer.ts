// What an answer of version 2 (PosSystem API) has beyond what the market decided: failures by code,
// previous receipts, items that are asked back.

import type { Cased, ReceiptWords } from '../../case/reader.js'
import { countryWord, isVersion2 } from '../../case/word.js'
import { orderedId } from '../../lib/id.js'
import { JsonObject, type JsonValue, LENIENT, objectIn, parseJson } from '../../lib/json.js'
import type { Market, Refused } from '../../market/contract.js'
import type { ActionRow } from '../../model/journal.js'
import { encodePosResponse, withMember } from '../../model/pos-response.js'
import type { ReceiptResponse, Signature } from '../../model/receipt.js'
import type { StoredAnswer } from '../../store/sign/replay.js'
import { errorsOf, type Problem } from '../receipt-rules/problem.js'
import { MISSING_REFERENCE } from '../receipt-rules/rules.js'
import type { LoadedQueue, SignJob } from './job.js'

const TEXT = 1n
const ERROR_STATE = 0x2000_eeee_eeeen
const FAIL_STATE = 0x2000_ffff_ffffn
/** Type of a failure, and of a piece of information that need not be printed. */
const FAILURE = 0x2000_0000_3000n
const INFORMATION = 0x2000_0010_1000n
export const SANDBOX = 'S A N D B O X'

const baseOf = ({ facts }: Market): bigint => countryWord(facts.code) << 48n

/** The refusal of a request that breaks a rule of the interface; undefined: it may go on. */
export function posRefusal(market: Market, { pos }: SignJob): Refused | undefined {
  const errors = pos === undefined ? [] : errorsOf(pos)
  const [first] = errors
  if (first === undefined) return undefined
  const base = baseOf(market)
  return {
    kind: 'refused',
    message: errors.map(({ code, message }) => `${code}: ${message}`).join(' '),
    field: first.path,
    stateWord: base | ERROR_STATE,
    signatureType: base | FAILURE,
    answered: true,
    actions: [],
  }
}

/**
 * Caption of the item that says why there is no receipt: one for refusals and for faults, in every
 * group, version and country. Spelled as clients know it.
 */
export const FAILURE_CAPTION = 'uncaught-exeption'

/** Strict rules name every code in a signature of its own. */
export function failureSignatures(
  { pos }: SignJob,
  { kind, message, signatureType: type }: { kind: string; message: string; signatureType: bigint },
): Signature[] {
  const errors = kind === 'refused' && pos?.strict === true ? errorsOf(pos) : []
  if (errors.length === 0) return [{ format: TEXT, type, caption: FAILURE_CAPTION, data: message }]
  return errors.map((one) => ({
    format: TEXT,
    type,
    caption: `[Error] ${one.code}`,
    data: one.message,
  }))
}

/** The market's signatures, with a hint where a receipt takes back one that it does not name. */
export function posSignatures(
  market: Market,
  { job, given, sandboxOf }: { job: SignJob; given: Signature[]; sandboxOf: string | undefined },
): Signature[] {
  const hints = (job.pos?.problems ?? []).filter(({ code }) => MISSING_REFERENCE.test(code))
  const type = baseOf(market) | INFORMATION
  const added = hints.map(({ code, message }) => ({
    format: TEXT,
    type,
    caption: `[Information] ${code}`,
    data: message,
  }))
  const own = given.filter(({ caption }) => caption !== SANDBOX)
  const marks = given.filter(({ caption }) => caption === SANDBOX)
  // the mark of the sandbox stays the last
  const all = added.length === 0 ? given : [...own, ...added, ...marks]
  return withSandboxMark(all, sandboxOf)
}

/** The mark of the sandbox, where the market has not set it. */
export function withSandboxMark(given: Signature[], queueId: string | undefined): Signature[] {
  if (queueId === undefined || given.some(({ caption }) => caption === SANDBOX)) return given
  return [...given, { format: TEXT, type: 0n, caption: SANDBOX, data: queueId }]
}

// -------------------------------------------------------------- previous receipts

const PREVIOUS = 'ftPreviousReceiptReference'

/** ftStateData with the pairs of the receipts that this one refers to. */
export function posStateData({ pos }: SignJob, stateData: string | null): string | null {
  const previous = pos?.previous ?? []
  return previous.length === 0 ? stateData : withMember(stateData, PREVIOUS, previous.map(pairOf))
}

/** The earlier receipt's own previous receipts are left out: chains must not grow. */
function pairOf({ request, response }: StoredAnswer): object {
  const answer = objectIn(response)
  return {
    ReceiptRequest: parseJson(request, LENIENT),
    ReceiptResponse: answer === undefined ? null : withoutPrevious(answer),
  }
}

function withoutPrevious(answer: JsonObject): JsonObject {
  const data = answer.get('ftStateData')
  if (!(data instanceof JsonObject) || data.get(PREVIOUS) === undefined) return answer
  const rest = copyOf(data, (name, value) => (name === PREVIOUS ? undefined : value))
  return copyOf(answer, (name, value) => {
    if (name !== 'ftStateData') return value
    return rest.names.length === 0 ? undefined : rest
  })
}

function copyOf(
  object: JsonObject,
  map: (name: string, value: JsonValue) => JsonValue | undefined,
): JsonObject {
  const copy = new JsonObject()
  object.names.forEach((name, at) => {
    const value = map(name, object.values[at] ?? null)
    if (value === undefined) return
    copy.names.push(name)
    copy.values.push(value)
  })
  return copy
}

// ------------------------------------------------------------------ items asked back

const RESPOND = 0x4000

/** Items with the flag 4000, or null. */
export function respondItems({ charges, pays }: ReceiptWords) {
  return { chargeItems: wanted(charges), payItems: wanted(pays) }
}

function wanted<I>(items: readonly Cased<I>[]): I[] | null {
  const found = items.filter((word) => isVersion2(word) && (word.flags & RESPOND) !== 0)
  return found.length === 0 ? null : found.map(({ item }) => item)
}

// ------------------------------------------------------------------- nothing found

const NO_ID = '00000000-0000-0000-0000-000000000000'

/** The answer to a receipt request that finds nothing: nothing is stored, and the state says so. */
export function nothingText({ head, market }: LoadedQueue, job: SignJob, moment: Date): string {
  const base = baseOf(market)
  const response: ReceiptResponse = {
    cashBoxId: job.cashBoxId,
    queueId: head.id,
    queueItemId: NO_ID,
    queueRow: 0n,
    terminalId: job.request.terminalId,
    receiptReference: job.request.receiptReference,
    cashBoxIdentification: head.identification,
    receiptIdentification: `ft${head.receiptNumerator.toString(16).toUpperCase()}#`,
    receiptMoment: moment,
    receiptHeader: null,
    chargeItems: null,
    chargeLines: null,
    payItems: null,
    payLines: null,
    signatures: [
      {
        format: TEXT,
        type: base | FAILURE,
        caption: FAILURE_CAPTION,
        data: 'No finished receipt has this reference and these items; nothing was stored.',
      },
    ],
    receiptFooter: null,
    state: base | FAIL_STATE,
    stateData: null,
  }
  return encodePosResponse(response)
}

// ---------------------------------------------------------------------- what is noted

/** Problems that are no error stand in the action journal, with the receipt that has them. */
export function problemAction({ pos }: SignJob, now: Date): ActionRow | undefined {
  const problems: readonly Problem[] = pos?.problems ?? []
  if (problems.length === 0) return undefined
  return {
    id: orderedId(now.getTime()),
    priority: 0x20,
    type: 'SignValidation',
    message: `The receipt was signed in spite of ${problems.map(({ code }) => code).join(', ')}.`,
    dataJson: JSON.stringify(
      problems.map(({ code, path, message }) => ({ Path: path, Code: code, Message: message })),
    ),
    dataBase64: null,
  }
}
