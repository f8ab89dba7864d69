// Who has changed what: by the account, for it, or about it.
import { z } from 'zod'
import { type AuditLine, auditLines } from '../../../core/audit/reading.js'
import { CSV_START, csvLines } from '../../../lib/csv.js'
import { writeJson } from '../../../lib/json-write.js'
import { Answer } from '../../shared/account/operation.js'
import { anyJson, dateTime, dayOrMoment, id } from '../../shared/account/schemas.js'
import { type AnyCall, OWN, operation } from '../operation.js'
import { directionOf, nextPlace, pageOf, pageQuery, placeIn, sortQuery } from '../place.js'

const tag = 'Audit'
const LONGEST_NAME = 100
/** Rows of a table that are read together. */
const PIECE = 500

const line = z
  .object({
    id: id(),
    at: dateTime().describe('When (UTC).'),
    operation: z.string().describe('The operation id of the call.'),
    accountId: id().describe('Account that has done it.'),
    accountName: z.string().describe('Its name.'),
    personId: id().nullable().describe('Who of it, in the portal; null: a program.'),
    personName: z.string().nullable().describe('The name, for people of the own account.'),
    apiKeyId: id().nullable().describe('With which API key; null: with none.'),
    apiKeyName: z.string().nullable().describe('The name, for own keys that are still there.'),
    onBehalfOf: id().nullable().describe('Merchant that it was done for; null: itself.'),
    subjects: anyJson().describe('Names to ids or numbers of what was changed.'),
    before: anyJson().describe('As it was, secrets and personal data masked; null: not there.'),
    after: anyJson().describe('As it is since, masked in the same way; null: it is gone.'),
    traceId: z.string().describe('Finds the call in the log.'),
  })
  .meta({ id: 'platform.AuditLine' })

/** People and keys of another account are no business of this one. */
function shown(row: AuditLine, own: string): z.output<typeof line> {
  const { moment: at, operation: name, accountId, accountName, onBehalfOf, traceId } = row
  const isOwn = accountId === own
  return {
    ...{ id: row.id, at, operation: name, accountId, accountName },
    ...{ personId: isOwn ? row.personId : null, personName: row.personName },
    ...{ apiKeyId: isOwn ? row.apiKeyId : null, apiKeyName: row.apiKeyName },
    ...{ onBehalfOf, subjects: row.subjects, before: row.before, after: row.after, traceId },
  }
}

const filters = {
  operation: z.string().max(LONGEST_NAME).optional().describe('Of this operation alone.'),
  from: dayOrMoment().describe('Not before this moment (UTC).'),
  to: dayOrMoment().describe('Before this moment (UTC).'),
}

type Filters = z.output<z.ZodObject<typeof filters>>

const place = z.object({ id: z.uuid() })
const placeOf = ({ id: one }: AuditLine) => ({ id: one })

const COLUMNS = [
  ...['id', 'at', 'operation', 'accountId', 'accountName', 'personName', 'apiKeyName'],
  ...['onBehalfOf', 'subjects', 'before', 'after', 'traceId'],
] as const

function cell(value: unknown): string {
  if (value === null) return ''
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' ? value : writeJson(value)
}

export const auditOperations = [
  operation({
    ...{ ...OWN, tag },
    id: 'listAudit',
    title: 'Who has changed what',
    text:
      'What the account has changed, what others have changed for it, and what concerns it; ' +
      'usually newest first. Every change of groups A and F and of the portal has a line, ' +
      'written in the transaction that makes it.',
    method: 'GET',
    path: '/audit',
    query: z.object({ ...pageQuery, ...sortQuery('listAudit'), ...filters }),
    success: { status: 200, schema: z.object({ items: z.array(line), next: nextPlace() }) },
    handle: async ({ deps: { store }, account, query, culture }) => {
      const { limit, after, sort, ...asked } = query
      const before = placeIn(place, after, culture)?.id
      const direction = directionOf(sort)
      const question = { ...asked, accountId: account.id, before, direction, limit: limit + 1 }
      const page = pageOf(await auditLines(store, question), limit, placeOf)
      return { items: page.shown.map((row) => shown(row, account.id)), next: page.next }
    },
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'auditTable',
    title: 'Who has changed what, as a table',
    text: 'CSV with semicolons for spreadsheets: all of it, newest first.',
    method: 'GET',
    path: '/audit.csv',
    query: z.object(filters),
    success: { status: 200, schema: z.string(), contentType: 'text/csv; charset=utf-8' },
    handle: (call) => {
      const headers = { 'content-disposition': 'attachment; filename="audit.csv"' }
      return new Answer(tableOf(call), 'text/csv; charset=utf-8', { headers })
    },
  }),
]

async function* tableOf({
  deps: { store },
  account,
  query,
}: Pick<AnyCall, 'deps' | 'account'> & { query: Filters }): AsyncGenerator<string> {
  yield CSV_START + csvLines([[...COLUMNS]])
  for (let before: string | undefined; ; ) {
    const asked = { ...query, accountId: account.id, before, limit: PIECE }
    const rows = await auditLines(store, asked)
    yield csvLines(
      rows.map((row) => {
        const one = shown(row, account.id)
        return COLUMNS.map((name) => cell(one[name]))
      }),
    )
    const last = rows.at(-1)
    if (last === undefined || rows.length < PIECE) return
    before = last.id
  }
}
