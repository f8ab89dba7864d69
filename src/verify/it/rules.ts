// Every rule that the verifier of Italian journals knows. Sources: D.Lgs. 127/2015, art. 2;
// provision 182017/2016 with its technical specification (documents, Z reports, returns and
// voids).

/** Code → what must hold. Codes are stable: scripts compare them. */
export const rules = {
  LINE_FORM: 'each line is one document or Z report',
  EMPTY: 'there is at least one document or Z report',
  CHAIN_LINK: 'a line names the hash of the one before it',
  CHAIN_BEGIN: 'what stands before the first line is proven by the file before',
  Z_ORDER: 'Z reports of a device are numbered one by one',
  DOCUMENT_Z: 'a document belongs to the Z report that follows it',
  DOCUMENT_ORDER: 'documents between two Z reports are numbered one by one, from 1 on',
  DOCUMENT_GAP: 'documents of other registers, or such as got no answer, are not in the file',
  TIME_DECREASES: 'no document of a device is older than the one before it',
  TOTAL_WRONG: 'the total is the sum of the lines and of all rates',
  RATE_WRONG: 'the sum of a rate is that of its lines',
  TAX_WRONG: 'the tax of a rate is what is inside of its gross sum',
  PAYMENT_WRONG: 'what is paid is the total, and more of it in cash only',
  TAX_ID_WRONG: 'a tax number has its check character',
  LOTTERY_WRONG: 'a lottery code has 8 characters, stands on a sale of at least one euro',
  REFERENCE_MISSING: 'a void names its document',
  REFERENCE_UNKNOWN: 'what is given back or voided was made before',
  REFERENCE_DONE: 'what was given back or voided is not once more',
  REFERENCE_AMOUNT: 'no more is given back than was sold, and all of it is voided',
  SHA_MISSING: 'documents of an RT server have its fingerprint, each another',
} as const

export type RuleCode = keyof typeof rules

/** Lawful, or not to be decided from this file. */
export const notices: ReadonlySet<string> = new Set<RuleCode>([
  ...(['CHAIN_BEGIN', 'DOCUMENT_GAP', 'REFERENCE_UNKNOWN'] as const),
])

/** What was recorded is irregular; all others break the log. */
export const contentCodes: ReadonlySet<string> = new Set<RuleCode>([
  ...(['TOTAL_WRONG', 'RATE_WRONG', 'TAX_WRONG', 'PAYMENT_WRONG', 'TAX_ID_WRONG'] as const),
  ...(['LOTTERY_WRONG', 'REFERENCE_DONE', 'REFERENCE_AMOUNT', 'REFERENCE_MISSING'] as const),
])

export type Report = (code: RuleCode, receipt: string, text: string) => void
