// Items of a remote device that a crash left without an answer are named once in the action
// journal, and stay as they are. Run at the start and from time to time; called by sign.ts.
import { orderedId } from '../../lib/id.js'
import { isAway } from '../../store/client.js'
import { commitBatch, loadHead, type QueueKey } from '../../store/sign/queues.js'
import { findUnfinished, UNFINISHED_TYPE } from '../../store/sign/unfinished.js'
import { batchOf } from './commit.js'
import { EntryDraft, noteEntry, positionOf } from './entry-draft.js'
import { openQueue } from './heads.js'
import type { SignDeps } from './job.js'

/** Writes the entries that are due; returns how many. Throws when the database does not answer. */
export async function noteUnfinished(deps: SignDeps): Promise<number> {
  const due = await findUnfinished(deps.store, deps.now())
  const queues = new Map(due.map((item) => [item.queueId, item.accountId]))
  let noted = 0
  for (const [id, accountId] of queues) {
    try {
      noted += await noteQueue(deps, { accountId, id })
    } catch (error) {
      if (isAway(error)) throw error
      // one broken queue must not keep the others from being told
      deps.log.error({ err: error, queueId: id }, 'unfinished items cannot be noted')
    }
  }
  return noted
}

/**
 * An entry is written with a move of the queue's head, which was read before the items: two servers
 * cannot both write it. The slower one finds the head moved, and looks again the next time.
 */
async function noteQueue(deps: SignDeps, key: QueueKey): Promise<number> {
  const head = await loadHead(deps.store, key)
  if (head === undefined) return 0
  const now = deps.now()
  const items = await findUnfinished(deps.store, now, key)
  if (items.length === 0) return 0
  const loaded = openQueue(deps, head, new Set())
  const draft = new EntryDraft(positionOf(loaded))
  for (const { id, row } of items) {
    const action = {
      id: orderedId(now.getTime()),
      priority: 0x10,
      type: UNFINISHED_TYPE,
      message: `Row ${row} was accepted, but the server stopped before it was finished.`,
      dataJson: null,
      dataBase64: null,
    }
    draft.act(action, { itemId: id, now })
  }
  const batch = batchOf(deps, [{ loaded, entries: [noteEntry(draft)] }])
  const won = await commitBatch(deps.store, batch)
  return won.has(key.id) ? items.length : 0
}
