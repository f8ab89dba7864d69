// Driver of an Austrian signing device behind another server's group C service.
// The market's driver table lists it under its package name; the sign path calls the device.
import { z } from 'zod'
import { type DriverTools, type ScuHead, UnitBroken } from '../../device/device.js'
import {
  type Driver,
  mayUse,
  type ProofAsk,
  type ProofLine,
  type UnitEnvironment,
} from '../../device/driver.js'
import { verifies } from '../../device/es256.js'
import { lowerNames } from '../../device/remote.js'
import { zdaOf } from '../../device/remote-signer/answer.js'
import { SigningService } from '../../device/remote-signer/client.js'
import {
  chainOf,
  newServiceUnit,
  SERVICE_FACTS,
  serviceSettings,
  toldOf,
} from '../../device/remote-signer/settings.js'
import { type RksvDevice, type RksvIdentity, serialHexOf } from '../../device/rksv.js'
import { environmentOf, fingerprintOf, type Told } from './devices/certificate.js'
import { settingsOf } from './devices/hsm-unit.js'
import { proofOf } from './devices/proof.js'

/** Package under which the driver is configured. */
export const REMOTE_PACKAGE = 'fiskalwerk.SCU.AT.Remote'

const remoteConfiguration = z.preprocess(lowerNames, serviceSettings)

export const remoteDriver: Driver<RksvDevice> = {
  ...SERVICE_FACTS,
  configuration: remoteConfiguration,
  create: async (input) => newServiceUnit(remoteConfiguration.parse(input.configuration)),
  open,
  reach: async (scu, tools, limit) => open(scu, tools).identity(limit),
  environment: (scu) => {
    const told = lastTold(scu)
    return told && environmentIn(scu, told)
  },
  issuers: (scu) => (lastTold(scu)?.chain ?? []).map(fingerprintOf),
  proof,
  async describe(scu) {
    const seen = toldOf(scu.state)
    if (seen === undefined) return { certificateBase64: '', serial: '', members: { ZDA: '' } }
    const { certificateBase64, zda = '' } = seen
    const serial = serialHexOf(Buffer.from(certificateBase64, 'base64'))
    return { certificateBase64, serial, members: { ZDA: zda } }
  },
}

function open(scu: ScuHead, tools: DriverTools): RksvDevice {
  const service = serviceOf(scu, tools)
  let judged: { identity: RksvIdentity; by: string } | undefined
  const identity: RksvDevice['identity'] = async (limit) => {
    const told = await service.identity(limit)
    // its certificates are read once
    if (judged?.identity !== told || judged.by !== scu.configuration) demandUsable(scu, tools, told)
    judged = { identity: told, by: scu.configuration }
    return told
  }
  return {
    identity,
    sign: (data, limit) => service.sign(data, limit),
    // the service verifies every signature before it gives it out
    mustVerify: () => false,
  }
}

function serviceOf(scu: ScuHead, tools: DriverTools): SigningService<RksvIdentity> {
  return new SigningService<RksvIdentity>({
    scu,
    tools,
    identityOf: async (told, ask, limit) => {
      const [certificate, zda] = await Promise.all([told, ask({ name: 'zda' }, limit).then(zdaOf)])
      return { zda, serialHex: serialHexOf(certificate.der), certificate }
    },
    stateOf: ({ zda }) => ({ zda }),
  })
}

// ------------------------------------------------------------------------- test or live

const toldBy = ({ zda, certificate: { der, chain } }: RksvIdentity): Told => ({ zda, der, chain })

/** The issuers stand in the settings: the service tells the certificate alone. */
function lastTold(scu: ScuHead): Told | undefined {
  const seen = toldOf(scu.state)
  if (seen?.zda === undefined) return undefined
  const der = Buffer.from(seen.certificateBase64, 'base64')
  return { zda: seen.zda, der, chain: chainOf(scu) }
}

function environmentIn(scu: ScuHead, told: Told): UnitEnvironment {
  return environmentOf(told, settingsOf(scu).confirmed)
}

/** Throws UnitBroken. Of a server that does not say what it is, everything may be used. */
function demandUsable(scu: ScuHead, { production }: DriverTools, identity: RksvIdentity): void {
  if (production === undefined) return
  const environment = environmentIn(scu, toldBy(identity))
  if (mayUse(environment, production)) return
  const server = production ? 'production' : 'a sandbox'
  throw new UnitBroken(`the unit is ${environment}, the server ${server}: see scu check`)
}

/** A signature of chance bytes proves that the key is there; it costs one. */
async function proof(scu: ScuHead, tools: DriverTools, ask: ProofAsk): Promise<ProofLine[]> {
  const { limit, probe, holders } = ask
  const service = serviceOf(scu, tools)
  const identity = await service.identity(limit)
  const { signature } = await service.sign(probe, limit)
  const isOwn = verifies(probe, { ...identity, signature })
  const environment = environmentIn(scu, toldBy(identity))
  const { production } = tools
  return proofOf(toldBy(identity), { production, now: tools.now(), isOwn, holders, environment })
}
