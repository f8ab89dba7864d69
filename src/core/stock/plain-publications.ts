// Publishes a cash box from what is stored of its parts. Made by deps/dealer.ts.

import { parseJson } from '../../lib/json.js'
import { writeJson } from '../../lib/json-write.js'
import { ticksOf } from '../../lib/ticks.js'
import { readPublication, writePublication } from '../../store/publications.js'
import {
  asking,
  askingIn,
  listStockHelpers,
  listStockQueues,
  listStockUnits,
} from '../../store/stock.js'
import type { Publications } from './publication.js'
import type { StockDeps } from './stock.js'

type PublishDeps = Pick<StockDeps, 'store' | 'now'> & { refresh(queueId: string): void }

export function createPublications({ store, now, refresh }: PublishDeps): Publications {
  return {
    publish: async (tx, { accountId, cashBoxId }) => {
      const ask = askingIn(tx)
      const filter = { accountId, cashBoxId }
      const timeStamp = ticksOf(now().getTime())
      const units = await listStockUnits(ask, store, filter)
      const document = writeJson({
        helpers: (await listStockHelpers(ask, filter)).map((one) => part(one)),
        ftCashBoxId: cashBoxId,
        ftSignaturCreationDevices: units.map((one) => part({ ...one, id: one.head.id })),
        ftQueues: (await listStockQueues(ask, filter)).map((one) =>
          part(one, JSON.parse(one.configuration) as object),
        ),
        timeStamp,
      })
      await writePublication(tx, store, { accountId, id: cashBoxId, timeStamp, document })
    },
    read: async ({ accountId, cashBoxId }) => {
      const text = await readPublication(store, { accountId, id: cashBoxId })
      return text === undefined ? null : parseJson(text)
    },
    restart: async ({ accountId, cashBoxId }) => {
      const queues = await listStockQueues(asking(store), { accountId, cashBoxId })
      for (const { id } of queues) refresh(id)
    },
  }
}

interface Part {
  id: string
  packageName: string
  packageVersion: string
  urls: string[]
}

function part({ id, packageName, packageVersion, urls }: Part, configuration: object = {}) {
  return { id, package: packageName, version: packageVersion, configuration, url: urls }
}
