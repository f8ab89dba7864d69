// Events: what has happened, as a stream per account.
import { z } from 'zod'
import { eventKinds } from '../../../core/event/kinds.js'
import { fail } from '../../../errors.js'
import { EVENT_TYPES } from '../../../model/event.js'
import { sentenceOf } from '../../../notify/message.js'
import { Answer } from '../../shared/account/operation.js'
import { invalid } from '../../shared/account/read.js'
import { int32, int64, uuid } from '../../shared/account/schemas.js'
import { header } from '../../shared/caller.js'
import { STREAM_HEADERS } from '../../shared/telling.js'
import { cloudEvent, cloudEventOf } from '../event-shape.js'
import { listen } from '../listening.js'
import { type AnyCall, OWN, operation } from '../operation.js'

const tag = 'Events'
const MOST = 200
const USUAL = 100
const LONGEST_WAIT = 30
const TYPES: ReadonlySet<string> = new Set(EVENT_TYPES)

const place = {
  after: int64().optional().describe('Number of the last event that you have.'),
  types: z.string().max(1_000).optional().describe('Types, separated by commas; all otherwise.'),
  cashBoxId: uuid().optional().describe('Of this CashBox alone.'),
}

/** Throws SHAPE_INVALID for a type that does not exist: it would never come. */
function typesOf({
  query,
  culture,
}: Pick<AnyCall, 'culture'> & { query: { types?: string | undefined } }) {
  const names = query.types?.split(',').map((name) => name.trim())
  const wrong = names?.find((name) => !TYPES.has(name))
  if (wrong === undefined) return names
  const { language } = culture
  const expected = sentenceOf('oneOf', language, { values: EVENT_TYPES.join(', ') })
  throw invalid({ types: [sentenceOf('faultType', language, { name: 'types', expected })] })
}

export const eventOperations = [
  operation({
    ...{ ...OWN, tag, till: 'list' as const },
    id: 'listEvents',
    title: 'Read events',
    text:
      'Oldest first, behind `after`; without it from the oldest one on. With `wait` the answer ' +
      'comes as soon as there is an event, or empty when the time is over. Go on with `next`. ' +
      'A place that is no longer kept is refused with `firstSeq`; nothing is left out in silence.',
    method: 'GET',
    path: '/events',
    query: z.object({
      ...place,
      limit: int32(1, MOST).default(USUAL).describe('Most events of the answer.'),
      wait: int32(0, LONGEST_WAIT).default(0).describe('Seconds to wait while there is none.'),
    }),
    success: {
      status: 200,
      schema: z.object({
        items: z.array(cloudEvent),
        next: int64().describe('`after` of the next call.'),
        head: int64().describe('Number of the newest event; 0: there was none.'),
        firstSeq: int64().describe('Number of the oldest event that is kept.'),
      }),
    },
    errors: ['CURSOR_TOO_OLD', 'CURSOR_AHEAD', 'STREAMS_FULL'],
    handle: async (call) => {
      const { deps, account, query, request } = call
      const { after, limit, wait, cashBoxId } = query
      const types = typesOf(call)
      const gone = new AbortController()
      const leave = wait === 0 ? undefined : deps.listeners.enter(account.id)
      const onGone = () => gone.abort()
      request.raw.socket.once('close', onGone)
      try {
        const asked = { accountId: account.id, types, cashBoxId }
        const wish = { ...asked, after, limit, waitMs: wait * 1000 }
        const page = await deps.events.page({ ...wish, signal: gone.signal })
        const { next, head, firstSeq } = page
        return { items: page.items.map(cloudEventOf), next, head, firstSeq }
      } finally {
        request.raw.socket.off('close', onGone)
        leave?.()
      }
    },
  }),
  operation({
    ...{ ...OWN, tag, till: 'list' as const },
    id: 'streamEvents',
    title: 'Follow events',
    text:
      'Server-sent events: `id` is the number, `data` the event. Goes on behind `Last-Event-ID` ' +
      'or `after`; without either it begins with what comes. Every 15 seconds a comment comes.',
    method: 'GET',
    path: '/events/stream',
    query: z.object(place),
    success: { status: 200, schema: z.string(), contentType: 'text/event-stream' },
    errors: ['CURSOR_TOO_OLD', 'CURSOR_AHEAD', 'STREAMS_FULL'],
    handle: async (call) => {
      const { deps, account, query, request } = call
      const headers = STREAM_HEADERS
      if (request.method === 'HEAD') return new Answer('', 'text/event-stream', { headers })
      const last = header(request, 'last-event-id')
      const after = last !== undefined && /^\d{1,18}$/.test(last) ? BigInt(last) : query.after
      const { cashBoxId } = query
      const asked = { request, accountId: account.id, after, types: typesOf(call), cashBoxId }
      return new Answer(await listen(deps, asked), 'text/event-stream', { headers })
    },
  }),
  operation({
    ...{ ...OWN, tag, till: 'any' as const },
    id: 'listEventTypes',
    title: 'Types of events',
    text: 'What can happen, what stands in `data`, and an example of each.',
    method: 'GET',
    path: '/event-types',
    success: {
      status: 200,
      schema: z.array(
        z.object({
          type: z.enum(EVENT_TYPES),
          text: z.string(),
          subject: z.string().describe('Kind of the thing that it happens to.'),
          data: z.record(z.string(), z.string()).describe('Members of `data` and their meaning.'),
          example: cloudEvent,
        }),
      ),
    },
    handle: ({ account }) => EVENT_TYPES.map((type) => kindOf(type, account.id)),
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'getEventSettings',
    title: 'What is told',
    method: 'GET',
    path: '/event-settings',
    success: { status: 200, schema: eventSettings() },
    handle: async ({ deps, account }) => {
      const { receipts } = await deps.events.head(account.id)
      return { receipts }
    },
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'putEventSettings',
    title: 'Choose what is told',
    text: 'Events of receipts are off unless they are switched on; they begin with the next one.',
    method: 'PUT',
    path: '/event-settings',
    body: eventSettings(),
    example: { receipts: true },
    success: { status: 200, schema: eventSettings() },
    handle: async ({ deps, account, body: { receipts } }) => {
      await deps.events.wantReceipts(account.id, receipts)
      return { receipts }
    },
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'getEvent',
    title: 'Read one event',
    method: 'GET',
    path: '/events/:seq',
    params: z.object({ seq: int64() }),
    success: { status: 200, schema: cloudEvent },
    errors: ['EVENT_UNKNOWN'],
    handle: async ({ deps, account, params: { seq } }) => {
      const row = await deps.events.one(account.id, seq)
      if (row === undefined) throw fail('EVENT_UNKNOWN', { event: String(seq) })
      return cloudEventOf(row)
    },
  }),
]

function eventSettings() {
  return z
    .object({ receipts: z.boolean().describe('An event for every signed receipt.') })
    .meta({ id: 'platform.EventSettings' })
}

const EXAMPLE_ID = '0199b2c4-8d11-7c2a-9a55-2f0f6c1d7a10'

function kindOf(type: (typeof EVENT_TYPES)[number], accountId: string) {
  const { text, subject, data, example } = eventKinds[type]
  const row = { seq: 17n, id: EXAMPLE_ID, type, ownerId: accountId, subjectKind: subject }
  const more = { cashBoxId: null, subjectId: EXAMPLE_ID, isRedacted: false }
  const at = new Date('2026-11-24T09:30:00Z')
  const event = cloudEventOf({ ...row, ...more, data: JSON.stringify(example), at })
  return { type, text, subject, data, example: event }
}
