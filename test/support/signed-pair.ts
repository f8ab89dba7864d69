// A receipt that the shop's Austrian queue has signed, as the pair that is published.
import { expect } from 'vitest'
import { headersOf } from './app.js'
import type { Pair } from './pairs.js'
import { saleText } from './receipts.js'
import type { Shop } from './shop.js'

export interface SignedPair extends Pair {
  request: string
  response: string
}

export async function signedPair(
  shop: Shop,
  members: Parameters<typeof saleText>[0] = {},
): Promise<SignedPair> {
  const request = saleText(members)
  const answer = await shop.app.inject({
    method: 'POST',
    url: `/${shop.box.queueId}/json/v1/sign`,
    headers: { ...headersOf(shop.box), 'content-type': 'application/json' },
    payload: request,
  })
  expect(answer.statusCode, answer.body).toBe(200)
  const { ftQueueItemID: queueItemId } = answer.json<{ ftQueueItemID: string }>()
  const body = `{"ReceiptRequest":${request},"ReceiptResponse":${answer.body}}`
  return { request, response: answer.body, queueItemId, queueId: shop.box.queueId, body }
}

/** Where group D reads and updates it. */
export const issueAddress = (pair: Pick<Pair, 'queueId' | 'queueItemId'>): string =>
  `/issue/${pair.queueId}/${pair.queueItemId}`
