// Driver of a unit of one outlet (jws.ts) behind another server's group C service: the key and the
// certificate lie there, the chains here.
import { X509Certificate } from 'node:crypto'
import { z } from 'zod'
import { DeviceError, type DriverTools, type ScuHead } from '../device.js'
import type { Driver, ProofAsk, ProofLine } from '../driver.js'
import { type JwsDevice, type JwsIdentity, outletSettings } from '../jws.js'
import { lowerNames, readJson } from '../remote.js'
import { type Certified, SigningService } from './client.js'
import { proofOfOutlet } from './outlet-proof.js'
import { newServiceUnit, SERVICE_FACTS, serviceSettings, toldOf } from './settings.js'

const configuration = z.preprocess(lowerNames, serviceSettings.extend(outletSettings.shape))

export const remoteUnit: Driver<JwsDevice> = {
  ...SERVICE_FACTS,
  configuration,
  async create(input) {
    const given = configuration.parse(input.configuration)
    const { siret, signatureexcerpt, signatureform } = given
    const form = signatureform === undefined ? {} : { signatureform }
    return newServiceUnit(given, { siret, signatureexcerpt, ...form })
  },
  open,
  reach: async (scu, tools, limit) => open(scu, tools).identity(limit),
  proof,
  async describe(scu) {
    const { siret } = outletOf(scu)
    const certificateBase64 = toldOf(scu.state)?.certificateBase64 ?? ''
    const serial =
      certificateBase64 === '' ? '' : serialOf(Buffer.from(certificateBase64, 'base64'))
    return { certificateBase64, serial, members: { Siret: siret } }
  },
}

function outletOf(scu: ScuHead): z.infer<typeof outletSettings> {
  const known = outletSettings.safeParse(readJson(scu.configuration))
  if (known.success) return known.data
  throw new DeviceError('the configuration of the signing unit names no SIRET')
}

function serialOf(der: Buffer): string {
  return new X509Certificate(der).serialNumber
}

function open(scu: ScuHead, tools: DriverTools): JwsDevice {
  const service = new SigningService<JwsIdentity>({
    scu,
    tools,
    identityOf: async (told) => {
      const certificate = await told
      const { siret, signatureexcerpt: showsExcerpt, signatureform } = outletOf(scu)
      prove(certificate.der, siret, tools.now())
      const isDer = signatureform === 'der'
      return { siret, serialHex: serialOf(certificate.der), certificate, showsExcerpt, isDer }
    },
    stateOf: () => ({}),
  })
  return {
    identity: (limit) => service.identity(limit),
    sign: (data, limit) => service.sign(data, limit),
  }
}

/** Of whatever certificate there is; a signature of chance bytes proves that the key is there. */
async function proof(
  scu: ScuHead,
  tools: DriverTools,
  { limit, probe, holders }: ProofAsk,
): Promise<ProofLine[]> {
  const service = new SigningService<Certified>({
    ...{ scu, tools, stateOf: () => ({}) },
    identityOf: async (told) => ({ certificate: await told }),
  })
  const { siret } = outletOf(scu)
  const { certificate } = await service.sign(probe, limit)
  return proofOfOutlet({ der: certificate.der, siret, now: tools.now(), holders })
}

/**
 * CN is the SIRET, as verifiers want it. A certificate of others, or of another time, signs none.
 */
function prove(der: Buffer, siret: string, now: Date): void {
  const { subject, validFrom, validTo } = new X509Certificate(der)
  const lines = subject.split('\n')
  if (!lines.includes(`CN=${siret}`)) {
    const name = lines.find((one) => one.startsWith('CN=')) ?? 'without CN'
    throw new DeviceError(`the certificate is of ${name}, the unit of SIRET ${siret}`)
  }
  if (now >= new Date(validFrom) && now <= new Date(validTo)) return
  throw new DeviceError(`the certificate is valid from ${validFrom} to ${validTo}`)
}
