// The French software unit: a key of its own with a self-signed certificate, sealed in the server.
import { type KeyObject, X509Certificate } from 'node:crypto'
import { z } from 'zod'
import type { DriverTools, ScuHead } from '../../device/device.js'
import type { Driver } from '../../device/driver.js'
import { type JwsDevice, type JwsIdentity, outletSettings } from '../../device/jws.js'
import { certificateEntry } from '../../device/rksv.js'
import { whenThere } from '../../lib/soon.js'
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

/** An outlet that nobody has: the sandbox signs with any digits. */
const SANDBOX_SIRET = '98765432100012'

const configuration = z.looseObject({
  siret: outletSettings.shape.siret.default(SANDBOX_SIRET),
  /** O of the certificate. */
  companyname: z.string().min(1).max(64).default('fiskalwerk demo'),
  signatureexcerpt: outletSettings.shape.signatureexcerpt,
  signatureform: outletSettings.shape.signatureform,
})

interface Opened {
  key: KeyObject
  identity: JwsIdentity
}

const openUnit = opening(
  ({ secrets, configuration, state }) => [secrets, configuration, state],
  (scu): Opened => {
    const settings = configuration.parse(JSON.parse(scu.configuration))
    const { siret, signatureexcerpt: showsExcerpt, signatureform } = settings
    const isDer = signatureform === 'der'
    const der = softCertificateOf(scu)
    const serialHex = new X509Certificate(der).serialNumber
    return {
      key: softKeyOf(scu),
      identity: { siret, serialHex, certificate: certificateEntry(der), showsExcerpt, isDer },
    }
  },
)

function open(scu: ScuHead, tools: DriverTools): JwsDevice {
  const { key, identity } = openUnit(scu)
  const { certificate } = identity
  return {
    identity: () => identity,
    sign: (data, limit) =>
      whenThere(signSoftly({ scu, tools, key }, data, limit), (signature) => ({
        signature,
        certificate,
      })),
  }
}

export const emulator: Driver<JwsDevice> = {
  configuration,
  async create({ configuration: given, now, randomBytes }) {
    const settings = configuration.parse(given ?? {})
    const made = await makeCertificate({
      commonName: settings.siret,
      organization: settings.companyname,
      serialHex: newSerial(randomBytes),
      now,
    })
    return { configuration: JSON.stringify(settings), ...softKeyTexts(made) }
  },
  open,
  reach: (scu, tools, limit) => reachSoftly({ scu, tools }, limit),
  atOnce: ['identity', 'sign'],
  remote: false,
  stateful: false,
  software: true,
  faults: SOFT_KEY_FAULTS,
  async describe(scu) {
    const { identity } = openUnit(scu)
    return {
      certificateBase64: identity.certificate.der.toString('base64'),
      serial: identity.serialHex,
      members: { Siret: identity.siret },
    }
  },
}
