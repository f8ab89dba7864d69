// What a stored answer says of the TSE transaction of its receipt. Reads only the members that it
// needs: an answer has some eighteen signatures.
import { Decimal } from '../../../../lib/decimal.js'
import { JsonNumber, JsonObject, type JsonValue, parseJson } from '../../../../lib/json.js'
import { parseMoment } from '../../../../lib/moment.js'
import { StoredTextError } from '../../../../model/stored-texts.js'

/** Low 16 bits of ftSignatureType in the signatures of a German receipt. */
const signatureTypes = {
  information: 0x02,
  processType: 0x15,
  processData: 0x16,
  transactionNumber: 0x17,
  signatureCounter: 0x18,
  startTime: 0x19,
  logTime: 0x1a,
  algorithm: 0x1b,
  timeFormat: 0x1c,
  signature: 0x1d,
  actionStart: 0x1f,
  serial: 0x23,
  notice: 0x1000,
} as const

const TRAINING_NOTICE = 'Trainingsbuchung'
/** For receipts without any signature, which nothing explains (SCU switch in progress). */
const NO_TSE = 'Ohne TSE'

export interface Answer {
  /** ftReceiptIdentification. */
  identification: string
  /** ftReceiptMoment. */
  moment: Date
  state: bigint
  tse: TseData
}

/** What the signatures of the answer say about the TSE transaction. */
export interface TseData {
  /** Vorgangsbeginn. */
  actionStart: Date | undefined
  startTime: Date | undefined
  logTime: Date | undefined
  processType: string
  processData: string
  transactionNumber: Decimal | null
  signatureCounter: Decimal | null
  /** Base64; '' where the TSE did not sign. */
  signature: string
  algorithm: string
  timeFormat: string
  /** As the answer has it. */
  serial: string
  /** Why there is no signature; '' where there is one. */
  fault: string
}

/** Throws JsonError or StoredTextError for a text that is no answer of a queue. */
export function answerOf(text: string): Answer {
  const response = parseJson(text)
  const moment = parseMoment(textOf(member(response, 'ftReceiptMoment')))?.date
  if (moment === undefined) throw new StoredTextError('ftReceiptMoment cannot be read')
  const signatures = member(response, 'ftSignatures')
  return {
    identification: textOf(member(response, 'ftReceiptIdentification')),
    moment,
    state: wordOf(member(response, 'ftState')),
    tse: tseDataOf(Array.isArray(signatures) ? signatures : []),
  }
}

const IDENTIFICATION = /"ftReceiptIdentification":"([^"\\]*)"/
const STATE = /"ftState":(-?\d{1,20})[,}]/

/**
 * The first members of an answer alone, without taking its signatures apart: the members of the
 * answer itself stand before everything that may be nested in it.
 */
export function headOf(text: string): Pick<Answer, 'identification' | 'state'> {
  const identification = IDENTIFICATION.exec(text)?.[1]
  const state = STATE.exec(text)?.[1]
  if (identification === undefined || state === undefined) return answerOf(text)
  return { identification, state: BigInt(state) }
}

/** Of several spellings of a name the last one given stands. */
function member(value: JsonValue, name: string): JsonValue | undefined {
  if (!(value instanceof JsonObject)) return undefined
  const exact = value.get(name)
  if (exact !== undefined) return exact
  const low = name.toLowerCase()
  const at = value.names.findLastIndex(
    (one) => one.length === low.length && one.toLowerCase() === low,
  )
  return at < 0 ? undefined : value.values[at]
}

function textOf(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value
  return value instanceof JsonNumber ? value.text : ''
}

const WORD = /^(?:-?\d{1,20}|0x[0-9a-f]{1,16})$/i

function wordOf(value: JsonValue | undefined): bigint {
  const text = textOf(value)
  return WORD.test(text) ? BigInt(text) : 0n
}

function tseDataOf(signatures: readonly JsonValue[]): TseData {
  const texts = new Map<number, string>()
  for (const one of signatures) {
    const type = typeOf(one)
    // further transactions that the receipt closed come behind its own
    if (!texts.has(type)) texts.set(type, textOf(member(one, 'data')))
  }
  const text = (type: number) => texts.get(type) ?? ''
  const moment = (type: number) => parseMoment(text(type))?.date
  const number = (type: number) => Decimal.parse(text(type)) ?? null
  const signature = text(signatureTypes.signature)
  return {
    actionStart: moment(signatureTypes.actionStart),
    startTime: moment(signatureTypes.startTime),
    logTime: moment(signatureTypes.logTime),
    processType: text(signatureTypes.processType),
    processData: text(signatureTypes.processData),
    transactionNumber: number(signatureTypes.transactionNumber),
    signatureCounter: number(signatureTypes.signatureCounter),
    signature,
    algorithm: text(signatureTypes.algorithm),
    timeFormat: text(signatureTypes.timeFormat),
    serial: text(signatureTypes.serial),
    fault: signature === '' ? faultOf(signatures) : '',
  }
}

function typeOf(signature: JsonValue): number {
  return Number(BigInt.asUintN(16, wordOf(member(signature, 'ftSignatureType'))))
}

/** The caption of the text that tells of failed mode, late signing or a handwritten receipt. */
function faultOf(signatures: readonly JsonValue[]): string {
  for (const one of signatures) {
    const type = typeOf(one)
    if (type !== signatureTypes.information && type !== signatureTypes.notice) continue
    const caption = textOf(member(one, 'caption'))
    if (caption !== TRAINING_NOTICE) return caption
  }
  return NO_TSE
}
