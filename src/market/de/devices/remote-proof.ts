// Puts the log message behind an answer together again and verifies it: a TSE signs the message,
// not the answer.
import { type KeyObject, verify, X509Certificate } from 'node:crypto'
import { DeviceError } from '../../../device/device.js'
import { element, integer } from '../../../device/tse/der.js'
import {
  logMessage,
  type Operation,
  signerPart,
  TAG,
  transactionPart,
} from '../../../device/tse/log-message.js'
import { plainOid } from '../../../device/tse/profile.js'
import type { LogMessage, TransactionCall, TseIdentity } from '../../../device/tse/tse.js'
import { processTypes } from '../cases.js'

/** BSI TR-03111, ecdsa-plain: hash, end of the object identifier. OpenSSL has no EC-Schnorr. */
const ALGORITHMS: Readonly<Record<string, readonly [hash: string, last: number]>> = {
  'ecdsa-plain-SHA224': ['sha224', 2],
  'ecdsa-plain-SHA256': ['sha256', 3],
  'ecdsa-plain-SHA384': ['sha384', 4],
  'ecdsa-plain-SHA512': ['sha512', 5],
  'ecdsa-plain-SHA3-224': ['sha3-224', 8],
  'ecdsa-plain-SHA3-256': ['sha3-256', 9],
  'ecdsa-plain-SHA3-384': ['sha3-384', 10],
  'ecdsa-plain-SHA3-512': ['sha3-512', 11],
}

const UTC_TIME = 0x17
const GENERALIZED_TIME = 0x18

export interface Claim {
  operation: Operation
  call: TransactionCall
  transactionNumber: number
  /** Log time as the device says it; whole seconds for unixTime. */
  moment: Date
  signatureCounter: number
  signature: Buffer
}

/** The log message that the signature belongs to. Throws DeviceError when there is none. */
export function provenMessage(identity: TseIdentity, claim: Claim): LogMessage {
  const [hash, last] = ALGORITHMS[identity.algorithm] ?? []
  if (hash === undefined || last === undefined) {
    throw new DeviceError('signatures of the algorithm of the device cannot be verified')
  }
  const serial = Buffer.from(identity.serialHex, 'hex')
  const signer = signerPart({ serial, profile: { oid: plainOid(last) } })
  const counter = integer(TAG.integer, claim.signatureCounter)
  const key = { key: publicKeyOf(identity), dsaEncoding: 'ieee-p1363' } as const
  for (const part of partsOf(claim)) {
    for (const time of timesOf(identity.logTimeFormat, claim.moment)) {
      const input = Buffer.concat([part, signer, counter, time])
      if (!verify(hash, input, key, claim.signature)) continue
      const { signatureCounter, signature } = claim
      return { signatureCounter, der: logMessage(input, signature) }
    }
  }
  throw new DeviceError('the signature does not verify with the certificate of the device')
}

/** Reading a certificate takes longer than verifying with it. */
const keys = new WeakMap<TseIdentity, KeyObject>()

function publicKeyOf(identity: TseIdentity): KeyObject {
  const known = keys.get(identity) ?? new X509Certificate(identity.certificate.der).publicKey
  keys.set(identity, known)
  return known
}

const FORMS = ['definite', 'indefinite'] as const

/**
 * Devices differ in the processType that they log for a start and in the form of processData, and
 * the answer does not tell.
 */
function partsOf({ operation, call, transactionNumber }: Claim): Buffer[] {
  const { clientId, processData } = call
  const others = operation === 'start' ? [' ', ...Object.values(processTypes)] : []
  return FORMS.flatMap((form) =>
    [call.processType, ...others].map((processType) =>
      transactionPart({ operation, clientId, processData, processType, transactionNumber }, form),
    ),
  )
}

/** logTime in the forms that a format may have (BSI TR-03151 1.0.1, 2.2). */
function timesOf(format: string, moment: Date): Buffer[] {
  if (format === 'unixTime') {
    return [integer(TAG.integer, moment.getTime() / 1000)]
  }
  const digits = moment.toISOString().replaceAll(/[-:TZ]/g, '')
  const [seconds = '', fraction = ''] = digits.split('.')
  if (format.startsWith('utcTime')) {
    const short = seconds.slice(2)
    return [short, short.slice(0, -2)].map((value) => timeElement(UTC_TIME, value))
  }
  if (format.startsWith('generalizedTime')) {
    return [seconds, `${seconds}.${fraction}`].map((value) => timeElement(GENERALIZED_TIME, value))
  }
  throw new DeviceError('the log time format of the device is not known')
}

const timeElement = (tag: number, value: string): Buffer =>
  element(tag, Buffer.from(`${value}Z`, 'latin1'))
