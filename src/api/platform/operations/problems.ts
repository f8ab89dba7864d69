// Problems: what is wrong with registers, orders, invitations and messages of all merchants.
import { z } from 'zod'
import { problemWords } from '../../../core/event/problem/words.js'
import { CSV_START, csvLines } from '../../../lib/csv.js'
import { objectIn } from '../../../lib/json.js'
import type { Language } from '../../../lib/language.js'
import { PROBLEM_KINDS } from '../../../model/problem.js'
import type { ProblemPlace, ProblemRow } from '../../../store/event/problem/problems.js'
import { Answer } from '../../shared/account/operation.js'
import { anyJson, dateTime, id, int32, moment, uuid } from '../../shared/account/schemas.js'
import { type AnyCall, OWN, operation } from '../operation.js'
import { nextPlace, pageOf, pageQuery, placeIn, SORTS, sortQuery } from '../place.js'

const tag = 'Problems'
const WORST = 3
const LONGEST_REASON = 250
/** Rows of a table that are read together. */
const PIECE = 500

const problem = z
  .object({
    id: id(),
    kind: z.enum(PROBLEM_KINDS).describe('What is wrong.'),
    severity: z.int().describe('1 to know, 2 to act, 3 at once.'),
    operatorId: id().describe('Account that has it.'),
    operatorName: z.string().describe('Its name.'),
    subject: z.string().describe('With what: kind/id.'),
    cashBoxId: id().nullable().describe('The CashBox that it concerns.'),
    since: dateTime().describe('When it began (UTC).'),
    due: dateTime().nullable().describe('When something must be done (UTC); null: no day is set.'),
    text: z.string().describe('What is wrong, and what follows from it.'),
    action: z.string().describe('The next step.'),
    details: anyJson().describe('Ids and numbers.'),
    foundAt: dateTime().describe('When it was found (UTC).'),
    clearedAt: dateTime().nullable().describe('When it was over (UTC); null: it goes on.'),
    snoozedUntil: dateTime().nullable().describe('So long it is put off (UTC).'),
    snoozeReason: z.string().nullable().describe('Why.'),
  })
  .meta({ id: 'platform.Problem' })

function shown(row: ProblemRow, language: Language): z.output<typeof problem> {
  const { kind, severity, since, due, foundAt, clearedAt, snoozedUntil, snoozeReason } = row
  return {
    ...{ id: row.id, kind, severity, operatorId: row.accountId, operatorName: row.accountName },
    ...{ subject: `${row.subjectKind}/${row.subjectId}`, cashBoxId: row.cashBoxId, since, due },
    ...problemWords(kind, language, row.details),
    details: objectIn(row.details) ?? null,
    ...{ foundAt, clearedAt, snoozedUntil, snoozeReason },
  }
}

const filters = {
  kind: z.enum(PROBLEM_KINDS).optional().describe('Of this kind alone.'),
  severity: int32(1, WORST).default(1).describe('At least.'),
  operatorId: uuid().optional().describe('Of this merchant alone.'),
  cashBoxId: uuid().optional().describe('Of this CashBox alone.'),
  cleared: z.boolean().default(false).describe('Those that are over, instead of those that go on.'),
  snoozed: z.boolean().default(false).describe('Those that were put off as well.'),
}

type Filters = z.output<z.ZodObject<typeof filters>>

const questionOf = ({ account, query }: Pick<AnyCall, 'account'> & { query: Filters }) => ({
  ...{ accountId: account.id, kind: query.kind, severity: query.severity },
  ...{ operatorId: query.operatorId, cashBoxId: query.cashBoxId },
  ...{ cleared: query.cleared, snoozed: query.snoozed },
})

const place = z.object({ rank: z.int(), at: z.iso.datetime(), id: z.uuid() })

const COLUMNS = [
  ...['id', 'kind', 'severity', 'operatorId', 'operatorName', 'subject', 'cashBoxId', 'since'],
  ...['due', 'text', 'action', 'foundAt', 'clearedAt', 'snoozedUntil', 'snoozeReason'],
] as const

const cell = (value: unknown): string =>
  value instanceof Date ? value.toISOString() : value === null ? '' : String(value)

const params = z.object({ id: uuid() })

export const problemOperations = [
  operation({
    ...{ ...OWN, tag, till: 'list' as const },
    id: 'listProblems',
    title: 'What is wrong',
    text:
      'Of the account and of every merchant that it may read; unless something else is wanted ' +
      'the worst first, and of equals the oldest. Problems clear themselves. Those of severity 3 ' +
      'are shown even when put off.',
    method: 'GET',
    path: '/problems',
    query: z.object({ ...pageQuery, ...sortQuery('listProblems'), ...filters }),
    success: { status: 200, schema: z.object({ items: z.array(problem), next: nextPlace() }) },
    handle: async (call) => {
      const { deps, query, culture } = call
      const after = placeIn(place, query.after, culture)
      const limit = query.limit + 1
      const sort = SORTS.listProblems.find((one) => one === query.sort)
      const rows = await deps.problems.list({ ...questionOf(call), sort, after, limit })
      const page = pageOf(rows, query.limit, (last) => last.place)
      return { items: page.shown.map((row) => shown(row, culture.language)), next: page.next }
    },
  }),
  operation({
    ...{ ...OWN, tag, till: 'list' as const },
    id: 'problemTable',
    title: 'What is wrong, as a table',
    text: 'CSV with semicolons for spreadsheets: all of it.',
    method: 'GET',
    path: '/problems.csv',
    query: z.object(filters),
    success: { status: 200, schema: z.string(), contentType: 'text/csv; charset=utf-8' },
    handle: (call) => {
      const headers = { 'content-disposition': 'attachment; filename="problems.csv"' }
      return new Answer(tableOf(call), 'text/csv; charset=utf-8', { headers })
    },
  }),
  operation({
    ...{ ...OWN, tag, till: 'list' as const },
    id: 'countProblems',
    title: 'How much is wrong',
    method: 'GET',
    path: '/problem-counts',
    query: z.object(filters),
    success: {
      status: 200,
      schema: z.array(
        z.object({
          kind: z.enum(PROBLEM_KINDS).describe('What is wrong.'),
          severity: z.int().describe('1 to know, 2 to act, 3 at once.'),
          count: z.int().describe('How often.'),
        }),
      ),
    },
    handle: (call) => call.deps.problems.counts(questionOf(call)),
  }),
  operation({
    ...{ ...OWN, tag, params },
    id: 'snoozeProblem',
    rehearsable: true,
    title: 'Put a problem off',
    text: 'Needs ReadWrite at the merchant. It is shown again then, or when it is found anew.',
    method: 'POST',
    path: '/problems/:id/snooze',
    body: z.object({
      until: moment().nullable().describe('Until then (UTC); null: shown again at once.'),
      reason: z.string().max(LONGEST_REASON).nullable().default(null).describe('Why.'),
    }),
    example: { until: '2030-01-07T08:00:00Z', reason: 'closed for holidays' },
    idempotent: (row, { culture }) => shown(row as ProblemRow, culture.language),
    success: { status: 200, schema: problem },
    errors: ['PROBLEM_UNKNOWN', 'RIGHTS_TOO_LOW'],
    handle: async ({ deps, actor, params: { id: one }, body, culture }) =>
      shown(await deps.problems.snooze(actor, one, body), culture.language),
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'listDetectors',
    title: 'Who looks for problems',
    text: 'Each kind has a detector that looks once a minute; its silence can be believed so long.',
    method: 'GET',
    path: '/detectors',
    success: {
      status: 200,
      schema: z.array(
        z.object({
          kind: z.enum(PROBLEM_KINDS).describe('What it looks for.'),
          text: z.string().describe('What that means.'),
          ranAt: dateTime().nullable().describe('When it looked last (UTC); null: not yet.'),
          ms: z.int().nullable().describe('How long it took, in milliseconds.'),
        }),
      ),
    },
    handle: async ({ deps, culture }) => {
      const runs = new Map((await deps.problems.detectors()).map((run) => [run.kind, run]))
      return PROBLEM_KINDS.map((kind) => {
        const { ranAt = null, ms = null } = runs.get(kind) ?? {}
        return { kind, text: problemWords(kind, culture.language).text, ranAt, ms }
      })
    },
  }),
]

async function* tableOf(
  call: Pick<AnyCall, 'deps' | 'account' | 'culture'> & { query: Filters },
): AsyncGenerator<string> {
  yield CSV_START + csvLines([[...COLUMNS]])
  const asked = { ...questionOf(call), sort: '-severity' as const, limit: PIECE }
  for (let after: ProblemPlace | undefined; ; ) {
    const rows = await call.deps.problems.list({ ...asked, after })
    const lines = rows.map((row) => {
      const one = shown(row, call.culture.language)
      return COLUMNS.map((name) => cell(one[name]))
    })
    yield csvLines(lines)
    const last = rows.at(-1)
    if (last === undefined || rows.length < PIECE) return
    after = last.place
  }
}
