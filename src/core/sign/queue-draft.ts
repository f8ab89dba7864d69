// A queue on its way through a batch: head and state move on in memory, what was loaded stays.
import { ticksOf } from '../../lib/ticks.js'
import type { ActionRow } from '../../model/journal.js'
import type { QueueHead } from '../../model/queue.js'
import type { ScuHead } from '../../model/scu.js'
import { queueSecrets } from '../../store/sign/queues.js'
import type { ScuMove, SignBatch } from '../../store/sign/sign-batch.js'
import type { LoadedQueue, SignDeps } from './job.js'

/** A queue on its way through a batch: the head moves on in memory, the loaded one stays. */
export interface QueueDraft {
  loaded: LoadedQueue
  head: QueueHead
  state: unknown
  notes: Set<string>
}

export function startDraft(loaded: LoadedQueue): QueueDraft {
  return { loaded, head: { ...loaded.head }, state: loaded.state, notes: new Set() }
}

export function emptyBatch(): SignBatch {
  return {
    heads: [],
    items: [],
    completions: [],
    receipts: [],
    markets: [],
    actions: [],
    certificates: [],
    operations: [],
    endings: [],
    outbox: [],
    scus: [],
  }
}

/** Ticks for the next row of this queue: now, or one more than the last. */
export function nextTick(draft: QueueDraft, now: Date): bigint {
  const wanted = ticksOf(now.getTime())
  const last = draft.head.timeStamp
  const tick = wanted > last ? wanted : last + 1n
  draft.head.timeStamp = tick
  return tick
}

export interface ActionWork {
  batch: SignBatch
  itemId: string | null
  now: Date
  action: ActionRow
}

export function pushAction(draft: QueueDraft, { batch, itemId, now, action }: ActionWork): void {
  batch.actions.push({
    ...action,
    queueId: draft.head.id,
    queueItemId: itemId,
    moment: now,
    timeStamp: nextTick(draft, now),
  })
  draft.head.lastActionId = action.id
}

export function noteOnce(draft: QueueDraft, key: string): boolean {
  if (draft.loaded.noted.has(key) || draft.notes.has(key)) return false
  draft.notes.add(key)
  return true
}

/** The head of this draft as a move of the statement. */
export function finishDraft(deps: SignDeps, draft: QueueDraft, batch: SignBatch): void {
  const { loaded } = draft
  const changed = draft.head.secrets !== loaded.head.secrets
  draft.head.state = stateText(draft)
  batch.heads.push({
    group: 0,
    version: loaded.head.version,
    next: draft.head,
    secretsSealed: changed
      ? deps.store.sealer.seal(draft.head.secrets, queueSecrets(draft.head.id))
      : null,
  })
}

/**
 * The units that these courses moved, as second heads of the statement. Courses that share one
 * are a group: all of them are written, or none.
 */
export function finishUnits(courses: readonly QueueDraft[], batch: SignBatch): void {
  courses.forEach((draft, at) => {
    const move = batch.heads[at]
    const changed = draft.head.scus.filter((unit) => unit.changed)
    if (move === undefined || changed.length === 0) return
    move.group = at + 1
    for (const scu of changed) {
      const known = batch.scus.find((one) => one.id === scu.id)
      if (known === undefined) batch.scus.push(moveOf(scu, draft, move.group))
      else unite(batch, known.group, move.group)
    }
  })
}

function moveOf(scu: ScuHead, { head }: QueueDraft, group: number): ScuMove {
  return {
    group,
    accountId: scu.accountId,
    id: scu.id,
    version: scu.version,
    state: scu.state,
    faultScript: scu.faultScript,
    timeStamp: head.timeStamp,
  }
}

function unite({ heads, scus }: SignBatch, from: number, to: number): void {
  for (const move of [...heads, ...scus]) if (move.group === from) move.group = to
}

/** After the commit. A unit that several courses share counts once. */
export function settleUnits({ head }: QueueDraft): void {
  for (const scu of head.scus.filter((unit) => unit.changed)) {
    scu.version += 1n
    scu.changed = false
  }
}

/** The market's state is checked on every write, as it is on every read. */
function stateText(draft: QueueDraft): string {
  if (draft.state === draft.loaded.state) return draft.loaded.head.state
  return JSON.stringify(draft.loaded.market.queue.state.parse(draft.state))
}
