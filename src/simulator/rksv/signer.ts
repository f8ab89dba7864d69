// The emulated signing device: a P-256 key of its own, inside the process, with scripted failures.
// For tests, integrators and the sandbox; production refuses it unless told otherwise.
import { createPrivateKey, createSign, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { type CallLimit, DeviceError, type DriverTools, type ScuHead } from '../../device/device.js'
import type { Driver, NewScu } from '../../device/driver.js'
import {
  certificateEntry,
  type RksvDevice,
  type RksvIdentity,
  type RksvSignature,
  serialHexOf,
} from '../../device/rksv.js'
import { type FaultKind, type FaultStep, takeFault } from '../faults.js'
import { makeCertificate } from './certificate.js'

/** Providers that verifiers accept and that an emulator may use; AT9 and AT100 are for tests. */
const configuration = z.looseObject({
  zda: z.enum(['AT1', 'AT2', 'AT3', 'AT9', 'AT100']).default('AT100'),
})
const secrets = z.object({ privateKeyPkcs8Base64: z.string() })
const state = z.object({ certificateBase64: z.string() })

const FAULTS = [
  'unreachable',
  'error',
  'error-after',
  'delay',
  'garbage',
  'wrong-signature',
  'certificate-expired',
] as const satisfies readonly FaultKind[]

type CreateInput = Parameters<Driver<RksvDevice>['create']>[0]

async function create({
  id,
  configuration: given,
  now,
  randomBytes,
}: CreateInput): Promise<NewScu> {
  const settings = configuration.parse(given ?? {})
  const { privateKeyPkcs8, der } = await makeCertificate({
    commonName: `AT RKSV EMULATOR ${id}`,
    serialHex: newSerial(randomBytes),
    now,
  })
  return {
    configuration: JSON.stringify(settings),
    secrets: JSON.stringify({ privateKeyPkcs8Base64: privateKeyPkcs8.toString('base64') }),
    state: JSON.stringify({ certificateBase64: der.toString('base64') }),
  }
}

const SERIAL_BYTES = 8

/** 8 bytes whose first hex digit is 1 to 7: positive, and no leading zero in any notation. */
function newSerial(randomBytes: (count: number) => Buffer): string {
  const bytes = Buffer.from(randomBytes(SERIAL_BYTES))
  const first = bytes[0] ?? 0
  bytes[0] = ((((first >> 4) % 7) + 1) << 4) | (first & 0x0f)
  return bytes.toString('hex')
}

// ------------------------------------------------------------------------ device

interface Opened {
  key: KeyObject
  identity: RksvIdentity
}

const MAX_CACHED = 4096
const opened = new Map<string, Opened>()

/** Key and certificate as objects, kept by the texts they are read from: reading is slow. */
function openUnit(scu: ScuHead): Opened {
  const texts = `${scu.secrets} ${scu.configuration} ${scu.state}`
  const known = opened.get(texts)
  if (known !== undefined) return known
  const { privateKeyPkcs8Base64 } = secrets.parse(JSON.parse(scu.secrets))
  const { zda } = configuration.parse(JSON.parse(scu.configuration))
  const der = certificateOf(scu)
  const key = createPrivateKey({
    key: Buffer.from(privateKeyPkcs8Base64, 'base64'),
    format: 'der',
    type: 'pkcs8',
  })
  const identity = { zda, serialHex: serialHexOf(der), certificate: certificateEntry(der) }
  if (opened.size >= MAX_CACHED) opened.clear()
  opened.set(texts, { key, identity })
  return { key, identity }
}

function certificateOf(scu: ScuHead): Buffer {
  return Buffer.from(state.parse(JSON.parse(scu.state)).certificateBase64, 'base64')
}

class Emulator implements RksvDevice {
  private readonly scu: ScuHead
  private readonly tools: DriverTools
  private readonly unit: Opened

  constructor(scu: ScuHead, tools: DriverTools) {
    this.scu = scu
    this.tools = tools
    this.unit = openUnit(scu)
  }

  async identity(): Promise<RksvIdentity> {
    return this.unit.identity
  }

  async sign(data: Buffer, limit: CallLimit): Promise<RksvSignature> {
    const fault = takeFault(this.scu)
    if (fault !== undefined) return this.fail(fault, data, limit)
    return this.answer(this.signature(data))
  }

  /** Its own signatures are right by construction, unless a script spoils them. */
  mustVerify(): boolean {
    return this.scu.faultScript !== null
  }

  private async fail(fault: FaultStep, data: Buffer, limit: CallLimit): Promise<RksvSignature> {
    switch (fault.do) {
      case 'delay':
        await this.wait(fault.ms ?? 0, limit)
        return this.answer(this.signature(data))
      case 'garbage':
        return this.answer(Buffer.from('garbage'))
      case 'wrong-signature':
        return this.answer(this.signature(Buffer.concat([data, data])))
      case 'error-after':
        this.signature(data)
        throw new DeviceError('the answer was lost')
      case 'unreachable':
        throw new DeviceError('the device cannot be reached')
      case 'certificate-expired':
        throw new DeviceError('the certificate has expired')
      default:
        throw new DeviceError('the device reports an error')
    }
  }

  private async wait(milliseconds: number, { timeoutMs }: CallLimit): Promise<void> {
    await this.tools.sleep(Math.min(milliseconds, timeoutMs))
    if (milliseconds >= timeoutMs) {
      throw new DeviceError(`no answer within ${Math.round(timeoutMs)} ms`)
    }
  }

  private signature(data: Buffer): Buffer {
    // twice as fast as crypto.sign on Node 20
    return createSign('sha256').update(data).sign({ key: this.unit.key, dsaEncoding: 'ieee-p1363' })
  }

  private answer(signature: Buffer): RksvSignature {
    const { zda, serialHex, certificate } = this.unit.identity
    return { signature, zda, serialHex, certificate }
  }
}

export const emulator: Driver<RksvDevice> = {
  configuration,
  create,
  open: (scu, tools) => new Emulator(scu, tools),
  remote: false,
  stateful: false,
  software: true,
  faults: FAULTS,
  async describe(scu) {
    const { zda } = configuration.parse(JSON.parse(scu.configuration))
    const der = certificateOf(scu)
    return {
      certificateBase64: der.toString('base64'),
      serial: `0x${serialHexOf(der)}`,
      members: { ZDA: zda },
    }
  },
}
