// Austria (RKSV) as one entry of the market table.
// Imported by market/index.ts only.

import type { RksvDevice } from '../../device/rksv.js'
import type { Market } from '../contract.js'
import { NO_CAPABILITIES } from '../facts.js'
import { isWord } from '../kit/journal-word.js'
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
import { templates } from './rollout.js'
import { type AtState, atState, initial } from './state.js'
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
  queue: { configuration: queueConfiguration, identification, state: atState, initial, stateAt },
  process,
  preview,
  exports: [dep7, dep131Json, dep131Csv, { isStatus: true, matches: isWord('0x4154200000001001') }],
  describe: {
    queue: describeQueue,
    row: (row, { queue }) => describeMarketRow(row, queue.id),
  },
  drivers: { [REMOTE_PACKAGE]: remoteDriver },
  audit: (queue, state, secrets) => new AtAuditor(queue, state, secrets),
  rollout: { demo, templates, turnoverKey },
}
