// After an export of which its country keeps a note: the work that writes it.
import { hexWord } from '../../case/word.js'
import { orderedId } from '../../lib/id.js'
import type { Market } from '../../market/contract.js'
import type { Store } from '../../store/client.js'
import type { TickRange } from '../../store/journal/journal-pages.js'
import { putOff } from '../../store/sign/sign-outbox.js'

interface Asked {
  accountId: string
  queueId: string
  type: bigint
  range: TickRange
}

/** The kind of such work in the `outbox` of a country. */
const KIND = 'exported'

/** What nobody has read to its end was not given out. */
export async function* told(
  { store, now }: { store: Store; now(): Date },
  { accountId, queueId, type, range }: Asked,
  { market, body }: { market: Market; body: AsyncIterable<string | Uint8Array> },
): AsyncGenerator<string | Uint8Array, void, undefined> {
  yield* body
  if (market.outbox?.[KIND] === undefined) return
  const asked = { type: hexWord(type), from: String(range.from), to: String(range.to) }
  // every export is told, also one that is made twice
  const key = orderedId(now().getTime())
  await putOff(store, {
    ...{ accountId, queueId, kind: KIND, key, inMs: 0 },
    payload: JSON.stringify(asked),
  })
}
