// A P-256 key of a software unit, inside the process, with scripted failures.
// For tests, integrators and the sandbox; production refuses it unless told otherwise.
import { createPrivateKey, createSign, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { type CallLimit, DeviceError, type DriverTools, type ScuHead } from '../device/device.js'
import type { Soon } from '../lib/soon.js'
import { type FaultKind, type FaultStep, takeFault } from './faults.js'

const secrets = z.object({ privateKeyPkcs8Base64: z.string() })
const state = z.object({ certificateBase64: z.string() })

/** What a script may ask of it. */
export const SOFT_KEY_FAULTS = [
  'unreachable',
  'error',
  'error-after',
  'delay',
  'garbage',
  'wrong-signature',
  'certificate-expired',
] as const satisfies readonly FaultKind[]

/** Texts of a new unit: its key, to be sealed, and its certificate. */
export function softKeyTexts(made: { privateKeyPkcs8: Buffer; der: Buffer }): {
  secrets: string
  state: string
} {
  return {
    secrets: JSON.stringify({ privateKeyPkcs8Base64: made.privateKeyPkcs8.toString('base64') }),
    state: JSON.stringify({ certificateBase64: made.der.toString('base64') }),
  }
}

/** The certificate that was made with the key. */
export function softCertificateOf(scu: ScuHead): Buffer {
  return Buffer.from(state.parse(JSON.parse(scu.state)).certificateBase64, 'base64')
}

export function softKeyOf(scu: ScuHead): KeyObject {
  const { privateKeyPkcs8Base64 } = secrets.parse(JSON.parse(scu.secrets))
  return createPrivateKey({
    key: Buffer.from(privateKeyPkcs8Base64, 'base64'),
    format: 'der',
    type: 'pkcs8',
  })
}

const SERIAL_BYTES = 8

/** 8 bytes whose first hex digit is 1 to 7: positive, and no leading zero in any notation. */
export function newSerial(randomBytes: (count: number) => Buffer): string {
  const bytes = Buffer.from(randomBytes(SERIAL_BYTES))
  const first = bytes[0] ?? 0
  bytes[0] = ((((first >> 4) % 7) + 1) << 4) | (first & 0x0f)
  return bytes.toString('hex')
}

interface SoftKey {
  scu: ScuHead
  tools: DriverTools
  key: KeyObject
  /** Left out: ES256. */
  signs?: (key: KeyObject, data: Buffer) => Buffer
}

/** Kinds that are about something else than the key. */
const ELSEWHERE = /^authority-/

/** What a call that needs no signature meets: a script that only spoils signatures lets it pass. */
export async function reachSoftly(
  { scu, tools }: Omit<SoftKey, 'key'>,
  limit: CallLimit,
): Promise<void> {
  const fault = takeFault(scu)
  if (fault === undefined || fault.do === 'wrong-signature' || ELSEWHERE.test(fault.do)) return
  if (fault.do === 'delay') await wait(tools, fault, limit)
  else throw failureOf(fault)
}

/** R and S over the bytes, or what the fault script of the unit wants instead. */
export function signSoftly(unit: SoftKey, data: Buffer, limit: CallLimit): Soon<Buffer> {
  const { scu, key, signs: signature = es256 } = unit
  const fault = takeFault(scu)
  if (fault === undefined || ELSEWHERE.test(fault.do)) return signature(key, data)
  return signBadly(unit, fault, { data, limit })
}

async function signBadly(
  { tools, key, signs: signature = es256 }: SoftKey,
  fault: FaultStep,
  { data, limit }: { data: Buffer; limit: CallLimit },
): Promise<Buffer> {
  switch (fault.do) {
    case 'delay':
      await wait(tools, fault, limit)
      return signature(key, data)
    case 'garbage':
      return Buffer.from('garbage')
    case 'wrong-signature':
      return signature(key, Buffer.concat([data, data]))
    case 'error-after':
      signature(key, data)
      throw failureOf(fault)
    default:
      throw failureOf(fault)
  }
}

const FAILURES: Partial<Record<FaultKind, string>> = {
  'error-after': 'the answer was lost',
  garbage: 'the answer of the device cannot be read',
  unreachable: 'the device cannot be reached',
  'certificate-expired': 'the certificate has expired',
}

const failureOf = ({ do: kind }: FaultStep) =>
  new DeviceError(FAILURES[kind] ?? 'the device reports an error')

async function wait(
  tools: DriverTools,
  { ms = 0 }: FaultStep,
  { timeoutMs }: CallLimit,
): Promise<void> {
  await tools.sleep(Math.min(ms, timeoutMs))
  if (ms >= timeoutMs) throw new DeviceError(`no answer within ${Math.round(timeoutMs)} ms`)
}

function es256(key: KeyObject, data: Buffer): Buffer {
  // twice as fast as crypto.sign on Node 20
  return createSign('sha256').update(data).sign({ key, dsaEncoding: 'ieee-p1363' })
}
