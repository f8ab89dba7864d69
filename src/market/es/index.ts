// Spain as one entry of the market table.
import type { JwsDevice } from '../../device/jws.js'
import type { Market } from '../contract.js'
import { NO_CAPABILITIES } from '../facts.js'
import { isWord } from '../kit/journal-word.js'
import { caseRules } from './cases.js'
import { journal } from './journal.js'
import { preview, process } from './process.js'
import { identification, initial, queueConfiguration, queueState, type QueueState } from './queue.js'
import { demo } from './rollout.js'

export const spain: Market<QueueState, JwsDevice> = {
  facts: {
    code: 'ES',
    zone: 'Europe/Madrid',
    currency: 'EUR',
    legalName: 'the law of Spain',
    culture: 'en-US',
    capabilities: NO_CAPABILITIES,
  },
  cases: caseRules,
  queue: { configuration: queueConfiguration, identification, state: queueState, initial },
  process,
  preview,
  exports: [journal, { isStatus: true, matches: isWord('0x4553200000001000') }],
  describe: {
    queue: (queue, state) => ({
      ftQueueESId: queue.id,
      CashBoxIdentification: queue.identification,
      LastNumber: state.number,
      LastHash: state.lastHash === '' ? null : state.lastHash,
      TimeStamp: queue.timeStamp,
    }),
    row: (row, { queue }) => ({
      ftJournalESId: row.id,
      Number: row.number,
      JWT: row.content,
      ftQueueItemId: row.queueItemId,
      ftQueueId: queue.id,
      TimeStamp: row.timeStamp,
    }),
  },
  drivers: {},
  rollout: { demo },
}
