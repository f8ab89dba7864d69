// Greece (myDATA of the AADE) as one entry of the table of markets.
import { remoteDrivers } from '../../device/gr/remote.js'
import type { GrDevice } from '../../device/gr/unit.js'
import type { Market } from '../contract.js'
import { NO_CAPABILITIES } from '../facts.js'
import { seeking } from '../kit/draft.js'
import { isWord } from '../kit/journal-word.js'
import { auditorOf } from './audit.js'
import { caseRules } from './cases.js'
import { books, describe } from './describe.js'
import facts from './facts.json' with { type: 'json' }
import { page } from './page.js'
import { lookUp, preview, process, stateAt } from './process.js'
import { type GrState, grState, identification, initial, queueConfiguration } from './queue.js'
import { demo, templates } from './rollout.js'
import { SEND, workSend } from './transmit.js'

export const greece: Market<GrState, GrDevice> = {
  facts: {
    ...facts,
    capabilities: { ...NO_CAPABILITIES, unitDescriptions: true },
    page,
  },
  cases: caseRules,
  queue: {
    configuration: queueConfiguration,
    ...{ identification, state: grState, initial, stateAt, lookUp: seeking(lookUp) },
  },
  process,
  preview,
  exports: [
    { isStatus: true, matches: isWord('0x4752200000000000', '0x4752200000001000') },
    books,
    { name: 'mydata.xml', run: books.run, verified: 'alone' },
  ],
  describe,
  drivers: remoteDrivers,
  audit: (_queue, state) => auditorOf(state),
  outbox: { [SEND]: workSend },
  rollout: { demo, templates },
}
