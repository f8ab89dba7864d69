// The files of a bundle about reports to authorities: what was to be told, by when, what became of
// it, and what was told where that is a picture of the whole.
import { CSV_START, csvLines } from '../../../lib/csv.js'
import type { Store } from '../../../store/client.js'
import { inspectedReports } from '../../../store/event/report/inspected.js'
import type { Plan, Wish } from './plan.js'

const COLUMNS = [
  ...['id', 'kind', 'subject', 'occasion', 'register', 'moment', 'due', 'state', 'doneOn'],
  ...['reference', 'note'],
]

export async function reportFiles(
  { pool }: Pick<Store, 'pool'>,
  { accountId, wish, plan }: { accountId: string; wish: Wish; plan: Plan },
  files: Map<string, string>,
): Promise<void> {
  const rows = await inspectedReports(
    { pool },
    {
      ...{ accountId, from: new Date(wish.from), to: new Date(wish.to) },
      queueIds: plan.queues.map(({ id }) => id),
      outlets: plan.queues.map(({ outletNumber }) => outletNumber ?? 1),
    },
  )
  if (rows.length === 0) return
  const names = new Map(plan.queues.map(({ id, identification }) => [id, identification]))
  const lines = rows.map((row) => [
    ...[row.id, row.kind, row.subject, row.occasion, names.get(row.queueId ?? '') ?? ''],
    ...[row.moment.toISOString(), row.due.toISOString(), row.state, row.doneOn ?? ''],
    ...[row.reference ?? '', row.note ?? ''],
  ])
  files.set('reports/submissions.csv', CSV_START + csvLines([COLUMNS, ...lines]))
  for (const { id, told } of rows) {
    if (told !== null) files.set(`reports/told/${id}.json`, `${told}\n`)
  }
}
