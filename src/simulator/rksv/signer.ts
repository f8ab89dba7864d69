// The emulated signing device: a P-256 key of its own, inside the process, with scripted failures.
// For tests, integrators and the sandbox; production refuses it unless told otherwise.
import type { KeyObject } from 'node:crypto'
import { z } from 'zod'
import type { CallLimit, DriverTools, ScuHead } from '../../device/device.js'
import type { Driver, NewScu } from '../../device/driver.js'
import {
  certificateEntry,
  type RksvDevice,
  type RksvIdentity,
  type RksvSignature,
  serialHexOf,
} from '../../device/rksv.js'
import { type Soon, whenThere } from '../../lib/soon.js'
import { makeCertificate } from '../certificate.js'
import { opening } from '../opened.js'
import {
  newSerial,
  reachSoftly,
  SOFT_KEY_FAULTS,
  signSoftly,
  softCertificateOf,
  softKeyOf,
  softKeyTexts,
} from '../soft-key.js'

/** Providers that verifiers accept and that an emulator may use; AT9 and AT100 are for tests. */
const configuration = z.looseObject({
  zda: z.enum(['AT1', 'AT2', 'AT3', 'AT9', 'AT100']).default('AT100'),
})

type CreateInput = Parameters<Driver<RksvDevice>['create']>[0]

async function create({
  id,
  configuration: given,
  now,
  randomBytes,
}: CreateInput): Promise<NewScu> {
  const settings = configuration.parse(given ?? {})
  const made = await makeCertificate({
    commonName: `AT RKSV EMULATOR ${id}`,
    serialHex: newSerial(randomBytes),
    now,
  })
  return {
    configuration: JSON.stringify(settings),
    ...softKeyTexts(made),
  }
}

// ------------------------------------------------------------------------ device

interface Opened {
  key: KeyObject
  identity: RksvIdentity
}

const openUnit = opening(
  ({ secrets, configuration, state }) => [secrets, configuration, state],
  (scu): Opened => {
    const { zda } = configuration.parse(JSON.parse(scu.configuration))
    const der = softCertificateOf(scu)
    const identity = { zda, serialHex: serialHexOf(der), certificate: certificateEntry(der) }
    return { key: softKeyOf(scu), identity }
  },
)

class Emulator implements RksvDevice {
  private readonly scu: ScuHead
  private readonly tools: DriverTools
  private readonly unit: Opened

  constructor(scu: ScuHead, tools: DriverTools) {
    this.scu = scu
    this.tools = tools
    this.unit = openUnit(scu)
  }

  identity(): RksvIdentity {
    return this.unit.identity
  }

  sign(data: Buffer, limit: CallLimit): Soon<RksvSignature> {
    const { scu, tools } = this
    const made = signSoftly({ scu, tools, key: this.unit.key }, data, limit)
    return whenThere(made, (signature) => this.signed(signature))
  }

  private signed(signature: Buffer): RksvSignature {
    const { zda, serialHex, certificate } = this.unit.identity
    return { signature, zda, serialHex, certificate }
  }

  /** Its own signatures are right by construction, unless a script spoils them. */
  mustVerify(): boolean {
    return this.scu.faultScript !== null
  }
}

export const emulator: Driver<RksvDevice> = {
  configuration,
  create,
  open: (scu, tools) => new Emulator(scu, tools),
  reach: (scu, tools, limit) => reachSoftly({ scu, tools }, limit),
  atOnce: ['identity', 'sign'],
  remote: false,
  stateful: false,
  software: true,
  faults: SOFT_KEY_FAULTS,
  async describe(scu) {
    const { zda } = configuration.parse(JSON.parse(scu.configuration))
    const der = softCertificateOf(scu)
    return {
      certificateBase64: der.toString('base64'),
      serial: `0x${serialHexOf(der)}`,
      members: { ZDA: zda },
    }
  },
}
