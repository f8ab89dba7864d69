// API keys: further tokens of the account, each for a part of what its own one may.
import { z } from 'zod'
import type { MadeApiKey } from '../../../core/accounts/api-keys.js'
import { API_KEY_SCOPES, type ApiKeyRow } from '../../../store/account/api-keys.js'
import { dateTime, id, int32, moment, text, uuid } from '../../shared/account/schemas.js'
import { OWN, operation } from '../operation.js'

const tag = 'API keys'
const LONGEST_NAME = 100
/** Of the overlap of two tokens, in hours. */
const LONGEST_OVERLAP = 720
const USUAL_OVERLAP = 24

const scopes = () =>
  z
    .array(z.enum(API_KEY_SCOPES))
    .min(1)
    .max(API_KEY_SCOPES.length)
    .describe(
      'What it may: `read` is every GET of the group, `write` everything of it. `all` may make ' +
        'and end keys as well. Whoever reads a configuration reads the tokens of CashBoxes in it.',
    )

const key = z
  .object({
    id: id(),
    name: z.string().describe('A text for people.'),
    scopes: scopes(),
    createdAt: dateTime().describe('When it was made (UTC).'),
    expiresAt: dateTime().nullable().describe('When it ends (UTC); null: not by itself.'),
    lastUsedAt: dateTime().nullable().describe('To the minute (UTC); null: never.'),
    oldUntil: dateTime().nullable().describe('So long its former token is good as well (UTC).'),
  })
  .meta({ id: 'platform.ApiKey' })

const shown = ({ accountId: _own, ...row }: ApiKeyRow): z.output<typeof key> => row

const made = (result: MadeApiKey) => ({ key: shown(result.key), token: result.token })

const params = z.object({ id: uuid() })
const ONE = { ...OWN, tag, params, credentials: true, errors: ['API_KEY_UNKNOWN'] } as const
const token = z.string().describe('Goes into the header `accessToken`; told this once.')

export const apiKeyOperations = [
  operation({
    ...{ ...OWN, tag },
    id: 'listApiKeys',
    title: 'Keys of the account',
    text: 'Oldest first, without their tokens. The access token of the account is none of them.',
    method: 'GET',
    path: '/api-keys',
    credentials: true,
    success: { status: 200, schema: z.array(key) },
    handle: async ({ deps, account }) => (await deps.apiKeys.list(account.id)).map(shown),
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'createApiKey',
    rehearsable: true,
    title: 'Make a key',
    text:
      'One for each program: one that leaks can be ended alone. It is sent with the id of the ' +
      'account, in the place of its access token.',
    method: 'POST',
    path: '/api-keys',
    credentials: true,
    body: z.object({
      name: text(LONGEST_NAME).describe('A text for people: which program uses it.'),
      scopes: scopes(),
      expiresAt: moment().nullable().default(null).describe('When it ends (UTC); null: never.'),
    }),
    example: { name: 'shop import', scopes: ['dealer:write', 'platform:read'], expiresAt: null },
    idempotent: (result) => made(result as MadeApiKey),
    errors: ['API_KEYS_FULL', 'FIELD_INVALID'],
    success: { status: 201, schema: z.object({ key, token }) },
    handle: async ({ deps, actor, body }) => made(await deps.apiKeys.create(actor, body)),
  }),
  operation({
    ...ONE,
    id: 'rotateApiKey',
    rehearsable: true,
    title: 'Change the token of a key',
    text: 'The former one is good as well until the overlap is over.',
    method: 'POST',
    path: '/api-keys/:id/rotate',
    body: z.object({
      overlapHours: int32(0, LONGEST_OVERLAP).default(USUAL_OVERLAP).describe('0: none.'),
    }),
    bodyOptional: true,
    idempotent: (result) => result,
    success: {
      status: 200,
      schema: z.object({
        token,
        oldUntil: dateTime().describe('So long the former one is good as well (UTC).'),
      }),
    },
    handle: ({ deps, actor, params: { id: one }, body }) =>
      deps.apiKeys.rotate(actor, one, body.overlapHours),
  }),
  operation({
    ...ONE,
    id: 'deleteApiKey',
    rehearsable: true,
    title: 'End a key',
    text: 'At once; other servers behind the same database know it within seconds.',
    method: 'DELETE',
    path: '/api-keys/:id',
    success: { status: 204 },
    handle: async ({ deps, actor, params: { id: one } }) => {
      await deps.apiKeys.remove(actor, one)
      return undefined
    },
  }),
]
