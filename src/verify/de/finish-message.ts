// The finish message of a transaction, rebuilt from what a receipt says about it: version 2, no
// additional data (TR-03151 2.1, 2.3; DSFinV-K Annex I).
import { type Algorithm, tlv } from './keys.js'

export interface Finish {
  clientId: string
  processType: string
  processData: Buffer
  transactionNumber: bigint
  serialHex: string
  algorithm: Algorithm
  counter: bigint
  /** Unix milliseconds. */
  moment: number
  /** Name of the time format as receipts write it. */
  timeFormat: string
}

const FINISH_TYPE = Buffer.from('060904007f000703070101', 'hex')

/**
 * The bytes that the signature covers, in every form that devices of the field write: processData
 * as one element, or in pieces of a length that is not told, as D-Trust units do.
 */
export function signedBytes(finish: Finish): Buffer[] {
  const data = finish.processData
  const pieces = Buffer.concat([Buffer.of(0xa2, 0x80), tlv(0x04, data), Buffer.of(0, 0)])
  return [tlv(0x82, data), pieces].map((element) => withData(finish, element))
}

function withData(finish: Finish, processData: Buffer): Buffer {
  return Buffer.concat([
    integer(0x02, 2n),
    FINISH_TYPE,
    text(0x80, 'FinishTransaction'),
    text(0x81, finish.clientId),
    processData,
    text(0x83, finish.processType),
    integer(0x85, finish.transactionNumber),
    tlv(0x04, Buffer.from(finish.serialHex, 'hex')),
    tlv(0x30, tlv(0x06, Buffer.from(finish.algorithm.oid, 'hex'))),
    integer(0x02, finish.counter),
    time(finish),
  ])
}

function time({ moment, timeFormat }: Finish): Buffer {
  if (timeFormat === 'unixTime') return integer(0x02, BigInt(Math.floor(moment / 1000)))
  const digits = new Date(moment).toISOString().replace(/[-T:]/g, '')
  const seconds = digits.slice(0, 14)
  if (timeFormat === 'generalizedTime') return text(0x18, `${seconds}Z`)
  if (timeFormat === 'generalizedTimeWithMilliseconds') return text(0x18, digits)
  return text(0x17, `${seconds.slice(2)}Z`)
}

function text(tag: number, content: string): Buffer {
  return tlv(tag, Buffer.from(content, 'utf8'))
}

/** INTEGER in its shortest form; the value is not negative. */
function integer(tag: number, value: bigint): Buffer {
  const digits = value.toString(16)
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
  const isHigh = (bytes[0] ?? 0) >= 0x80
  return tlv(tag, isHigh ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes)
}
