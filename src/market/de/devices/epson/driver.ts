// Driver of Epson devices: printers with a TSE and TSE Servers, over TCP or TLS.
import type { DriverTools, ScuHead } from '../../../../device/device.js'
import type { Driver } from '../../../../device/driver.js'
import { BY_CHAIN, describeCertified, moduleOf, proofByChain, unjudged } from '../certified-unit.js'
import { epsonConfiguration, storedTexts } from './settings.js'
import { EpsonTse } from './tse.js'

export const EPSON_PACKAGE = 'fiskalwerk.SCU.DE.Epson'

const open = (scu: ScuHead, tools: DriverTools): EpsonTse => new EpsonTse(scu, tools)

export const epsonDriver: Driver<EpsonTse> = {
  configuration: epsonConfiguration,
  remote: true,
  // one command at a time, and the newest counter tells which answers are new
  stateful: true,
  software: false,
  faults: [],
  create: async (input) => storedTexts(epsonConfiguration.parse(input.configuration)),
  open,
  reach: (scu, tools, limit) => open(scu, tools).info(limit),
  describe: describeCertified,
  module: moduleOf,
  ...BY_CHAIN,
  maintain: (device, limit) => device.maintain(limit),
  async proof(scu, tools, { limit }) {
    return proofByChain(scu, tools, await open(scu, unjudged(tools)).info(limit))
  },
}
