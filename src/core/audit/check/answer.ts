// What the checker reads in a stored answer: whose it is, its number, its moment, its state.
// Answers of all interface versions have these members under these names.
import { JsonNumber, type JsonValue, objectIn } from '../../../lib/json.js'
import { parseMoment } from '../../../lib/moment.js'

export interface ReadAnswer {
  queueId: string
  queueItemId: string
  queueRow: string
  /** Receipt number minus one, as ftReceiptIdentification says it; undefined when it says none. */
  numerator: number | undefined
  momentMs: number
  error: boolean
}

const IDENTIFICATION = /^ft([0-9A-F]+)#/
const ERROR_WORD = 0xeeee_eeeen
const LOW = 0xffff_ffffn

/** Undefined when the text is no answer. */
export function readAnswer(text: string): ReadAnswer | undefined {
  const answer = objectIn(text)
  if (answer === undefined) return undefined
  const moment = parseMoment(textOf(answer.get('ftReceiptMoment')))
  const state = textOf(answer.get('ftState'))
  if (moment === undefined || !/^-?\d+$/.test(state)) return undefined
  const hex = IDENTIFICATION.exec(textOf(answer.get('ftReceiptIdentification')))?.[1]
  return {
    queueId: textOf(answer.get('ftQueueID')),
    queueItemId: textOf(answer.get('ftQueueItemID')),
    queueRow: textOf(answer.get('ftQueueRow')),
    numerator: hex === undefined ? undefined : Number.parseInt(hex, 16),
    momentMs: moment.date.getTime(),
    error: (BigInt.asUintN(64, BigInt(state)) & LOW) === ERROR_WORD,
  }
}

function textOf(value: JsonValue | undefined): string {
  if (value instanceof JsonNumber) return value.text
  return typeof value === 'string' ? value : ''
}
