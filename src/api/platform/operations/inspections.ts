// Inspection bundles: everything that an auditor asks for, in one file, verified.
import { z } from 'zod'
import { KEPT_DAYS, type NewLink } from '../../../core/event/inspection/desk.js'
import { INCLUDES } from '../../../core/event/inspection/plan.js'
import { LANGUAGES } from '../../../core/event/inspection/words.js'
import { fail } from '../../../errors.js'
import { objectIn } from '../../../lib/json.js'
import type { JobRow } from '../../../store/event/job/jobs.js'
import { anyJson, dateTime, id, int32, moment, uuid } from '../../shared/account/schemas.js'
import { fileAnswer } from '../file-answer.js'
import { type AnyCall, OWN, operation } from '../operation.js'
import { nextPlace, pageOf, pageQuery, placeIn } from '../place.js'
import { jobPlace, jobPlaceOf, shownJob, shownJobOf } from './jobs.js'

const tag = 'Inspections'
const MOST_IDS = 500
const MOST_HOURS = 24 * KEPT_DAYS
const LONGEST_KEY = 1_000
const DAY_MS = 24 * 60 * 60 * 1000
const ZIP = 'application/zip'

const inspection = z
  .object({
    id: id(),
    operatorId: id().describe('Account of the merchant.'),
    wish: anyJson().describe('What was asked for.'),
    job: shownJob.describe('How far it is.'),
    bytes: z.number().nullable().describe('Of the file; null: it is not finished.'),
    sha256: z.string().nullable().describe('Of the file, hexadecimal.'),
    findings: z.int().nullable().describe('What the verifiers found; they are in the file.'),
    hasKeys: z.boolean().nullable().describe('It holds the keys of turnover counters.'),
    expiresAt: dateTime().nullable().describe('When the file is removed (UTC).'),
  })
  .meta({ id: 'platform.Inspection' })

interface Made {
  bytes: number
  sha256: string
  findings: number
  hasKeys: boolean
}

function shown(row: JobRow): z.output<typeof inspection> {
  const made = row.result === null ? undefined : (JSON.parse(row.result) as Made)
  const end = row.state === 'succeeded' ? row.finishedAt : null
  return {
    ...{ id: row.id, operatorId: row.accountId, wish: objectIn(row.args) ?? null },
    job: shownJobOf(row),
    ...{ bytes: made?.bytes ?? null, sha256: made?.sha256 ?? null },
    ...{ findings: made?.findings ?? null, hasKeys: made?.hasKeys ?? null },
    expiresAt: end === null ? null : new Date(end.getTime() + KEPT_DAYS * DAY_MS),
  }
}

const params = z.object({ id: uuid() })
const ONE = { ...OWN, tag, params } as const
const FILE = ['INSPECTION_GONE', 'INSPECTION_UNFINISHED', 'RIGHTS_TOO_LOW'] as const

const addressOf = (call: Pick<AnyCall, 'deps'>, key: string): string =>
  `${call.deps.publicUrl ?? ''}/platform/v1/inspection-file?key=${key}`

const linkOf = (call: Pick<AnyCall, 'deps'>, { id: one, key, until }: NewLink) => {
  return { id: one, url: addressOf(call, key), until }
}

const UNTIL = dateTime().describe('When it ends (UTC).')
const linkId = id().describe('Of the address: it can be ended by it.')
const link = z
  .object({
    id: linkId,
    madeBy: id().describe('Account that made it.'),
    createdAt: dateTime().describe('When (UTC).'),
    until: UNTIL,
    revokedAt: dateTime().nullable().describe('When somebody ended it (UTC); null: nobody has.'),
    fetches: z.int().describe('How often the file was fetched by it, parts counted each.'),
    fetchedAt: dateTime().nullable().describe('When last (UTC).'),
  })
  .meta({ id: 'platform.InspectionLink' })

export const inspectionOperations = [
  operation({
    ...{ ...OWN, tag },
    id: 'askInspection',
    title: 'Ask for a bundle',
    text:
      'One file with the legal exports of a period, journals, outages, configurations without ' +
      'secrets, master data, certificates and what independent verifiers say. Of the whole ' +
      'merchant, of outlets or of CashBoxes. Needs ReadWrite at the merchant: with `keys` it ' +
      'holds the AES key of the turnover counter, which the tool of the ministry asks for.',
    method: 'POST',
    path: '/inspections',
    body: z.object({
      posOperatorId: uuid().optional().describe('Left out: of the CashBoxes, or self.'),
      cashBoxIds: z.array(uuid()).min(1).max(MOST_IDS).optional().describe('Of these alone.'),
      outletNumbers: z.array(int32(0)).min(1).max(MOST_IDS).optional().describe('Of these alone.'),
      from: moment().describe('First moment of the period (UTC).'),
      to: moment().describe('First moment behind it (UTC).'),
      include: z
        .array(z.enum(INCLUDES))
        .min(1)
        .max(INCLUDES.length)
        .default([...INCLUDES])
        .describe('What shall be in it; left out: all.'),
      language: z.enum(LANGUAGES).default('de').describe('Of its pages and findings.'),
    }),
    example: { from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z', language: 'de' },
    idempotent: (result) => shown(result as JobRow),
    success: { status: 202, schema: inspection },
    errors: [
      ...(['OPERATOR_UNKNOWN', 'RIGHTS_TOO_LOW', 'CASH_BOX_UNKNOWN', 'OUTLET_UNKNOWN'] as const),
      ...(['INSPECTIONS_FULL', 'FIELD_INVALID'] as const),
    ],
    handle: async ({ deps, actor, body }) => {
      if (body.to <= body.from) {
        throw fail('FIELD_INVALID', { field: 'to', expected: 'a moment behind from' })
      }
      const { posOperatorId, cashBoxIds, outletNumbers } = body
      const scope = { posOperatorId, cashBoxIds, outletNumbers }
      const include = [...new Set(body.include)].sort()
      return shown(await deps.inspections.ask(actor, { ...body, ...scope, include }))
    },
  }),
  operation({
    ...{ ...OWN, tag },
    id: 'listInspections',
    title: 'Bundles',
    text: 'Of the account and of every merchant that it may read; newest first.',
    method: 'GET',
    path: '/inspections',
    query: z.object({
      ...pageQuery,
      operatorId: uuid().optional().describe('Of this merchant alone.'),
    }),
    success: { status: 200, schema: z.object({ items: z.array(inspection), next: nextPlace() }) },
    handle: async ({ deps, account, query, culture }) => {
      const { limit, operatorId } = query
      const after = placeIn(jobPlace, query.after, culture)
      const asked = { accountId: account.id, operatorId, state: undefined, after }
      const rows = await deps.inspections.list({ ...asked, direction: 'desc', limit: limit + 1 })
      const page = pageOf(rows, limit, jobPlaceOf)
      return { items: page.shown.map(shown), next: page.next }
    },
  }),
  operation({
    ...ONE,
    id: 'getInspection',
    title: 'Show a bundle',
    method: 'GET',
    path: '/inspections/:id',
    errors: ['INSPECTION_UNKNOWN'],
    success: { status: 200, schema: inspection },
    handle: async ({ deps, account, params: { id: one } }) =>
      shown(await deps.inspections.get(account.id, one)),
  }),
  operation({
    ...ONE,
    id: 'getInspectionContent',
    title: 'Fetch a bundle',
    text: 'A ZIP. `Range` goes on where a download broke; the tag is the SHA-256 of the file.',
    method: 'GET',
    path: '/inspections/:id/content',
    errors: ['INSPECTION_UNKNOWN', ...FILE],
    success: { status: 200, schema: z.string(), contentType: ZIP },
    handle: async ({ deps, account, request, params: { id: one } }) =>
      fileAnswer(request, await deps.inspections.file(account.id, one)),
  }),
  operation({
    ...ONE,
    id: 'linkInspection',
    title: 'Make an address for an auditor',
    text:
      'It needs no credentials and ends after the hours, with the file, when it is ended, and ' +
      'when its maker loses the right. It is told this once.',
    method: 'POST',
    path: '/inspections/:id/links',
    body: z.object({ hours: int32(1, MOST_HOURS).describe('How long it works.') }),
    example: { hours: 48 },
    idempotent: (made, call) => linkOf(call, made as NewLink),
    errors: ['INSPECTION_UNKNOWN', ...FILE],
    success: {
      status: 201,
      schema: z.object({
        id: linkId,
        url: z.string().describe('The address.'),
        until: UNTIL,
      }),
    },
    handle: async (call) => {
      const { deps, actor, params: path, body } = call
      return linkOf(call, await deps.inspections.link(actor, path.id, body.hours))
    },
  }),
  operation({
    ...ONE,
    id: 'listInspectionLinks',
    title: 'Addresses of a bundle',
    text: 'Newest first. Needs ReadWrite at the merchant.',
    method: 'GET',
    path: '/inspections/:id/links',
    errors: ['INSPECTION_UNKNOWN', 'RIGHTS_TOO_LOW'],
    success: { status: 200, schema: z.object({ items: z.array(link) }) },
    handle: async ({ deps, account, params: { id: one } }) => ({
      items: await deps.inspections.links(account.id, one),
    }),
  }),
  operation({
    ...{ ...OWN, tag, params: params.extend({ linkId: uuid() }) },
    id: 'endInspectionLink',
    rehearsable: true,
    title: 'End an address',
    text: 'At once, and for good. Needs ReadWrite at the merchant.',
    method: 'DELETE',
    path: '/inspections/:id/links/:linkId',
    errors: ['INSPECTION_UNKNOWN', 'INSPECTION_LINK_UNKNOWN', 'RIGHTS_TOO_LOW'],
    success: { status: 204 },
    handle: async ({ deps, actor, params: path }) => {
      await deps.inspections.revoke(actor, path.id, path.linkId)
      return undefined
    },
  }),
  operation({
    ...{ ...OWN, tag, access: 'open' },
    id: 'openInspectionLink',
    title: 'Fetch a bundle by its address',
    text: 'As `/inspections/{id}/content`, for whoever has the address.',
    method: 'GET',
    path: '/inspection-file',
    query: z.object({ key: z.string().max(LONGEST_KEY).describe('Of the address.') }),
    errors: ['LINK_WRONG', 'INSPECTION_GONE'],
    success: { status: 200, schema: z.string(), contentType: ZIP },
    handle: async ({ deps, request, query }) =>
      fileAnswer(request, await deps.inspections.open(query.key)),
  }),
]
