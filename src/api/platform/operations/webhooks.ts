// Webhooks: events of the account's stream, brought to an address of its own.
import { z } from 'zod'
import type { CallEnd } from '../../../core/event/webhook-call.js'
import type { MadeWebhook, RotatedSecret, ShownWebhook } from '../../../core/event/webhook-desk.js'
import { randomId } from '../../../lib/id.js'
import { EVENT_TYPES } from '../../../model/event.js'
import { WEBHOOK_MODES } from '../../../store/event/webhooks.js'
import { dateTime, id, int32, int64, uuid } from '../../shared/account/schemas.js'
import { OWN, operation } from '../operation.js'
import { testParcel } from '../parcel.js'

const tag = 'Webhooks'
const LONGEST_URL = 2_000
const LONGEST_TEXT = 250
/** Of the overlap of two secrets, in hours. */
const LONGEST_OVERLAP = 168
const USUAL_OVERLAP = 24
const MOST_ATTEMPTS = 200

const url = () => z.string().max(LONGEST_URL).describe('Address; https.')
const types = () =>
  z.array(z.enum(EVENT_TYPES)).max(EVENT_TYPES.length).describe('Types that it gets; empty: all.')
const mode = () =>
  z
    .enum(WEBHOOK_MODES)
    .describe(
      'ordered: one call at a time, the next event waits. parallel: up to 16 at a time. ' +
        'batch: up to 100 events in a call.',
    )
const asymmetric = () =>
  z
    .boolean()
    .describe(
      'Calls carry a signature with an Ed25519 key (v1a) beside the one with the secret (v1): ' +
        'a receiver that knows the public key alone can check them.',
    )
const publicKey = () =>
  z
    .string()
    .nullable()
    .describe('Checks the `v1a` signatures of its calls (`whpk_…`); null: they have `v1` alone.')
const description = () => z.string().max(LONGEST_TEXT).describe('A text for people.')

const webhook = z
  .object({
    id: id(),
    url: url(),
    description: description(),
    types: types(),
    mode: mode(),
    publicKey: publicKey(),
    state: z.enum(['active', 'failing', 'disabled']).describe('disabled: it gets nothing.'),
    cursor: int64().describe('Everything up to this number was taken.'),
    replayNext: int64().nullable().describe('Next number of a replay; null: there is none.'),
    replayTo: int64().nullable().describe('Last number of it.'),
    failures: z.int().describe('Since something was taken.'),
    failingSince: dateTime().nullable().describe('Of the first of them (UTC).'),
    nextTry: dateTime().nullable().describe('Not before (UTC); null: at once.'),
    lastError: z.string().nullable().describe('Why the last call failed.'),
    createdAt: dateTime().describe('When it was made (UTC).'),
  })
  .meta({ id: 'platform.Webhook' })

function shown(row: ShownWebhook): z.output<typeof webhook> {
  const { state, failingSince, tries: failures, nextAt: nextTry } = row
  const { lastError, createdAt, cursor, replayNext, replayTo } = row
  return {
    ...{ id: row.id, url: row.url, description: row.description, mode: row.mode },
    types: row.types as z.output<ReturnType<typeof types>>,
    publicKey: row.publicKey,
    state: state === 'active' && failingSince !== null ? 'failing' : state,
    ...{ cursor, replayNext, replayTo, failures, failingSince, nextTry, lastError, createdAt },
  }
}

function tried(end: CallEnd) {
  const { kind, status, ms } = end
  return { taken: kind === 'taken', status, ms, error: kind === 'taken' ? null : end.error }
}

const withSecret = z
  .object({ webhook, secret: z.string().describe('Signs its calls; told this once.') })
  .meta({ id: 'platform.WebhookWithSecret' })

const params = z.object({ id: uuid() })
const unknown = ['WEBHOOK_UNKNOWN'] as const
const ONE = { ...OWN, tag, params } as const

export const webhookOperations = [
  operation({
    ...{ ...OWN, tag },
    id: 'listWebhooks',
    title: 'List webhooks',
    method: 'GET',
    path: '/webhooks',
    success: { status: 200, schema: z.array(webhook) },
    handle: async ({ deps, account }) => (await deps.webhooks.list(account.id)).map(shown),
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'createWebhook',
    confirmed: true,
    rehearsable: true,
    title: 'Make a webhook',
    text:
      'Calls follow Standard Webhooks 1.0: `webhook-id`, `webhook-timestamp` and ' +
      '`webhook-signature` (v1, and v1a where it is asked for). 2xx within 15 seconds: taken. ' +
      '410: it wants nothing any more. Everything else is tried again, for five days; nothing is ' +
      'lost meanwhile.',
    method: 'POST',
    path: '/webhooks',
    body: z.object({
      url: url(),
      types: types().default([]),
      mode: mode().default('ordered'),
      asymmetric: asymmetric().default(false),
      description: description().default(''),
      after: int64().optional().describe('Begins behind this number; otherwise with what comes.'),
    }),
    example: { url: 'https://hooks.example.com/fiskalwerk', types: ['outage.opened'] },
    idempotent: (result) => {
      const made = result as MadeWebhook
      return { webhook: shown(made.webhook), secret: made.secret }
    },
    success: { status: 201, schema: withSecret },
    errors: ['WEBHOOKS_FULL', 'FIELD_INVALID', 'CURSOR_AHEAD'],
    handle: async ({ deps, actor, body }) => {
      const made = await deps.webhooks.create(actor, { ...body, after: body.after })
      return { webhook: shown(made.webhook), secret: made.secret }
    },
  }),
  operation({
    ...ONE,
    id: 'getWebhook',
    title: 'Show a webhook',
    method: 'GET',
    path: '/webhooks/:id',
    errors: unknown,
    success: { status: 200, schema: webhook },
    handle: async ({ deps, account, params: { id: one } }) =>
      shown(await deps.webhooks.get({ accountId: account.id, id: one })),
  }),
  operation({
    ...ONE,
    id: 'updateWebhook',
    confirmed: true,
    rehearsable: true,
    title: 'Change a webhook',
    method: 'PATCH',
    path: '/webhooks/:id',
    body: z.object({
      url: url().optional(),
      types: types().optional(),
      mode: mode().optional(),
      asymmetric: asymmetric().optional(),
      description: description().optional(),
    }),
    example: { mode: 'batch' },
    errors: [...unknown, 'FIELD_INVALID'],
    success: { status: 200, schema: webhook },
    handle: async ({ deps, actor, params: { id: one }, body }) =>
      shown(await deps.webhooks.update(actor, one, body)),
  }),
  operation({
    ...ONE,
    id: 'deleteWebhook',
    rehearsable: true,
    title: 'Delete a webhook',
    method: 'DELETE',
    path: '/webhooks/:id',
    errors: unknown,
    success: { status: 204 },
    handle: async ({ deps, actor, params: { id: one } }) => {
      await deps.webhooks.remove(actor, one)
      return undefined
    },
  }),
  operation({
    ...ONE,
    id: 'testWebhook',
    title: 'Try a webhook',
    text: 'Calls it now with an event of the type `webhook.test`; the answer is what came of it.',
    method: 'POST',
    path: '/webhooks/:id/test',
    idempotent: (end) => tried(end as CallEnd),
    errors: unknown,
    success: {
      status: 200,
      schema: z.object({
        taken: z.boolean().describe('It answered 2xx in time.'),
        status: z.int().nullable().describe('Of its answer; null: there was none.'),
        ms: z.int().describe('How long it took, in milliseconds.'),
        error: z.string().nullable().describe('Why it was not taken.'),
      }),
    },
    handle: async ({ deps, actor, account, params: { id: one } }) => {
      const parcel = testParcel({ id: randomId(), accountId: account.id, at: deps.now() })
      return tried(await deps.webhooks.test(actor, one, parcel))
    },
  }),
  operation({
    ...ONE,
    id: 'replayWebhook',
    title: 'Send events once more',
    text: 'With the same `webhook-id`: a receiver can tell that it has them. New events wait.',
    method: 'POST',
    path: '/webhooks/:id/replay',
    body: z.object({
      fromSeq: int64().describe('The first number.'),
      toSeq: int64().describe('The last number.'),
    }),
    example: { fromSeq: 1, toSeq: 17 },
    idempotent: (row) => shown(row as ShownWebhook),
    errors: [...unknown, 'CURSOR_TOO_OLD', 'CURSOR_AHEAD'],
    success: { status: 200, schema: webhook },
    handle: async ({ deps, actor, params: { id: one }, body: { fromSeq: from, toSeq: to } }) =>
      shown(await deps.webhooks.replay(actor, one, { from, to })),
  }),
  operation({
    ...ONE,
    id: 'rotateWebhookSecret',
    confirmed: true,
    rehearsable: true,
    title: 'Change the secret',
    text:
      'The former one signs as well until the overlap is over. The same holds for the Ed25519 ' +
      'key, where there is one.',
    method: 'POST',
    path: '/webhooks/:id/rotate-secret',
    body: z.object({
      overlapHours: int32(0, LONGEST_OVERLAP).default(USUAL_OVERLAP).describe('0: none.'),
    }),
    bodyOptional: true,
    idempotent: (result) => result as RotatedSecret,
    errors: unknown,
    success: {
      status: 200,
      schema: z.object({
        secret: z.string().describe('Signs its calls; told this once.'),
        publicKey: publicKey(),
        oldUntil: dateTime().describe('So long the former one signs as well (UTC).'),
      }),
    },
    handle: ({ deps, actor, params: { id: one }, body }) =>
      deps.webhooks.rotate(actor, one, body.overlapHours),
  }),
  operation({
    ...ONE,
    id: 'enableWebhook',
    rehearsable: true,
    title: 'Go on',
    text: 'One that is disabled or waits is tried at once, from where it stands.',
    method: 'POST',
    path: '/webhooks/:id/enable',
    idempotent: (row) => shown(row as ShownWebhook),
    errors: unknown,
    success: { status: 200, schema: webhook },
    handle: async ({ deps, actor, params: { id: one } }) =>
      shown(await deps.webhooks.enable(actor, one)),
  }),
  operation({
    ...ONE,
    id: 'listWebhookAttempts',
    title: 'What came of its calls',
    text: 'Newest first; those of 30 days.',
    method: 'GET',
    path: '/webhooks/:id/attempts',
    query: z.object({
      limit: int32(1, MOST_ATTEMPTS).default(MOST_ATTEMPTS),
      before: uuid().optional().describe('Goes on behind this one.'),
    }),
    errors: unknown,
    success: {
      status: 200,
      schema: z.array(
        z.object({
          id: id(),
          seq: int64().describe('Number of the event.'),
          toSeq: int64().describe('Of a batch: the last number.'),
          at: dateTime().describe('When the answer came (UTC).'),
          status: z.int().nullable().describe('Of the answer; null: there was none.'),
          ms: z.int().describe('How long it took, in milliseconds.'),
          error: z.string().nullable().describe('Why it was not taken.'),
        }),
      ),
    },
    handle: ({ deps, account, params: { id: one }, query: { before, limit } }) =>
      deps.webhooks.attempts({ accountId: account.id, id: one }, { before, limit }),
  }),
]
