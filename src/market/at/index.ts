// Austria (RKSV) as one entry of the market table.
// Imported by market/index.ts only.

import type { RksvDevice } from '../../device/rksv.js'
import { EMULATOR_PACKAGE, emulator } from '../../simulator/rksv/signer.js'
import { type Market, NO_CAPABILITIES } from '../contract.js'
import { AtAuditor } from './audit.js'
import { caseRules } from './case-rules.js'
import { identification, queueConfiguration } from './configuration.js'
import { demo } from './demo.js'
import { describeMarketRow, describeQueue } from './describe.js'
import { REMOTE_PACKAGE, remoteDriver } from './devices/remote.js'
import { dep7 } from './export/dep7.js'
import { dep131Json } from './export/dep131.js'
import { dep131Csv } from './export/dep131-csv.js'
import { page } from './page.js'
import { preview } from './preview.js'
import { process } from './process.js'
import { turnoverKey } from './registration.js'
import { rollout } from './rollout.js'
import { type AtState, atState, initialState } from './state.js'
import { stateAt } from './status-word.js'

export const austria: Market<AtState, RksvDevice> = {
  facts: {
    code: 'AT',
    zone: 'Europe/Vienna',
    currency: 'EUR',
    legalName: 'Registrierkassensicherheitsverordnung (RKSV)',
    culture: 'de-AT',
    capabilities: { ...NO_CAPABILITIES, unitDescriptions: true },
    page,
  },
  cases: caseRules,
  configuration: queueConfiguration,
  identification,
  turnoverKey,
  demo,
  rollout,
  state: atState,
  initialState,
  process,
  preview,
  statusTypes: ['0x4154200000001001'],
  exports: {
    '0x4154000000000001': dep7,
    '0x4154200000001002': dep7,
    '0x4154000000000131': dep131Json,
    '0x4154000000000132': dep131Csv,
  },
  describeQueue,
  stateAt,
  describeMarketRow,
  listNames: { queue: 'QueueATList', scu: 'SignaturCreationUnitATList' },
  drivers: { [EMULATOR_PACKAGE]: emulator, [REMOTE_PACKAGE]: remoteDriver },
  audit: (queue, state, secrets) => new AtAuditor(queue, state, secrets),
}
