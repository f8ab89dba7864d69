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

/**
 * `moved`: what is known of the queue here is old. Throws SOFTWARE_DEVICE as for a receipt, and
 * when the queue is gone or the database away.
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
    write: async (notes) => {
      if (notes.length === 0) return
      for (let tries = 0; tries < TRIES; tries += 1) {
        const loaded = await open(deps, key)
        const batch = batchOf(deps, [{ loaded, entries: entriesOf(deps, loaded, notes) }])
        if ((await commitBatch(deps.store, batch)).has(key.id)) return moved()
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

/** One entry for each note, each on the position that the one before has left. */
function entriesOf(deps: SignDeps, loaded: LoadedQueue, notes: readonly OutboxNote[]) {
  let position: Position = positionOf(loaded)
  const now = deps.now()
  return notes.map((note) => {
    const { itemId, journal, actions } = note
    const state = note.state === undefined ? position.state : note.state(position.state)
    const draft = new EntryDraft({ ...position, state })
    draft.journal(journal, { itemId, now })
    for (const action of actions) draft.act(action, { itemId, now })
    const made = noteEntry(draft)
    position = made.next
    return made
  })
}
