// What a dealer's invitations are sent with: settings and PDF.
import type { Store } from '../client.js'
import type { Connection } from '../transaction.js'

type On = Pick<Connection, 'query'>

export interface SettingsRow {
  /** JSON text. */
  document: string
  /** 0: there is no row yet. */
  version: number
}

export async function readSettings(on: On, accountId: string): Promise<SettingsRow> {
  const { rows } = await on.query<SettingsRow>(
    'select document, version from invitation_settings where account_id = $1',
    [accountId],
  )
  return rows[0] ?? { document: '{}', version: 0 }
}

/** False: somebody else has changed them since that version. */
export async function writeSettings(
  on: On,
  accountId: string,
  { document, version, moment }: SettingsRow & { moment: Date },
): Promise<boolean> {
  const sql =
    version === 0
      ? `insert into invitation_settings (account_id, document, version, changed_at)
         values ($1, $2, $3::int + 1, $4) on conflict do nothing returning 1`
      : `update invitation_settings set document = $2, version = version + 1, changed_at = $4
         where account_id = $1 and version = $3 returning 1`
  const { rows } = await on.query(sql, [accountId, document, version, moment])
  return rows.length === 1
}

export async function findStoredPdf(
  on: On,
  accountId: string,
): Promise<{ hash: Buffer; data: Buffer } | undefined> {
  const { rows } = await on.query<{ hash: Uint8Array; data: Uint8Array }>(
    'select hash, data from invitation_pdf where account_id = $1 and stored',
    [accountId],
  )
  return rows.map(({ hash, data }) => ({ hash: Buffer.from(hash), data: Buffer.from(data) }))[0]
}

export async function findStoredPdfHash(on: On, accountId: string): Promise<Buffer | undefined> {
  const { rows } = await on.query<{ hash: Uint8Array }>(
    'select hash from invitation_pdf where account_id = $1 and stored',
    [accountId],
  )
  return rows.map(({ hash }) => Buffer.from(hash))[0]
}

/** The one of a letter; undefined: it is gone. */
export async function findPdf(
  { pool }: Store,
  accountId: string,
  hash: Buffer,
): Promise<Buffer | undefined> {
  const { rows } = await pool.query<{ data: Buffer }>(
    'select data from invitation_pdf where account_id = $1 and hash = $2',
    [accountId, hash],
  )
  return rows[0]?.data
}

export interface NewPdf {
  hash: Buffer
  data: Buffer
  /** False: for one letter only. */
  stored: boolean
  moment: Date
}

export async function putPdf(on: On, accountId: string, pdf: NewPdf): Promise<void> {
  await on.query(
    `insert into invitation_pdf (account_id, hash, data, stored, created_at)
     values ($1, $2, $3, $4, $5)
     on conflict (account_id, hash) do update
       set stored = invitation_pdf.stored or excluded.stored, created_at = excluded.created_at
     returning 1`,
    [accountId, pdf.hash, pdf.data, pdf.stored, pdf.moment],
  )
}

/** Longer than a letter is tried. */
const KEPT = '3 days'

/** No PDF is the stored one any more; those that no letter can need are gone. */
export async function dropStoredPdf(on: On, accountId: string, moment: Date): Promise<boolean> {
  const { rows } = await on.query(
    `update invitation_pdf set stored = false, created_at = $2
     where account_id = $1 and stored returning 1`,
    [accountId, moment],
  )
  await on.query(
    `delete from invitation_pdf where account_id = $1 and not stored
       and created_at < $2::timestamptz - interval '${KEPT}'`,
    [accountId, moment],
  )
  return rows.length > 0
}

/** One writer of PDFs per account at a time. */
export async function lockPdf(on: On, accountId: string): Promise<void> {
  await on.query('select 1 from account where id = $1 for no key update', [accountId])
}
