// The journal operation as tests call it, and its body as a text.
import { exportJournal, type JournalInput } from '../../src/core/journal/export.js'
import type { Market } from '../../src/market/contract.js'
import { marketOf } from '../../src/market/index.js'
import type { Store } from '../../src/store/client.js'
import type { JournalKey } from '../../src/store/journal/journal-pages.js'

export const EXPORT_TIME = new Date('2026-03-15T12:00:00Z')

export interface JournalCall {
  store: Store
  queue: JournalKey
  /** Instead of those of market/index.ts. */
  market?: Market
  /** When it is asked; left out: EXPORT_TIME. */
  now?: Date
}

export function openJournal(
  { store, queue, market, now = EXPORT_TIME }: JournalCall,
  type: bigint,
  more: Partial<Omit<JournalInput, 'type'>> = {},
) {
  const deps = {
    store,
    marketOf: (code: string) => market ?? marketOf(code),
    now: () => now,
  }
  const { accountId, queueId } = queue
  return exportJournal(deps, { accountId, queueId, type, range: { from: 0n, to: 0n }, ...more })
}

export async function journalText(
  call: JournalCall,
  type: bigint,
  more: Partial<Omit<JournalInput, 'type'>> = {},
): Promise<string> {
  const { body } = await openJournal(call, type, more)
  const parts: Buffer[] = []
  for await (const piece of body) parts.push(Buffer.from(piece))
  return Buffer.concat(parts).toString('utf8')
}
