// Portugal (Portaria 363/2010, Despacho 8632/2014) as one entry of the market table.
import type { PtDevice } from '../../device/pt/unit.js'
import type { Market } from '../contract.js'
import { NO_CAPABILITIES } from '../facts.js'
import { seeking } from '../kit/draft.js'
import { auditorOf } from './audit.js'
import { caseRules } from './cases.js'
import { describe } from './describe.js'
import facts from './facts.json' with { type: 'json' }
import { lookUp } from './history.js'
import { page } from './page.js'
import { preview, process, stateAt } from './process.js'
import { identification, initial, type PtState, ptState, queueConfiguration } from './queue.js'
import { demo, templates } from './rollout.js'
import { isStatusWord, saft } from './saft.js'
import { workSeriesEnd } from './series.js'

export const portugal: Market<PtState, PtDevice> = {
  facts: {
    ...facts,
    capabilities: { ...NO_CAPABILITIES, unitDescriptions: true },
    page,
  },
  cases: caseRules,
  queue: {
    configuration: queueConfiguration,
    ...{ identification, state: ptState, initial, stateAt, lookUp: seeking(lookUp) },
  },
  process,
  preview,
  exports: [
    { isStatus: true, matches: isStatusWord },
    saft,
    { name: 'saft-pt.xml', run: saft.run, verified: 'alone' },
  ],
  describe,
  drivers: {},
  audit: (_queue, state) => auditorOf(state),
  outbox: { 'series-end': workSeriesEnd },
  rollout: { demo, templates },
}
