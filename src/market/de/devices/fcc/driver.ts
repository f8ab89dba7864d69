// Driver of D-Trust units behind the connector of the Deutsche Fiskal (FCC), as far as it is known.
import type { DriverTools, ScuHead } from '../../../../device/device.js'
import type { Driver } from '../../../../device/driver.js'
import { BY_CHAIN, describeCertified, moduleOf, proofByChain, unjudged } from '../certified-unit.js'
import { fccConfiguration, storedTexts } from './settings.js'
import { FccTse } from './tse.js'

export const FCC_PACKAGE = 'fiskalwerk.SCU.DE.DeutscheFiskal'

const open = (scu: ScuHead, tools: DriverTools): FccTse => new FccTse(scu, tools)

export const fccDriver: Driver<FccTse> = {
  configuration: fccConfiguration,
  remote: true,
  // the service takes many calls at once, and its answers are proved one by one
  stateful: false,
  software: false,
  faults: [],
  create: async (input) => storedTexts(fccConfiguration.parse(input.configuration)),
  open,
  reach: (scu, tools, limit) => open(scu, tools).info(limit),
  describe: describeCertified,
  module: moduleOf,
  ...BY_CHAIN,
  maintain: (device, limit) => device.maintain(limit),
  async proof(scu, tools, { limit }) {
    const info = await open(scu, unjudged(tools)).info(limit)
    return proofByChain(scu, tools, info)
  },
}
