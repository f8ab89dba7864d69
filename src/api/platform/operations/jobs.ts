// Long work of all merchants: how far it is, and calling it off.
import { z } from 'zod'
import { objectIn } from '../../../lib/json.js'
import { JOB_STATES } from '../../../model/job.js'
import type { JobRow } from '../../../store/event/job/jobs.js'
import { anyJson, dateTime, id, int64, uuid } from '../../shared/account/schemas.js'
import { OWN, operation } from '../operation.js'
import { directionOf, nextPlace, pageOf, pageQuery, placeIn, sortQuery } from '../place.js'

const tag = 'Jobs'
const LONGEST_KIND = 50

export const shownJob = z
  .object({
    id: id(),
    kind: z.string().describe('What is done.'),
    operatorId: id().describe('Account that it is about.'),
    operatorName: z.string().describe('Its name.'),
    askedBy: id().describe('Account that asked for it.'),
    state: z
      .enum(JOB_STATES)
      .describe('interrupted: whoever did it is not heard of any more; it is taken up again.'),
    phase: z.string().nullable().describe('A word for what it is at; null: none yet.'),
    done: int64().describe('How much is done.'),
    total: int64().nullable().describe('Of how much; null: not known yet.'),
    unit: z.string().nullable().describe('What is counted.'),
    bytes: int64().nullable().describe('Written so far.'),
    createdAt: dateTime().describe('When it was asked for (UTC).'),
    startedAt: dateTime().nullable().describe('When it began (UTC).'),
    heartbeatAt: dateTime().nullable().describe('When whoever does it was heard of last (UTC).'),
    interruptedAt: dateTime()
      .nullable()
      .describe('When whoever did it before was heard of last (UTC); null: nobody was lost.'),
    resumedAt: dateTime()
      .nullable()
      .describe('When somebody else took it up (UTC), behind its last checkpoint.'),
    finishedAt: dateTime().nullable().describe('When it ended (UTC).'),
    etaSeconds: z.int().nullable().describe('How long it may still take; null: nobody knows.'),
    result: anyJson().describe('What came of it; null: nothing yet.'),
    error: anyJson().describe('Why it failed: `code` and `text`; null: it did not.'),
  })
  .meta({ id: 'platform.Job' })

export function shownJobOf(row: JobRow): z.output<typeof shownJob> {
  const { kind, askedBy, state, phase, done, total, unit, bytes, etaSeconds } = row
  const { createdAt, startedAt, heartbeatAt, interruptedAt, resumedAt } = row
  const { finishedAt, result, error } = row
  return {
    ...{ id: row.id, kind, operatorId: row.accountId, operatorName: row.accountName, askedBy },
    ...{ state, phase, done, total, unit, bytes },
    ...{ createdAt, startedAt, heartbeatAt, interruptedAt, resumedAt, finishedAt, etaSeconds },
    result: result === null ? null : (objectIn(result) ?? null),
    error: error === null ? null : (objectIn(error) ?? null),
  }
}

export const jobPlace = z.object({ createdAt: z.iso.datetime(), id: z.uuid() })
export const jobPlaceOf = ({ place, id: one }: JobRow) => ({ createdAt: place, id: one })

const params = z.object({ id: uuid() })
const ONE = { ...OWN, tag, params } as const

export const jobOperations = [
  operation({
    ...{ ...OWN, tag },
    id: 'listJobs',
    title: 'Long work',
    text: 'Of the account and of every merchant that it may read; usually newest first.',
    method: 'GET',
    path: '/jobs',
    query: z.object({
      ...pageQuery,
      ...sortQuery('listJobs'),
      kind: z.string().max(LONGEST_KIND).optional().describe('Of this kind alone.'),
      state: z.enum(JOB_STATES).optional().describe('Of this state alone.'),
      operatorId: uuid().optional().describe('Of this merchant alone.'),
    }),
    success: { status: 200, schema: z.object({ items: z.array(shownJob), next: nextPlace() }) },
    handle: async ({ deps, account, query, culture }) => {
      const { limit, after, sort, kind, state, operatorId } = query
      const rows = await deps.jobs.list({
        ...{ accountId: account.id, kind, state, operatorId, limit: limit + 1 },
        ...{ after: placeIn(jobPlace, after, culture), direction: directionOf(sort) },
      })
      const { shown, next } = pageOf(rows, limit, jobPlaceOf)
      return { items: shown.map(shownJobOf), next }
    },
  }),
  operation({
    ...ONE,
    id: 'getJob',
    title: 'How far it is',
    method: 'GET',
    path: '/jobs/:id',
    errors: ['JOB_MISSING'],
    success: { status: 200, schema: shownJob },
    handle: async ({ deps, account, params: { id: one } }) =>
      shownJobOf(await deps.jobs.get(account.id, one)),
  }),
  operation({
    ...ONE,
    id: 'cancelJob',
    rehearsable: true,
    title: 'Call it off',
    text: 'Needs ReadWrite at the merchant, or to have asked for it. Twice is the same as once.',
    method: 'DELETE',
    path: '/jobs/:id',
    errors: ['JOB_MISSING', 'JOB_ENDED', 'RIGHTS_TOO_LOW'],
    success: { status: 200, schema: shownJob },
    handle: async ({ deps, actor, params: { id: one } }) =>
      shownJobOf(await deps.jobs.cancel(actor, one)),
  }),
]
