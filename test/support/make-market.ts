// A country that does not exist, for tests of what is the same in all of them.
import { z } from 'zod'
import type { Export, Market } from '../../src/market/contract.js'
import { NO_CAPABILITIES } from '../../src/market/facts.js'
import { seeking } from '../../src/market/kit/draft.js'

const state = z.object({ counter: z.number() })

/** Lets its exports be chosen; everything about signing refuses to be used. */
export function makeMarket(code: string, exports: readonly Export[] = []): Market {
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
    queue: {
      configuration: z.looseObject({}),
      identification: z.string(),
      state,
      initial: () => ({ counter: 0 }),
      lookUp: seeking(),
    },
    process: unused,
    preview: unused,
    exports,
    describe: {
      queue: (queue, given) => ({
        [`ftQueue${code}Id`]: queue.id,
        Counter: state.parse(given).counter,
        TimeStamp: queue.timeStamp,
      }),
      row: (row, { queue }) => ({
        [`ftJournal${code}Id`]: row.id,
        Number: row.number,
        Content: row.content,
        ftQueueId: queue.id,
        TimeStamp: row.timeStamp,
      }),
    },
    drivers: {},
    rollout: {
      demo: { scuPackage: '', startCase: 0n, sale: {}, journalType: '', exportFile: '' },
    },
  }
}
