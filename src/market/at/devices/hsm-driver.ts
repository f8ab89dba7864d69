// A driver of the signing services of trust service providers: they differ in what is configured
// and in how they are called.
import type { DriverTools, ScuHead } from '../../../device/device.js'
import type { Driver, UnitEnvironment } from '../../../device/driver.js'
import {
  describeUnit,
  environmentOfUnit,
  type HsmService,
  HsmUnit,
  issuersOf,
  sharedOf,
} from './hsm-unit.js'

interface Provider extends Pick<Driver<HsmUnit>, 'configuration' | 'create'> {
  serviceOf(scu: ScuHead, tools: DriverTools): HsmService
  /** As `place` of the service; left out: its settings say nothing. */
  placeOf?(scu: ScuHead): UnitEnvironment | undefined
}

export function hsmDriver(provider: Provider): Driver<HsmUnit> {
  const { configuration, serviceOf, placeOf } = provider
  const open = (scu: ScuHead, tools: DriverTools): HsmUnit =>
    new HsmUnit(
      scu,
      tools,
      sharedOf(scu, tools, () => serviceOf(scu, tools)),
    )
  return {
    configuration,
    create: (input) => provider.create(input),
    remote: true,
    // none of them keeps anything of what it signs
    stateful: false,
    software: false,
    faults: [],
    open,
    reach: (scu, tools, limit) => open(scu, tools).reach(limit),
    maintain: async (unit, limit) => {
      await unit.reach(limit)
      return unit.nextCare()
    },
    describe: describeUnit,
    environment: (scu) => environmentOfUnit(scu, placeOf?.(scu)),
    issuers: issuersOf,
    proof: (scu, tools, ask) => open(scu, tools).proof(ask),
  }
}
