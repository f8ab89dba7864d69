// Driver of an Austrian signing device behind another server's group C service.
// The market's driver table lists it under its package name; the sign path calls the device.
import { z } from 'zod'
import type { DriverTools, ScuHead } from '../../device/device.js'
import type { Driver } from '../../device/driver.js'
import { lowerNames } from '../../device/remote.js'
import { zdaOf } from '../../device/remote-signer/answer.js'
import { SigningService } from '../../device/remote-signer/client.js'
import {
  newServiceUnit,
  SERVICE_FACTS,
  serviceSettings,
  toldOf,
} from '../../device/remote-signer/settings.js'
import { type RksvDevice, type RksvIdentity, serialHexOf } from '../../device/rksv.js'

/** Package under which the driver is configured. */
export const REMOTE_PACKAGE = 'fiskalwerk.SCU.AT.Remote'

const remoteConfiguration = z.preprocess(lowerNames, serviceSettings)

export const remoteDriver: Driver<RksvDevice> = {
  ...SERVICE_FACTS,
  configuration: remoteConfiguration,
  create: async (input) => newServiceUnit(remoteConfiguration.parse(input.configuration)),
  open,
  reach: async (scu, tools, limit) => open(scu, tools).identity(limit),
  async describe(scu) {
    const seen = toldOf(scu.state)
    if (seen === undefined) return { certificateBase64: '', serial: '', members: { ZDA: '' } }
    const { certificateBase64, zda = '' } = seen
    const serial = serialHexOf(Buffer.from(certificateBase64, 'base64'))
    return { certificateBase64, serial, members: { ZDA: zda } }
  },
}

function open(scu: ScuHead, tools: DriverTools): RksvDevice {
  const service = new SigningService<RksvIdentity>({
    scu,
    tools,
    identityOf: async (told, ask, limit) => {
      const [certificate, zda] = await Promise.all([told, ask({ name: 'zda' }, limit).then(zdaOf)])
      return { zda, serialHex: serialHexOf(certificate.der), certificate }
    },
    stateOf: ({ zda }) => ({ zda }),
  })
  return {
    identity: (limit) => service.identity(limit),
    sign: (data, limit) => service.sign(data, limit),
    // the service verifies every signature before it gives it out
    mustVerify: () => false,
  }
}
