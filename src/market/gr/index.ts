// Greece (myDATA of the AADE) as one entry of the table of markets.
import { remoteDrivers } from '../../device/gr/remote.js'
import type { GrDevice } from '../../device/gr/unit.js'
import { isWord } from '../kit/journal-word.js'
import { marketOf } from '../kit/market.js'
import { auditorOf } from './audit.js'
import { caseRules } from './cases.js'
import { books, describe } from './describe.js'
import facts from './facts.json' with { type: 'json' }
import { page } from './page.js'
import { lookUp, preview, process, stateAt } from './process.js'
import { type GrState, grState, identification, initial, queueConfiguration } from './queue.js'
import { demo, templates } from './rollout.js'
import { SEND, workSend } from './transmit.js'

export const greece = marketOf<GrState, GrDevice>({
  ...{ facts, page, cases: caseRules, process, preview, describe, lookUp, auditorOf },
  queue: { configuration: queueConfiguration, identification, state: grState, initial, stateAt },
  isStatus: isWord('0x4752200000000000', '0x4752200000001000'),
  exports: [books, { name: 'mydata.xml', run: books.run, verified: 'alone' }],
  drivers: remoteDrivers,
  outbox: { [SEND]: workSend },
  rollout: { demo, templates },
})
