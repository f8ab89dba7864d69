// Publishing cash boxes, for whoever changes their parts.

import type { Publications } from '../core/rollout/inventory/publication.js'
import { camelDocument, publish, publishedDocument } from '../core/rollout/publication/publish.js'
import { markets } from '../market/index.js'
import { asking, listStockQueues } from '../store/rollout/inventory.js'
import type { Common } from './workers.js'

/** What is remembered of a cash box and its queues; read anew when it is asked for next. */
export type Forget = (cashBoxId: string, queueIds: readonly string[]) => void

export function publicationsOf(
  { store, now }: Pick<Common, 'store' | 'now'>,
  forget: Forget,
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
      forget(
        cashBoxId,
        queues.map(({ id }) => id),
      )
    },
  }
}
