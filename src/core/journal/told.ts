// After an export of which its country keeps a note: the work that writes it.
import { hexWord } from '../../case/word.js'
import { orderedId } from '../../lib/id.js'
import { isoText, unixMillisecondsOf } from '../../lib/ticks.js'
import type { Market } from '../../market/contract.js'
import type { Store } from '../../store/client.js'
import type { TickRange } from '../../store/journal/journal-pages.js'
import { putOff } from '../../store/sign/sign-outbox.js'

interface QueueKey {
  accountId: string
  queueId: string
}

interface Asked extends QueueKey {
  type: bigint
  range: TickRange
}

interface Deps {
  store: Store
  now(): Date
}

/** The kind of such work in the `outbox` of a country. */
const KIND = 'exported'

/** What nobody has read to its end was not given out. */
export async function* told(
  deps: Deps,
  { type, range, ...key }: Asked,
  { market, body }: { market: Market; body: AsyncIterable<string | Uint8Array> },
): AsyncGenerator<string | Uint8Array, void, undefined> {
  const until = endOf(range, deps.now())
  yield* body
  const asked = { type: hexWord(type), from: String(range.from), to: String(range.to), until }
  await tell(deps, key, { market, asked })
}

/** Everything up to `until` lies outside of the database now. */
export async function tellKept(
  deps: Deps,
  key: QueueKey,
  { market, until }: { market: Market; until: Date },
): Promise<void> {
  const asked = { type: '', from: '0', to: '0', until: isoText(until) }
  await tell(deps, key, { market, asked })
}

async function tell(
  { store, now }: Deps,
  { accountId, queueId }: QueueKey,
  { market, asked }: { market: Market; asked: object },
): Promise<void> {
  if (market.outbox?.[KIND] === undefined) return
  // every export is told, also one that is made twice
  const key = orderedId(now().getTime())
  const row = { accountId, queueId, kind: KIND, key, inMs: 0 }
  await putOff(store, { ...row, payload: JSON.stringify(asked) })
}

/** Up to when it has everything; null: a number of rows says nothing of it. */
function endOf({ to }: TickRange, began: Date): string | null {
  if (to < 0n) return null
  const end = to === 0n ? began.getTime() : Math.min(began.getTime(), unixMillisecondsOf(to))
  return isoText(new Date(end))
}
