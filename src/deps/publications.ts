// Publishing cash boxes, for whoever changes their parts. Called by dealer.ts and sales.ts.
import { camelDocument, publish, publishedDocument } from '../core/publication/publish.js'
import type { Publications } from '../core/stock/publication.js'
import { markets } from '../market/index.js'
import { asking, listStockQueues } from '../store/stock.js'
import type { Common, Workers } from './workers.js'

export function publicationsOf(
  { store, now }: Pick<Common, 'store' | 'now'>,
  signing: Pick<Workers['signing'], 'refresh'>,
): Publications {
  const deps = { store, now, markets: Object.values(markets) }
  return {
    publish: async (tx, { accountId, cashBoxId }) => {
      await publish(deps, tx, { accountId, id: cashBoxId })
    },
    read: async ({ accountId, cashBoxId }) => {
      const document = await publishedDocument(deps, { accountId, id: cashBoxId })
      return document === undefined ? null : camelDocument(document)
    },
    restart: async ({ accountId, cashBoxId }) => {
      const queues = await listStockQueues(asking(store), { accountId, cashBoxId })
      for (const { id } of queues) signing.refresh(id)
    },
  }
}
