// The file name of a log message inside an export (BSI TR-03151 1.0.1, 5.1).
import { type Element, numberOf, readElements } from './der.js'
import { OPERATIONS, TAG } from './log-message.js'

const TRANSACTION_NUMBER = 0x85
const CLIENT_ID = 0x81
const LONGEST_NAME = 100

/**
 * `Unixt_1767258003_Sig-4_Log-Tra_No-1_Start_Client-KASSE-0001.log`. Throws for bytes that are no
 * log message of this server.
 */
export function logName(der: Buffer): string {
  const [outer] = readElements(der)
  const elements = readElements(outer?.content ?? der)
  const [time, counter] = [elements.at(-2), elements.at(-3)]
  if (time?.tag !== TAG.integer || counter?.tag !== TAG.integer) {
    throw new Error('a log message has no counter and time in seconds')
  }
  const start = `Unixt_${numberOf(time.content)}_Sig-${numberOf(counter.content)}`
  const name = `${start}_${kindOf(elements)}.log`
  if (name.length <= LONGEST_NAME) return name
  throw new Error(`the name of a log message has ${name.length} characters: ${name}`)
}

function kindOf(elements: readonly Element[]): string {
  const operation = textOf(elements, TAG.operation)
  const number = elements.find(({ tag }) => tag === TRANSACTION_NUMBER)
  if (number === undefined) return `Log-Sys_${operation}`
  const kind = Object.values(OPERATIONS).find((name) => name === operation)
  const short = kind?.replace('Transaction', '') ?? operation
  const client = textOf(elements, CLIENT_ID)
  return `Log-Tra_No-${numberOf(number.content)}_${short}_Client-${client}`
}

function textOf(elements: readonly Element[], wanted: number): string {
  const found = elements.find(({ tag }) => tag === wanted)
  if (found === undefined) throw new Error('a log message lacks its operation or client')
  return found.content.toString('latin1')
}
