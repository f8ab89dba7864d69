// Journals beside the signing: what is small is answered at once, everything else takes a place.
import type { Store } from '../../../store/client.js'
import {
  exportJournal,
  type JournalDeps,
  type JournalExport,
  type JournalInput,
  lookAt,
} from '../export.js'
import type { Beside } from './beside.js'
import type { Answer } from './serving.js'

export interface JournalOrder {
  do: 'journal'
  input: Omit<JournalInput, 'leaving'>
  /** When it was asked, in milliseconds. */
  moment: number
}

/** Throws as exportJournal, and EXPORTS_BUSY and EXPORT_LOST. */
export async function journalBeside(
  deps: JournalDeps & { beside: Beside },
  { leaving, ...input }: JournalInput,
): Promise<JournalExport> {
  const { queue, journal } = await lookAt(deps, input)
  // status, configuration and version are a few lines, and are asked for all the time
  if (journal.kind === 'object') return exportJournal(deps, input)
  const order: JournalOrder = { do: 'journal', input, moment: deps.now().getTime() }
  const by = { line: queue.cashBoxId ?? queue.id, leaving }
  const { head, body } = await deps.beside.stream(order, by)
  return { ...(head as Omit<JournalExport, 'body'>), body }
}

/** What the thread makes of it. */
export async function journalAnswer(
  { store, marketOf }: { store: Store } & Pick<JournalDeps, 'marketOf'>,
  { input, moment }: JournalOrder,
): Promise<Answer> {
  const now = new Date(moment)
  const { body, ...head } = await exportJournal({ store, marketOf, now: () => now }, input)
  return { head, body }
}
