// The rules of French journals and archives: CGI 286-I-3° bis, BOI-TVA-DECLA-30-10-30 §§ 80 to 260;
// the form of documents is that of version 0. Sentences: src/words/findings/fr.json.
import { findingWords } from '../../words/findings.js'
import type { FindingSink } from '../contract.js'
import { judged as judgedBy, type Report as ReportOf } from '../reporter.js'

export const { rules, wording } = findingWords('fr')

export type RuleCode = keyof typeof rules
export type Report = ReportOf<RuleCode>

const codes = (...listed: RuleCode[]): ReadonlySet<string> => new Set(listed)

export const notices = codes('CERTIFICATE_UNTRUSTED', 'FAILURE_OPEN', 'END_UNPROVEN')

/** What was signed is irregular; all others break the log. */
export const contentCodes = codes(
  ...(['LETTER_WRONG', 'SUM_WRONG', 'TOTAL_WRONG', 'PERPETUAL_WRONG'] as const),
  ...(['TIME_DECREASES', 'AMOUNT_WRONG', 'COPY_NUMBER'] as const),
)

/** Of every kind of file. */
export const FRENCH = { wording, contentCodes, takes: new Set<never>() } as const

export const judged = <T>(
  sink: FindingSink,
  counted: T,
  work: (report: Report, counted: T) => Promise<void>,
): Promise<T> => judgedBy({ sink, notices }, counted, work)
