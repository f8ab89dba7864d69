// Work on a queue that no caller waits for: with its units as for a receipt, and rows that are
// written with a move of its head.
import { orderedId } from '../../lib/id.js'
import type { OutboxNote, OutboxWork } from '../../market/contract.js'
import { commitBatch, loadHead, type QueueKey } from '../../store/sign/queues.js'
import { batchOf } from './commit.js'
import { EntryDraft, noteEntry, type Position, positionOf } from './entry-draft.js'
import { openQueue } from './heads.js'
import type { LoadedQueue, SignDeps } from './job.js'

export type OutsideQueue = Pick<OutboxWork, 'units' | 'write' | 'newId'>

/** Receipts may move the head meanwhile: so often it is read anew. */
const TRIES = 50

/** What was told a unit that lies in this server is not kept: a receipt has moved it meanwhile. */
export class UnitMoved extends Error {}

/**
 * `moved`: what is known of the queue here is old. Throws SOFTWARE_DEVICE as for a receipt, and
 * when the queue is gone or the database away. `write` throws UnitMoved.
 */
export async function openOutside(
  deps: SignDeps,
  key: QueueKey,
  moved: () => void,
): Promise<OutsideQueue> {
  const { slots } = await open(deps, key)
  return {
    units: slots,
    newId: () => orderedId(deps.now().getTime()),
    write: async (notes, change) => {
      if (notes.length === 0 && change === undefined) return
      for (let tries = 0; tries < TRIES; tries += 1) {
        const loaded = withMoved(await open(deps, key), slots)
        const entries = entriesOf(deps, loaded, { notes, change })
        const batch = batchOf(deps, [{ loaded, entries }])
        if ((await commitBatch(deps.store, batch)).has(key.id)) {
          settle(slots)
          return moved()
        }
        deps.observe.conflict()
      }
      throw new Error(`the queue ${key.id} moves too fast for what is to be noted`)
    },
  }
}

async function open(deps: SignDeps, key: QueueKey): Promise<LoadedQueue> {
  const head = await loadHead(deps.store, key)
  if (head === undefined) throw new Error(`the queue ${key.id} is gone`)
  return openQueue(deps, head, new Set())
}

type Slots = LoadedQueue['slots']

/** Units that calls have moved are second heads. Throws UnitMoved where a receipt moved one. */
function withMoved(loaded: LoadedQueue, slots: Slots): LoadedQueue {
  const changed = new Map(slots.flatMap(({ scu }) => (scu.changed ? [[scu.id, scu]] : [])))
  if (changed.size === 0) return loaded
  const scus = loaded.head.scus.map((scu) => {
    const own = changed.get(scu.id) ?? scu
    if (own.version !== scu.version) throw new UnitMoved(`the unit ${scu.id} was moved meanwhile`)
    return own
  })
  return { ...loaded, head: { ...loaded.head, scus } }
}

function settle(slots: Slots): void {
  for (const { scu } of slots) {
    if (!scu.changed) continue
    scu.version += 1n
    scu.changed = false
    scu.actions.length = 0
  }
}

interface Written {
  notes: readonly OutboxNote[]
  change: Parameters<OutboxWork['write']>[1]
}

/** One entry for each note, each on the position that the one before has left. */
function entriesOf(deps: SignDeps, loaded: LoadedQueue, { notes, change }: Written) {
  const now = deps.now()
  const first = positionOf(loaded)
  // the market's schema checks what comes back, as for a receipt
  let position: Position =
    change === undefined ? first : { ...first, state: change(loaded.state as never) }
  if (notes.length === 0) return [noteEntry(new EntryDraft(position))]
  return notes.map((note) => {
    const { itemId, journal, actions } = note
    const draft = new EntryDraft(position)
    draft.journal(journal, { itemId, now })
    for (const action of actions) draft.act(action, { itemId, now })
    const made = noteEntry(draft)
    position = made.next
    return made
  })
}
