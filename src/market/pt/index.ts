// Portugal (Portaria 363/2010, Despacho 8632/2014) as one entry of the market table.
import type { PtDevice } from '../../device/pt/unit.js'
import type { Market } from '../contract.js'
import { NO_CAPABILITIES } from '../facts.js'
import { seeking } from '../kit/draft.js'
import { auditorOf } from './audit.js'
import { caseRules } from './cases.js'
import { describe } from './describe.js'
import { lookUp } from './history.js'
import lists from './lists.json' with { type: 'json' }
import { page } from './page.js'
import { preview, process, stateAt } from './process.js'
import { identification, initial, type PtState, ptState, queueConfiguration } from './queue.js'
import { demo, templates } from './rollout.js'
import { isStatusWord, saft } from './saft.js'
import { workSeriesEnd } from './series.js'

export const portugal: Market<PtState, PtDevice> = {
  facts: {
    ...{ code: 'PT', zone: 'Europe/Lisbon', currency: 'EUR', culture: 'pt-PT' },
    legalName: 'Portaria n.º 363/2010, Despacho n.º 8632/2014, Portaria n.º 302/2016',
    holidays: { fixed: lists.holidays, easter: [-2, 0, 60] },
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
