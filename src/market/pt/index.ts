// Portugal (Portaria 363/2010, Despacho 8632/2014) as one entry of the market table.
import type { PtDevice } from '../../device/pt/unit.js'
import { marketOf } from '../kit/market.js'
import { auditorOf } from './audit.js'
import { caseRules } from './cases.js'
import { describe } from './describe.js'
import facts from './facts.json' with { type: 'json' }
import { lookUp } from './history.js'
import { page } from './page.js'
import { preview, process, stateAt } from './process.js'
import { identification, initial, type PtState, ptState, queueConfiguration } from './queue.js'
import { demo, templates } from './rollout.js'
import { isStatus, saft } from './saft.js'
import { workSeriesEnd } from './series.js'

export const portugal = marketOf<PtState, PtDevice>({
  ...{ facts, page, cases: caseRules, process, preview, describe, lookUp, auditorOf },
  queue: { configuration: queueConfiguration, identification, state: ptState, initial, stateAt },
  isStatus,
  exports: [saft, { name: 'saft-pt.xml', run: saft.run, verified: 'alone' }],
  drivers: {},
  outbox: { 'series-end': workSeriesEnd },
  rollout: { demo, templates },
})
