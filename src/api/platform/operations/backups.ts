// What is kept of Queues outside of the database, month by month, with the proof of each.
import { z } from 'zod'
import { attachment } from '../../../lib/attachment.js'
import type { BackupRow } from '../../../store/event/backups.js'
import { Answer } from '../../shared/account/operation.js'
import { dateTime, id, int64, uuid } from '../../shared/account/schemas.js'
import { OWN, operation } from '../operation.js'
import { nextPlace, pageOf, pageQuery, placeIn } from '../place.js'

const tag = 'Backups'
const ZIP = 'application/zip'

const backup = z
  .object({
    id: id(),
    operatorId: id().describe('Account of the merchant.'),
    operatorName: z.string().describe('Its name.'),
    queueId: id().describe('The Queue.'),
    identification: z.string().describe('Its name towards the authority.'),
    market: z.string().describe('Letters of the country whose rules apply.'),
    period: z.string().describe('Which one: 2026-11 or 2026-Q4, by the clock of the country.'),
    from: dateTime().describe('Its first moment (UTC).'),
    to: dateTime().describe('The first moment behind it (UTC); the next one begins there.'),
    receipts: z.int().describe('How many it holds.'),
    firstNumber: int64().nullable().describe('Number of the first receipt; null: there is none.'),
    lastNumber: int64().nullable().describe('Number of the last receipt; null: there is none.'),
    object: z.string().nullable().describe('Its name in the archive; null: the period is empty.'),
    bytes: int64().describe('Of the file.'),
    sha256: z.string().nullable().describe('Of the file, hexadecimal; it was read back.'),
    verified: z.int().describe('Files in it that an independent verifier has judged.'),
    findings: z.int().describe('What the verifiers found; they are in the file.'),
    storedAt: dateTime().describe('When it was read back (UTC).'),
  })
  .meta({ id: 'platform.Backup' })

function shown(row: BackupRow): z.output<typeof backup> {
  const { id: one, queueId, identification, market, period, from, to, storedAt } = row
  const { receipts, firstNumber, lastNumber, object, bytes, sha256, verified, findings } = row
  return {
    ...{ id: one, operatorId: row.accountId, operatorName: row.accountName },
    ...{ queueId, identification, market, period, from, to, receipts, firstNumber, lastNumber },
    ...{ object, bytes: BigInt(bytes), sha256, verified, findings, storedAt },
  }
}

const place = z.object({ at: z.iso.datetime(), id: z.uuid() })
const placeOf = ({ storedAt, id: one }: BackupRow) => ({ at: storedAt.toISOString(), id: one })

const params = z.object({ id: uuid() })
const ONE = { ...OWN, tag, params } as const

export const backupOperations = [
  operation({
    ...{ ...OWN, tag },
    id: 'listBackups',
    title: 'Backups',
    text:
      'What is kept outside of the database of the account and of every merchant that it may ' +
      'read, newest first. Each one begins where the one before it ended.',
    method: 'GET',
    path: '/backups',
    query: z.object({
      ...pageQuery,
      operatorId: uuid().optional().describe('Of this merchant alone.'),
      queueId: uuid().optional().describe('Of this Queue alone.'),
      findings: z.boolean().optional().describe('In which verifiers found something, or nothing.'),
    }),
    success: { status: 200, schema: z.object({ items: z.array(backup), next: nextPlace() }) },
    handle: async ({ deps, account, query, culture }) => {
      const { limit, operatorId, queueId, findings } = query
      const after = placeIn(place, query.after, culture)
      const asked = { accountId: account.id, operatorId, queueId, findings, after }
      const page = pageOf(await deps.backups.list({ ...asked, limit: limit + 1 }), limit, placeOf)
      return { items: page.shown.map(shown), next: page.next }
    },
  }),
  operation({
    ...ONE,
    id: 'getBackup',
    title: 'Show a backup',
    method: 'GET',
    path: '/backups/:id',
    errors: ['BACKUP_UNKNOWN'],
    success: { status: 200, schema: backup },
    handle: async ({ deps, account, params: { id: one } }) =>
      shown(await deps.backups.get(account.id, one)),
  }),
  operation({
    ...ONE,
    id: 'getBackupContent',
    title: 'Fetch a backup',
    text: 'The ZIP as the archive has it. Needs ReadWrite at the merchant.',
    method: 'GET',
    path: '/backups/:id/content',
    errors: ['BACKUP_UNKNOWN', 'BACKUP_GONE', 'RIGHTS_TOO_LOW', 'ARCHIVE_AWAY'],
    success: { status: 200, schema: z.string(), contentType: ZIP },
    handle: async ({ deps, account, params: { id: one } }) => {
      const { row, pieces } = await deps.backups.content(account.id, one)
      const name = `backup ${row.identification} ${row.period}.zip`
      const headers = {
        ...{ 'content-disposition': attachment(name), 'content-length': String(row.bytes) },
        ...{ etag: `"${row.sha256}"`, 'cache-control': 'private, no-cache' },
      }
      return new Answer(pieces, ZIP, { headers })
    },
  }),
]
