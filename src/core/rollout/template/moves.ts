// What a template takes away from other cash boxes: Queues only when it is asked to by name, and
// the cash boxes that lose one, or whose parts are changed, are told so.
import type { JsonObject, JsonValue } from '../../../lib/json.js'
import { memberOf, rowsMember, textMember, withMembers } from '../../../lib/json-object.js'
import { writeJson } from '../../../lib/json-write.js'
import { GLOBAL_HELPER } from '../../../model/rollout.js'
import {
  boxesBeside,
  type HeldElsewhere,
  markBoxesChanged,
  publicationText,
  queuesElsewhere,
} from '../../../store/rollout/components.js'
import { replacePublication } from '../../../store/rollout/publications.js'
import type { Transaction } from '../../../store/transaction.js'
import { publishedDocument } from '../publication/publish.js'
import { momentOf, type Planned, type WriteDeps } from './execution-context.js'
import { Faults, invalid } from './plan.js'

const NAME = 'move'

/** `move=true` in the query, or `"move": true` in the template. */
export function asksToMove(query: ReadonlyMap<string, string>, root: JsonObject): boolean {
  const given: JsonValue | undefined = query.get(NAME) ?? memberOf(root, NAME)
  if (given === undefined || given === null) return false
  const word = typeof given === 'string' ? given.trim().toLowerCase() : given
  if (word === true || word === 'true') return true
  if (word === false || word === 'false') return false
  const faults = new Faults()
  faults.add(NAME, 'Expected true or false.')
  throw invalid(faults)
}

interface Moving {
  accountId: string
  planned: Planned
}

/** The Queues that leave another cash box. Throws SHAPE_INVALID where nobody asked for that. */
export async function movedQueues(
  tx: Transaction,
  { accountId, planned }: Moving,
): Promise<HeldElsewhere[]> {
  const { box, queues } = planned
  const ids = queues.map(({ id }) => id)
  const found = await queuesElsewhere(tx, { accountId, id: box.id }, ids)
  if (found.length === 0 || planned.moves) return found
  const faults = new Faults()
  for (const { id, cashBoxId } of found) {
    const path = queues.find((queue) => queue.id === id)?.path ?? 'ftQueues'
    const text = `The CashBox ${cashBoxId} holds this Queue.`
    faults.add(`${path}.Id`, `${text} With move=true it is taken out of there.`)
  }
  throw invalid(faults)
}

/** After everything is written: who lost a Queue, or has parts that look different now. */
export async function tellOthers(
  deps: WriteDeps,
  tx: Transaction,
  { accountId, planned, moved }: Moving & { moved: readonly HeldElsewhere[] },
): Promise<void> {
  const { box, units, helpers } = planned
  const changed = [...units, ...helpers].filter(({ short, id }) => !short && id !== GLOBAL_HELPER)
  const ids = changed.map(({ id }) => id)
  const beside = await boxesBeside(tx, { accountId, id: box.id }, { scus: ids, helpers: ids })
  const losing = moved.map(({ cashBoxId }) => cashBoxId)
  const { stamp } = momentOf(deps, 0)
  const others = [...new Set([...losing, ...beside])]
  if (others.length > 0) await markBoxesChanged(tx, { accountId, ids: others, stamp })
  for (const id of new Set(losing)) {
    const left = moved.filter(({ cashBoxId }) => cashBoxId === id).map((one) => one.id)
    await withdraw(deps, tx, { accountId, id, left })
  }
}

/** Its download has the Queue no more. */
async function withdraw(
  deps: WriteDeps,
  tx: Transaction,
  { accountId, id, left }: { accountId: string; id: string; left: readonly string[] },
): Promise<void> {
  const document = await publishedDocument(deps, { accountId, id }, tx)
  if (document === undefined) return
  const queues = rowsMember(document, 'ftQueues').filter(
    (queue) => !left.includes(textMember(queue, 'Id')?.toLowerCase() ?? ''),
  )
  const text = writeJson(withMembers(document, { ftQueues: queues }))
  const documentSealed = deps.store.sealer.seal(text, publicationText(id))
  await replacePublication(tx, { accountId, id, documentSealed })
}
