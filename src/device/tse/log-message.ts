// Log messages of version 2 (BSI TR-03151 1.0.1, chapter 2 and appendix E): what is signed, and how
// it is put together. Log-name.ts reads them again.
import { element, elementLength, integer, pieces, text } from './der.js'
import type { Profile } from './profile.js'

export const TAG = {
  integer: 0x02,
  octets: 0x04,
  oid: 0x06,
  sequence: 0x30,
  operation: 0x80,
} as const

/** 0.4.0.127.0.7.3.7.1.x: 1 transaction log, 2 system log (3 audit log: there is none here). */
const CERTIFIED_DATA = [0x04, 0x00, 0x7f, 0x00, 0x07, 0x03, 0x07, 0x01]
const TRANSACTION = Buffer.from([...CERTIFIED_DATA, 1])
const SYSTEM = Buffer.from([...CERTIFIED_DATA, 2])

const VERSION = 2

export const OPERATIONS = {
  start: 'StartTransaction',
  update: 'UpdateTransaction',
  finish: 'FinishTransaction',
} as const

export type Operation = keyof typeof OPERATIONS

export interface TransactionData {
  operation: Operation
  clientId: string
  processData: Buffer
  processType: string
  transactionNumber: number
}

/**
 * How processData is written: as one element (DER), or in pieces behind a length that is not told
 * (BER, constructed, indefinite), as D-Trust units do for updates and finishes.
 */
export type ProcessDataForm = 'definite' | 'indefinite'

/** System operations in lower camel case, as the devices of the field write them. */
export type SystemData =
  | { operation: 'initialize'; description: string }
  | { operation: 'updateTime'; before: number; after: number }
  | { operation: 'registerClient' | 'deregisterClient'; clientId: string }
  | { operation: 'disableSecureElement'; time: number }

/** What stands in every message of one device. */
export interface Signer {
  /** SHA-256 of the public point. */
  serial: Buffer
  profile: Pick<Profile, 'oid'>
}

const head = (kind: Buffer): Buffer =>
  Buffer.concat([integer(TAG.integer, VERSION), element(TAG.oid, kind)])
const TRANSACTION_HEAD = head(TRANSACTION)
const SYSTEM_HEAD = head(SYSTEM)

/** Version, type and certifiedData of a transaction log (elements 1 to 3). */
export function transactionPart(data: TransactionData, form: ProcessDataForm = 'definite'): Buffer {
  const write = form === 'definite' ? element : pieces
  return Buffer.concat([
    TRANSACTION_HEAD,
    text(0x80, OPERATIONS[data.operation]),
    text(0x81, data.clientId),
    write(0x82, data.processData),
    element(0x83, Buffer.from(data.processType, 'utf8')),
    integer(0x85, data.transactionNumber),
  ])
}

/** Version, type and certifiedData of a system log (elements 1 to 3). */
export function systemPart(data: SystemData): Buffer {
  const details = element(0x81, Buffer.concat(detailsOf(data)))
  return Buffer.concat([SYSTEM_HEAD, text(0x80, data.operation), details])
}

function detailsOf(data: SystemData): Buffer[] {
  switch (data.operation) {
    case 'initialize':
      return [text(0x81, data.description)]
    case 'updateTime':
      return [integer(0x81, data.before), integer(0x82, data.after)]
    case 'disableSecureElement':
      return [integer(0x81, data.time)]
    default:
      return [text(0x81, data.clientId)]
  }
}

/** Serial number and algorithm (elements 4 and 5): the same in every message of a device. */
export function signerPart({ serial, profile }: Signer): Buffer {
  const algorithm = element(TAG.sequence, element(TAG.oid, profile.oid))
  return Buffer.concat([element(TAG.octets, serial), algorithm])
}

/** The bytes under the signature: the elements 1 to 8 without a wrapper. */
export function signatureInput(
  parts: readonly [certified: Buffer, signer: Buffer],
  { counter, time }: { counter: number; time: number },
): Buffer {
  return Buffer.concat([...parts, integer(TAG.integer, counter), integer(TAG.integer, time)])
}

/** The whole message. */
export function logMessage(input: Buffer, signature: Buffer): Buffer {
  return element(TAG.sequence, input, element(TAG.octets, signature))
}

/** Bytes of the whole message, before it is signed. */
export function messageLength(input: Buffer, { signatureBytes }: Profile): number {
  return elementLength(input.length + elementLength(signatureBytes))
}
