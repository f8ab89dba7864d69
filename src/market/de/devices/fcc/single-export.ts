// The messages of one transaction, out of its export: what became of a call whose answer was lost.
import { Readable } from 'node:stream'
import { extract } from 'tar-stream'
import { DeviceError } from '../../../../device/device.js'
import { type Element, numberOf, readElements } from '../../../../device/tse/der.js'
import { OPERATIONS, type Operation, TAG } from '../../../../device/tse/log-message.js'
import type { TseSignature } from '../../../../device/tse/tse.js'

const NUMBER = 0x85

/** The last of this kind; undefined: there is none. Throws DeviceError for what is no export. */
export async function loggedIn(
  tar: Buffer,
  wanted: { operation: Operation; transactionNumber: number },
): Promise<TseSignature | undefined> {
  let found: TseSignature | undefined
  try {
    const reader = extract()
    Readable.from([tar]).pipe(reader)
    for await (const entry of reader) {
      const parts: Buffer[] = []
      for await (const part of entry) parts.push(part as Buffer)
      if (!entry.header.name.includes('_Sig-')) continue
      found = messageOf(Buffer.concat(parts), wanted) ?? found
    }
  } catch (error) {
    throw new DeviceError('the export of a transaction cannot be read', { cause: error })
  }
  return found
}

function messageOf(
  der: Buffer,
  { operation, transactionNumber }: { operation: Operation; transactionNumber: number },
): TseSignature | undefined {
  const [outer] = readElements(der)
  const elements = readElements(outer?.content ?? der)
  const kind = elements.find(({ tag }) => tag === TAG.operation)?.content.toString('latin1')
  const number = elements.find(({ tag }) => tag === NUMBER)
  if (kind !== OPERATIONS[operation] || number === undefined) return undefined
  if (numberOf(number.content) !== transactionNumber) return undefined
  const [counter, time, signature] = elements.slice(-3)
  if (counter?.tag !== TAG.integer || signature?.tag !== TAG.octets || time === undefined) {
    return undefined
  }
  const moment = momentOf(time)
  const signatureCounter = numberOf(counter.content)
  return { transactionNumber, moment, signatureCounter, signature: signature.content }
}

/** Seconds since 1970; another form verifies nowhere and is not read. */
function momentOf({ tag, content }: Element): Date {
  if (tag !== TAG.integer) throw new Error('a log message without a time in seconds')
  return new Date(numberOf(content) * 1000)
}
