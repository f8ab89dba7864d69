// A country that does not exist, for tests of what is the same in all of them.
import { z } from 'zod'
import { type Exporter, type Market, NO_CAPABILITIES } from '../../src/market/contract.js'

const state = z.object({ counter: z.number() })

/** Lets its exports be chosen; everything about signing refuses to be used. */
export function makeMarket(code: string, exports: Record<string, Exporter> = {}): Market {
  const unused = () => {
    throw new Error('this market signs nothing')
  }
  return {
    facts: {
      code,
      zone: 'UTC',
      currency: 'EUR',
      legalName: 'Test',
      culture: 'en-US',
      capabilities: NO_CAPABILITIES,
    },
    cases: { country: 'AT', name: 'Austria', currency: 'EUR', vatOfRate: () => 0 },
    configuration: z.looseObject({}),
    identification: z.string(),
    state,
    initialState: () => ({ counter: 0 }),
    process: unused,
    preview: unused,
    demo: { scuPackage: '', startCase: 0n, sale: {}, journalType: '', exportFile: '' },
    exports,
    describeQueue: (queue, given) => ({
      [`ftQueue${code}Id`]: queue.id,
      Counter: state.parse(given).counter,
      TimeStamp: queue.timeStamp,
    }),
    describeMarketRow: (row, queueId) => ({
      [`ftJournal${code}Id`]: row.id,
      Number: row.number,
      Content: row.content,
      ftQueueId: queueId,
      TimeStamp: row.timeStamp,
    }),
    listNames: { queue: `Queue${code}List`, scu: `SignaturCreationUnit${code}List` },
    drivers: {},
  }
}
