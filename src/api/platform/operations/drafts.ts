// Work that was begun and not done: a text of the account, under a name.
import { z } from 'zod'
import { dateTime } from '../../shared/account/schemas.js'
import { OWN, operation } from '../operation.js'

const LONGEST = 60_000
/** Letters of three bytes, and what JSON adds to them. */
const LARGEST = 256 * 1024

const draft = z
  .object({
    document: z.string().nullable().describe('As it was kept; null: there is none.'),
    changedAt: dateTime().nullable().describe('When it was kept last (UTC).'),
  })
  .meta({ id: 'platform.Draft' })

const ONE = {
  ...{ ...OWN, tag: 'Drafts' },
  path: '/drafts/:name',
  params: z.object({
    name: z
      .string()
      .regex(/^[a-z0-9-]{1,80}$/)
      .describe('Chosen by the program: small letters, digits and `-`.'),
  }),
} as const

export const draftOperations = [
  operation({
    ...ONE,
    id: 'readDraft',
    title: 'Work that was begun',
    text: 'What the program has kept under this name, whoever of the account it was.',
    method: 'GET',
    success: { status: 200, schema: draft },
    handle: async ({ deps, account, params: { name } }) =>
      (await deps.drafts.find({ accountId: account.id, name })) ?? {
        document: null,
        changedAt: null,
      },
  }),
  operation({
    ...ONE,
    id: 'keepDraft',
    title: 'Keep work for later',
    text:
      'Replaces what was kept under this name. Of an account the newest 100 are kept, and others ' +
      'that nobody touches for 90 days make room for the next one.',
    method: 'PUT',
    body: z.object({
      document: z.string().max(LONGEST).describe('What it is, the program alone knows.'),
    }),
    bodyLimit: LARGEST,
    example: { document: '{"company":"Blumen Lenz"}' },
    success: { status: 200, schema: draft },
    handle: ({ deps, account, params: { name }, body: { document } }) =>
      deps.drafts.keep({ accountId: account.id, name }, document),
  }),
  operation({
    ...ONE,
    id: 'deleteDraft',
    title: 'Throw work away',
    method: 'DELETE',
    success: { status: 204 },
    handle: async ({ deps, account, params: { name } }) => {
      await deps.drafts.remove({ accountId: account.id, name })
      return undefined
    },
  }),
]
