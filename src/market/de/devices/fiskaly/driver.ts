// Driver of units of the cloud service fiskaly SIGN DE v2 (OpenAPI 2.1.35).
import type { DriverTools, ScuHead } from '../../../../device/device.js'
import type { Driver } from '../../../../device/driver.js'
import { proofLines } from '../certified-proof.js'
import { environmentOf } from '../certified-state.js'
import {
  confirmedOf,
  describeCertified,
  doubtOfUnit,
  issuersOfUnit,
  moduleOf,
  unjudged,
} from '../certified-unit.js'
import { fiskalyConfiguration, storedTexts } from './settings.js'
import { FiskalyTse } from './tse.js'

export const FISKALY_PACKAGE = 'fiskalwerk.SCU.DE.Fiskaly'

const open = (scu: ScuHead, tools: DriverTools): FiskalyTse => new FiskalyTse(scu, tools)

export const fiskalyDriver: Driver<FiskalyTse> = {
  configuration: fiskalyConfiguration,
  remote: true,
  // the service takes many calls at once, and its answers are proved one by one
  stateful: false,
  software: false,
  faults: [],
  create: async (input) => storedTexts(fiskalyConfiguration.parse(input.configuration)),
  open,
  reach: (scu, tools, limit) => open(scu, tools).info(limit),
  describe: describeCertified,
  module: moduleOf,
  environment: ({ state }) => environmentOf(state),
  doubt: (scu) => doubtOfUnit(scu, environmentOf(scu.state)),
  issuers: issuersOfUnit,
  async close(device) {
    device.forget()
  },
  /** A fresh token before the old one ends, so that no register waits for it. */
  maintain: (device, limit) => device.freshen(limit),
  async proof(scu, tools, { limit }) {
    const info = await open(scu, unjudged(tools)).info(limit)
    const environment = environmentOf(scu.state) ?? 'unknown'
    const { production } = tools
    const confirmed = confirmedOf(scu)
    return proofLines({ info, environment, confirmed, production, now: tools.now() })
  },
}
