// Work that was begun and not done, so that whoever logs out, or loses the computer, goes on with
// it.
import {
  type DraftKey,
  type DraftRow,
  deleteDraft,
  findDraft,
  putDraft,
} from '../../store/account/drafts.js'
import type { Store } from '../../store/client.js'

const MOST = 100
const KEPT_MS = 90 * 24 * 60 * 60 * 1000

export interface Drafts {
  /** Undefined: there is none of this name. */
  find(key: DraftKey): Promise<DraftRow | undefined>
  /** The oldest of the account make room. */
  keep(key: DraftKey, document: string): Promise<DraftRow>
  remove(key: DraftKey): Promise<void>
}

export function createDrafts({ store, now }: { store: Store; now(): Date }): Drafts {
  return {
    find: (key) => findDraft(store, key),
    keep: async (key, document) => {
      const changedAt = now()
      const before = new Date(changedAt.getTime() - KEPT_MS)
      await putDraft(store, { ...key, document, changedAt, before, most: MOST })
      return { document, changedAt }
    },
    remove: (key) => deleteDraft(store, key),
  }
}
