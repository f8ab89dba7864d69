// Settings of invitations, their PDF, and files of invitations. Part of the route table.
import { z } from 'zod'
import {
  listSeparator,
  plainTemplate,
  portalTemplate,
} from '../../../core/accounts/invitation/csv/template.js'
import { isPdf, PDF_MOST_BYTES } from '../../../core/accounts/invitation/settings.js'
import { type ErrorCode, FiscalError, fail } from '../../../errors.js'
import { LONGEST_TEXT } from '../../../model/invitation.js'
import { Answer } from '../../shared/account/operation.js'
import { JSON_TYPE } from '../../shared/account/refusal.js'
import { accessRights } from '../../shared/account/schemas.js'
import { header } from '../../shared/caller.js'
import { bytesOf, type UploadedFile, withFile } from '../multipart.js'
import { operation } from '../operation.js'
import { callerOf } from './invitation-schemas.js'

const TAG = 'Invitations'
const BASE = '/pos-operators-invitation'
/** What a form is larger than its file. */
const FORM_BYTES = 64 * 1024
/** The setting CSV_LIMIT is compared with what is read. */
const MOST_FORM = 256 * 1024 * 1024 + FORM_BYTES

const settingsSchema = z.object({
  defaultAccessRights: accessRights(),
  emailContent: z.string().nullable(),
  hasPdfDocument: z.boolean(),
})

const progressSchema = z.object({
  running: z.boolean(),
  rows: z.int(),
  created: z.int(),
  skipped: z.int(),
})

const CONFLICTS: readonly ErrorCode[] = ['SETTINGS_CONFLICT', 'SETTINGS_UNREADABLE']

/** Throws `code` for a file that is missing or has another ending. */
function named(file: UploadedFile, ending: string, code: ErrorCode): UploadedFile {
  if (file.name.toLowerCase().endsWith(ending)) return file
  throw fail(code, { field: 'file' })
}

export const invitationFileOperations = [
  operation({
    id: 'getInvitationSettings',
    title: 'Get the settings of invitations',
    tag: TAG,
    method: 'GET',
    path: `${BASE}/settings`,
    success: { status: 200, schema: settingsSchema },
    errors: ['SETTINGS_UNREADABLE'],
    handle: ({ deps, account }) => deps.invitations.settings.get(account.id),
  }),
  operation({
    id: 'updateInvitationSettings',
    title: 'Update the settings of invitations',
    text: 'What is left out stays as it is.',
    tag: TAG,
    method: 'PATCH',
    path: `${BASE}/settings`,
    aliases: [{ method: 'PUT' }],
    body: z.object({
      defaultAccessRights: accessRights().optional(),
      emailContent: z.string().max(LONGEST_TEXT).nullish(),
    }),
    example: { defaultAccessRights: 'ReadWrite', emailContent: 'Willkommen!' },
    success: { status: 200, schema: settingsSchema },
    errors: CONFLICTS,
    handle: ({ deps, actor, body }) => deps.invitations.settings.change(actor, body),
  }),
  operation({
    id: 'storeInvitationPdf',
    title: 'Store the PDF that goes with invitations',
    text: 'At most 5 MiB; recognised by its content. Overwrites an earlier one.',
    tag: TAG,
    method: 'POST',
    path: `${BASE}/pdf`,
    aliases: [{ method: 'PUT' }],
    upload: 'stream',
    bodyLimit: PDF_MOST_BYTES + FORM_BYTES,
    success: { status: 204 },
    errors: ['PDF_INVALID'],
    handle: async ({ deps, actor, request }) => {
      const wish = { field: 'file', limit: PDF_MOST_BYTES }
      const data = await withFile(request, wish, async (file) =>
        bytesOf(named(file, '.pdf', 'PDF_INVALID')),
      )
      if (data === undefined || !isPdf(data)) throw fail('PDF_INVALID', { field: 'file' })
      await deps.invitations.settings.storePdf(actor, data)
      return undefined
    },
  }),
  operation({
    id: 'getInvitationPdf',
    title: 'Get the PDF that goes with invitations',
    text: 'Its bytes in Base64.',
    tag: TAG,
    method: 'GET',
    path: `${BASE}/pdf`,
    success: { status: 200, schema: z.string() },
    errors: ['PDF_UNKNOWN'],
    handle: async ({ deps, account }) =>
      (await deps.invitations.settings.pdf(account.id)).toString('base64'),
  }),
  operation({
    id: 'deleteInvitationPdf',
    title: 'Delete the PDF that goes with invitations',
    tag: TAG,
    method: 'DELETE',
    path: `${BASE}/pdf`,
    success: { status: 204 },
    handle: async ({ deps, actor }) => {
      await deps.invitations.settings.deletePdf(actor)
      return undefined
    },
  }),
  operation({
    id: 'importInvitations',
    title: 'Import a file of invitations',
    text:
      'A CSV file in one of two formats, told apart by the header; see the templates. Nothing is ' +
      'stored unless every row is right. With `dryRun` nothing is stored at all, and the answer ' +
      'is what would have been; a refusal then has `validationErrors` for both formats.',
    tag: TAG,
    method: 'POST',
    path: `${BASE}/import/csv`,
    query: z.object({ dryRun: z.string().optional() }),
    upload: 'stream',
    objectsOnly: true,
    bodyLimit: MOST_FORM,
    success: {
      status: 200,
      schema: z.object({ created: z.int(), skipped: z.array(z.string()) }),
    },
    errors: ['CSV_FILE_INVALID', 'CSV_INVALID', 'EXPORT_LOST'],
    handle: async (call) => {
      const { deps, request, query } = call
      const { imports, csvLimit } = deps.invitations
      const how = { dryRun: isDry(query.dryRun) }
      const wish = { field: 'file', limit: csvLimit }
      const done = await withFile(request, wish, async (file) =>
        imports.run(callerOf(call), named(file, '.csv', 'CSV_FILE_INVALID').bytes, how),
      ).catch(unreadable)
      if (done === undefined) throw fail('CSV_FILE_INVALID')
      return done
    },
  }),
  operation({
    id: 'importProgress',
    title: 'How far an import is',
    text: 'Of the import that runs on any server, else the counts of the last one.',
    tag: TAG,
    method: 'GET',
    path: `${BASE}/import/csv`,
    success: { status: 200, schema: progressSchema },
    handle: ({ deps, account }) => deps.invitations.imports.progress(account.id),
  }),
  operation({
    id: 'importTemplate',
    title: 'A file to fill in',
    text:
      '`format=portal`: the columns of the market and the dealer as sample row. Else the plain ' +
      'format. A JSON string where `Accept` takes nothing but JSON.',
    tag: TAG,
    method: 'GET',
    path: `${BASE}/import/csv/template`,
    query: z.object({ format: z.string().optional() }),
    success: { status: 200, schema: z.string(), contentType: 'text/csv' },
    handle: async ({ deps, account, query, request }) => {
      const separator = listSeparator(firstLanguage(header(request, 'accept-language')))
      const csv =
        query.format?.trim().toLowerCase() === 'portal'
          ? await portalTemplate(deps, account, separator)
          : plainTemplate()
      if (onlyJson(header(request, 'accept'))) return new Answer(JSON.stringify(csv), JSON_TYPE)
      return new Answer(csv, 'text/csv; charset=utf-8', {
        headers: { 'content-disposition': 'attachment; filename="InvitePosOperator.csv"' },
      })
    },
  }),
]

/** Whatever is not plainly a no: storing by mistake is worse than storing nothing. */
const isDry = (given: string | undefined): boolean =>
  !['', 'false'].includes((given ?? '').trim().toLowerCase())

/** Every 400 of an import has the one form. */
function unreadable(error: unknown): never {
  if (error instanceof FiscalError && error.code === 'FORM_MALFORMED')
    throw fail('CSV_FILE_INVALID')
  throw error
}

/** The one that is wished most, whether it is spoken here or not. */
function firstLanguage(wishes: string | undefined): string | undefined {
  const rated = (wishes ?? '').split(',').map((part) => {
    const [name = '', ...more] = part.split(';')
    const quality = more.map((one) => /^\s*q\s*=\s*([\d.]+)/i.exec(one)?.[1]).find(Boolean)
    return { name: name.trim(), quality: quality === undefined ? 1 : Number(quality) }
  })
  return rated.toSorted((a, b) => b.quality - a.quality).find(({ name }) => name !== '')?.name
}

function onlyJson(accept: string | undefined): boolean {
  if (accept === undefined || !/json/i.test(accept)) return false
  return !/\*\/\*|text\/(csv|\*|plain)/i.test(accept)
}
