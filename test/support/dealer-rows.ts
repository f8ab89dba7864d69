// Rows of a route table that exist in tests only, one for each thing that a row can ask for.
import { z } from 'zod'
import { bytesOf, withFile } from '../../src/api/dealer/multipart.js'
import { operation } from '../../src/api/dealer/operation.js'
import { Answer } from '../../src/api/shared/account/operation.js'
import {
  accessRights,
  anyJson,
  dateTime,
  int64,
  moment,
  optionalText,
  text,
  uuid,
} from '../../src/api/shared/account/schemas.js'
import { fail } from '../../src/errors.js'

const body = z.object({
  id: uuid().nullish(),
  name: text(5).nullish(),
  note: optionalText(5),
  rights: accessRights().nullish(),
  at: moment().nullish(),
  ticks: int64().nullish(),
  ids: z.array(uuid()).nullish(),
  nested: z.object({ deepName: z.string() }).nullish(),
  either: z.union([z.int(), z.string()]).nullish(),
  raw: anyJson().optional(),
})

export const common = { tag: 'Test', access: 'dealer' } as const
/** Of an upload, in bytes. */
export const LIMIT = 1000

export const rows = [
  operation({
    ...common,
    id: 'echo',
    title: 'Echo',
    method: 'POST',
    path: '/echo',
    aliases: [{ method: 'PUT' }, { path: '/also/echo' }],
    query: z.object({ flag: z.boolean().optional(), many: z.int().default(3) }),
    body,
    success: { status: 201, schema: z.unknown() },
    handle: ({ body: read, query }) => ({ ...read, query }),
  }),
  operation({
    ...common,
    id: 'exact',
    title: 'Exact',
    method: 'GET',
    path: '/exact',
    success: { status: 200, schema: z.object({ ticks: int64(), at: dateTime() }) },
    handle: () => ({ ticks: 639_148_689_300_000_001n, at: new Date(0) }),
  }),
  operation({
    ...common,
    id: 'oneThing',
    title: 'One thing',
    method: 'DELETE',
    path: '/things/:id',
    params: z.object({ id: uuid() }),
    badPath: 'INVITATION_UNKNOWN',
    success: { status: 204 },
    handle: () => undefined,
  }),
  operation({
    ...common,
    id: 'things',
    title: 'Things',
    method: 'GET',
    path: '/things/settings',
    success: { status: 200, schema: z.string() },
    handle: () => 'settings',
  }),
  operation({
    ...common,
    id: 'conflict',
    title: 'Conflict',
    method: 'PATCH',
    path: '/conflict',
    problemsOnly: true,
    success: { status: 200, schema: z.string() },
    errors: ['SCU_UNKNOWN'],
    handle: () => {
      throw fail('SCU_UNKNOWN', { scu: 'x' })
    },
  }),
  operation({
    ...common,
    id: 'tooFew',
    title: 'Too few',
    method: 'POST',
    path: '/few',
    success: { status: 200, schema: z.string() },
    handle: () => {
      throw fail('ENTITLEMENTS_INSUFFICIENT', { name: 'A', required: 2, available: 1 })
    },
  }),
  operation({
    ...common,
    id: 'broken',
    title: 'Broken',
    method: 'POST',
    path: '/broken',
    success: { status: 200, schema: z.string() },
    handle: () => {
      throw new Error('secret detail')
    },
  }),
  operation({
    ...common,
    id: 'away',
    title: 'Database away',
    method: 'POST',
    path: '/away',
    success: { status: 200, schema: z.string() },
    handle: () => {
      throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    },
  }),
  operation({
    ...common,
    id: 'upload',
    title: 'Upload',
    method: 'POST',
    path: '/upload',
    upload: 'stream',
    success: { status: 200, schema: z.object({ name: z.string(), size: z.int() }) },
    handle: async ({ request }) => {
      const read = await withFile(request, { field: 'file', limit: LIMIT }, async (file) => {
        return { name: file.name, size: (await bytesOf(file)).length }
      })
      return read ?? { name: '', size: -1 }
    },
  }),
  operation({
    ...common,
    id: 'optOut',
    title: 'Needs the opt-in',
    method: 'POST',
    path: '/opt',
    autoInvite: true,
    success: { status: 204 },
    handle: () => undefined,
  }),
  operation({
    ...common,
    id: 'anybody',
    title: 'Any role',
    method: 'GET',
    path: '/anybody',
    access: 'any',
    success: { status: 200, schema: z.string() },
    handle: ({ account }) => account.id,
  }),
  operation({
    ...common,
    id: 'plans',
    title: 'Token optional',
    method: 'GET',
    path: '/plans',
    access: 'account',
    success: { status: 200, schema: z.boolean() },
    handle: ({ authenticated }) => authenticated,
  }),
  operation({
    ...common,
    id: 'csv',
    title: 'Text',
    method: 'GET',
    path: '/csv',
    access: 'open',
    success: { status: 200, schema: z.string(), contentType: 'text/csv' },
    handle: () => new Answer('a;b', 'text/csv; charset=utf-8', { headers: { 'x-more': '1' } }),
  }),
]
