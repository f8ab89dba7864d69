// One log message of a TSE, taken apart strictly (TR-03151 1.0.1, chapter 2 and Appendix E).
import { ascii, DerFault, DerReader, integer, printable } from '../der.js'
import { type Algorithm, algorithmOfOid } from './keys.js'
import { generalizedTime, type LogTime, unixTime, utcTime } from './log-time.js'

export type TransactionStep = 'Start' | 'Update' | 'Finish'

export interface TransactionLog {
  kind: 'transaction'
  step: TransactionStep
  clientId: string
  processData: Buffer
  processType: string
  number: number
}

export interface SystemLog {
  kind: 'system'
  operation: string
  data: Buffer
}

export interface AuditLog {
  kind: 'audit'
}

export interface LogMessage {
  body: TransactionLog | SystemLog | AuditLog
  serialHex: string
  /** Undefined: an algorithm that is not in the guideline. */
  algorithm: Algorithm | undefined
  counter: number
  time: LogTime
  signature: Buffer
  /** The bytes that are signed: everything before the signature, without the outer header. */
  signed: Buffer
}

/** 0.4.0.127.0.7.3.7.1, then the kind. */
const DATA_TYPE = '04007f0007030701'
const KINDS: Record<string, 'transaction' | 'system' | 'audit'> = {
  '01': 'transaction',
  '02': 'system',
  '03': 'audit',
}
const STEPS: Record<string, TransactionStep> = {
  StartTransaction: 'Start',
  UpdateTransaction: 'Update',
  FinishTransaction: 'Finish',
}

/** Throws DerFault with what was expected. */
export function readLogMessage(bytes: Buffer): LogMessage {
  const outer = new DerReader(bytes)
  const inside = outer.read(0x30, 'the message')
  outer.end('the file')
  const reader = new DerReader(inside)
  const version = integer(reader.read(0x02, 'version'), 'version')
  if (version !== 2) throw new DerFault(`version 2, found ${version}`)
  const body = readBody(reader)
  const serial = reader.read(0x04, 'serialNumber')
  if (serial.length !== 32) throw new DerFault(`32 bytes of serialNumber, found ${serial.length}`)
  const algorithm = readAlgorithm(reader)
  if (body.kind === 'audit') reader.read(0x04, 'seAuditData')
  const counter = integer(reader.read(0x02, 'signatureCounter'), 'signatureCounter')
  if (counter === 0) throw new DerFault('signatureCounter of at least 1, found 0')
  const time = readTime(reader)
  const signed = inside.subarray(0, reader.at)
  const signature = reader.read(0x04, 'signatureValue')
  reader.end('the message')
  return { body, serialHex: serial.toString('hex'), algorithm, counter, time, signature, signed }
}

function readBody(reader: DerReader): LogMessage['body'] {
  const type = reader.read(0x06, 'certifiedDataType').toString('hex')
  const kind = type.startsWith(DATA_TYPE) ? KINDS[type.slice(DATA_TYPE.length)] : undefined
  if (kind === 'transaction') return readTransaction(reader)
  if (kind === 'system') return readSystem(reader)
  if (kind === 'audit') return { kind }
  throw new DerFault(`transaction, system or audit log as certifiedDataType, found ${type}`)
}

function readTransaction(reader: DerReader): TransactionLog {
  const operation = printable(reader.read(0x80, 'operationType'), 'operationType')
  const step = STEPS[operation]
  if (step === undefined) {
    throw new DerFault(`Start-, Update- or FinishTransaction as operationType, found ${operation}`)
  }
  const clientId = ascii(reader.read(0x81, 'clientId'), 'clientId')
  const processData =
    reader.peek() === 0xa2
      ? reader.readIndefinite(0xa2, 'processData')
      : reader.read(0x82, 'processData')
  const processType =
    step === 'Update' && reader.peek() !== 0x83
      ? ''
      : printable(reader.read(0x83, 'processType'), 'processType')
  if (reader.peek() === 0x84) reader.read(0x84, 'additionalExternalData')
  const number = integer(reader.read(0x85, 'transactionNumber'), 'transactionNumber')
  if (number === 0) throw new DerFault('transactionNumber of at least 1, found 0')
  if (reader.peek() === 0x86) reader.read(0x86, 'additionalInternalData')
  return { kind: 'transaction', step, clientId, processData, processType, number }
}

function readSystem(reader: DerReader): SystemLog {
  const operation = printable(reader.read(0x80, 'operationType'), 'operationType')
  const data = reader.read(0x81, 'systemOperationData')
  if (reader.peek() === 0x82) reader.read(0x82, 'additionalInternalData')
  return { kind: 'system', operation, data }
}

function readAlgorithm(reader: DerReader): Algorithm | undefined {
  const inside = new DerReader(reader.read(0x30, 'signatureAlgorithm'))
  const oid = inside.read(0x06, 'the OID of signatureAlgorithm')
  inside.end('signatureAlgorithm')
  return algorithmOfOid(oid)
}

function readTime(reader: DerReader): LogTime {
  const { tag, content } = reader.any('logTime')
  const text = content.toString('latin1')
  const time =
    tag === 0x02
      ? unixTime(integer(content, 'logTime'))
      : tag === 0x17
        ? utcTime(text)
        : tag === 0x18
          ? generalizedTime(text)
          : undefined
  if (time === undefined) {
    throw new DerFault(`unixTime, UTCTime or GeneralizedTime as logTime, found ${tag}`)
  }
  return time
}
