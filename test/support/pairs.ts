// Pairs of request and response as registers send them to be published.
import { randomUUID } from 'node:crypto'

export interface Pair {
  queueId: string
  queueItemId: string
  body: string
}

/** A pair that no queue here knows, as the published client sends it: random ids, nothing in it. */
export function unknownPair(
  members: { request?: string; response?: string; queueId?: string; queueItemId?: string } = {},
): Pair {
  const queueId = members.queueId ?? randomUUID()
  const queueItemId = members.queueItemId ?? randomUUID()
  const request =
    members.request ??
    '{"cbReceiptReference":"r-9","cbReceiptMoment":"2026-01-31T10:15:00.1234567Z",' +
      '"cbChargeItems":[],"cbPayItems":[]}'
  const rest = members.response ?? '"ftSignatures":[]'
  const ids = `"ftQueueID":"${queueId}","ftQueueItemID":"${queueItemId}"`
  const body = `{"ReceiptRequest":${request},"ReceiptResponse":{${ids},${rest}}}`
  return { queueId, queueItemId, body }
}
