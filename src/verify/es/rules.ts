// The rules of Spanish journals. Sources: RD 1007/2023, Orden HAC/1177/2024 (records, huella,
// chain), ticketBaiV1-2-2 (files, signature, chain). They stand in src/words/findings/es.json.
import type { Report as ReportOf } from '../reporter.js'
import { ruleBook } from '../rule-book.js'

export const { rules, contentCodes, notices, fileKind } = ruleBook('es')

/** `place`: number of the invoice, '' for the file as a whole. */
export type Report = ReportOf<keyof typeof rules>
