// Which signing units of a queue may end its outage.
import type { Market } from '../../../market/contract.js'
import type { QueueHead } from '../../../model/queue.js'

/** Mode of units that are not used. */
const NOT_USED = 99

/** The one that the queue is bound to, or all in use. */
export function unitsInUse(
  { queue: { link, state: schema } }: Market,
  { state, scus }: Pick<QueueHead, 'state' | 'scus'>,
): string[] {
  const used = scus.filter(({ mode }) => (mode & 0xff) < NOT_USED).map(({ id }) => id)
  if (link === undefined) return used
  const { scuId } = link(schema.parse(JSON.parse(state)))
  return used.filter((id) => id === scuId)
}
