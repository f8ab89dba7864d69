// Driver of units of Swissbit's cloud service (web-tse, version 2), as far as it is known.
import type { DriverTools, ScuHead } from '../../../../device/device.js'
import type { Driver, UnitEnvironment } from '../../../../device/driver.js'
import { proofLines } from '../certified-proof.js'
import {
  BY_CHAIN,
  confirmedOf,
  describeCertified,
  doubtOfUnit,
  moduleOf,
  unjudged,
} from '../certified-unit.js'
import { isForTests, storedTexts, swissbitConfiguration } from './settings.js'
import { SwissbitTse } from './tse.js'

export const SWISSBIT_CLOUD_PACKAGE = 'fiskalwerk.SCU.DE.SwissbitCloud'

const open = (scu: ScuHead, tools: DriverTools): SwissbitTse => new SwissbitTse(scu, tools)

/** A host for tests outweighs a certificate; live is only what a certificate proves. */
function environmentOfUnit(scu: ScuHead): UnitEnvironment | undefined {
  const proven = BY_CHAIN.environment(scu)
  return proven !== undefined && isForTests(scu) ? 'test' : proven
}

export const swissbitCloudDriver: Driver<SwissbitTse> = {
  configuration: swissbitConfiguration,
  remote: true,
  // the service takes many calls at once, and its answers are proved one by one
  stateful: false,
  software: false,
  faults: [],
  create: async (input) => storedTexts(swissbitConfiguration.parse(input.configuration)),
  open,
  reach: (scu, tools, limit) => open(scu, tools).info(limit),
  describe: describeCertified,
  module: moduleOf,
  environment: environmentOfUnit,
  doubt: (scu) => doubtOfUnit(scu, environmentOfUnit(scu)),
  issuers: BY_CHAIN.issuers,
  maintain: (device, limit) => device.maintain(limit),
  async proof(scu, tools, { limit }) {
    const info = await open(scu, unjudged(tools)).info(limit)
    const environment = environmentOfUnit(scu) ?? 'unknown'
    const { production } = tools
    const confirmed = confirmedOf(scu)
    return proofLines({ info, environment, confirmed, production, now: tools.now() })
  },
}
