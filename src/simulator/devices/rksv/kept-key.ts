// The key and the counters of a simulated Austrian service, where they are kept in a file.
import { type Found, type StateFile, wholeRecord } from '../state-file.js'
import { type Leaf, leafText, readLeaf } from './chain.js'

export type ServiceState = { file: StateFile; found: Found } | undefined

const KEY = 'service'

export function keepService(state: ServiceState, leaf: Leaf, counters: object): void {
  state?.file.save([wholeRecord(KEY, { ...counters, leaf: leafText(leaf) })])
}

/** Members of the service as they were kept; none: it is new. */
export function keptService(state: ServiceState): object {
  const found = state?.found.get(KEY)
  if (found === undefined) return {}
  const { leaf, ...counters } = found as { leaf: ReturnType<typeof leafText> }
  return { ...counters, leaf: readLeaf(leaf) }
}
