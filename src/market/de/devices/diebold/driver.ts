// Driver of Diebold Nixdorf devices behind their vendor's web service (dn-tse-webservice).
import type { DriverTools, ScuHead } from '../../../../device/device.js'
import type { Driver } from '../../../../device/driver.js'
import { BY_CHAIN, describeCertified, moduleOf, proofByChain, unjudged } from '../certified-unit.js'
import { dieboldConfiguration, storedTexts } from './settings.js'
import { DieboldTse } from './tse.js'

export const DIEBOLD_PACKAGE = 'fiskalwerk.SCU.DE.DieboldNixdorf'

const open = (scu: ScuHead, tools: DriverTools): DieboldTse => new DieboldTse(scu, tools)

export const dieboldDriver: Driver<DieboldTse> = {
  configuration: dieboldConfiguration,
  remote: true,
  // one command at a time, and its row knows which transactions may be open
  stateful: true,
  software: false,
  faults: [],
  create: async (input) => storedTexts(dieboldConfiguration.parse(input.configuration)),
  open,
  reach: (scu, tools, limit) => open(scu, tools).info(limit),
  describe: describeCertified,
  module: moduleOf,
  ...BY_CHAIN,
  async proof(scu, tools, { limit }) {
    return proofByChain(scu, tools, await open(scu, unjudged(tools)).info(limit))
  },
}
