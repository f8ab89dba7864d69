// What has been changed, by whom and for whom, as it is shown.
import { type JsonValue, parseJson } from '../../lib/json.js'
import { type AuditFound, type AuditQuestion, listAudit } from '../../store/account/audit.js'
import type { Store } from '../../store/client.js'

export interface AuditLine extends Omit<AuditFound, 'subjects' | 'before' | 'after'> {
  subjects: JsonValue
  /** Null: it was not there. */
  before: JsonValue
  /** Null: it is gone. */
  after: JsonValue
}

/** Newest first; for the next page ask for those before the last id. */
export async function auditLines(store: Store, asked: AuditQuestion): Promise<AuditLine[]> {
  const rows = await listAudit(store, asked)
  return rows.map((row) => ({
    ...row,
    subjects: parseJson(row.subjects),
    before: row.before === null ? null : parseJson(row.before),
    after: row.after === null ? null : parseJson(row.after),
  }))
}
