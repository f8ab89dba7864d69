// Driver of Epson devices: printers with a TSE and TSE Servers, over TCP or TLS.
import type { DriverTools, ScuHead } from '../../../../device/device.js'
import type { Driver } from '../../../../device/driver.js'
import { proofLines } from '../certified-proof.js'
import { readCertified } from '../certified-state.js'
import { describeCertified, moduleOf, unjudged } from '../certified-unit.js'
import { environmentByChain, issuersOf } from '../chain-environment.js'
import { confirmedOf, epsonConfiguration, storedTexts } from './settings.js'
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
  environment: (scu) => {
    const { identity } = readCertified(scu.state)
    return identity && environmentByChain(identity, confirmedOf(scu))
  },
  maintain: (device, limit) => device.maintain(limit),
  issuers: ({ state }) => {
    const { identity } = readCertified(state)
    return identity === undefined ? [] : issuersOf(identity)
  },
  async proof(scu, tools, { limit }) {
    const info = await open(scu, unjudged(tools)).info(limit)
    const environment = environmentByChain(info.identity, confirmedOf(scu))
    const { production } = tools
    return proofLines({ info, environment, production, now: tools.now() })
  },
}
