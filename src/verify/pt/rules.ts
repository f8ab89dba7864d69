// The rules of SAF-T (PT). Sources: Portaria 302/2016 (structure), Portaria 363/2010 and Despacho
// 8632/2014 (signatures, numbers), Portaria 195/2020 (ATCUD). Their sentences stand in
// src/words/findings/pt.json.
import { findingWords } from '../../words/findings.js'
import type { Report as ReportOf } from '../reporter.js'

export const { rules } = findingWords('pt')

export type RuleCode = keyof typeof rules
/** `place`: number of the document, '' for the file as a whole. */
export type Report = ReportOf<RuleCode>

const codes = (...listed: RuleCode[]): ReadonlySet<string> => new Set(listed)

export const notices = codes('KEY_MISSING', 'SERIES_BEGIN')

/** What was signed is irregular; all others break the log. */
export const contentCodes = codes(
  ...(['GROSS_WRONG', 'NET_WRONG', 'TAX_WRONG', 'SIDE_WRONG', 'EXEMPTION_WRONG'] as const),
  ...(['REFERENCE_MISSING', 'REFERENCE_UNKNOWN', 'CREDIT_EXCEEDS', 'CREDIT_OF_VOIDED'] as const),
  ...(['PAYMENT_EXCEEDS', 'ISSUER_NIF', 'TIME_DECREASES', 'DATE_WRONG'] as const),
)
