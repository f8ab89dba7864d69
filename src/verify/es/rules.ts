// Every rule that the verifier of Spanish journals knows. Sources: RD 1007/2023, Orden
// HAC/1177/2024 (records, huella, chain), ticketBaiV1-2-2 (files, signature, chain).

/** Code → what must hold. Codes are stable: scripts compare them. */
export const rules = {
  XML_FORM: 'each request is one well-formed document with one record',
  EMPTY: 'there is at least one record',
  ISSUER_CHANGES: 'all records of a chain are of one issuer and one installation',
  HUELLA_WRONG: 'the huella is the fingerprint of the fields of the record',
  CHAIN_LINK: 'a record names the one before it, with its huella or signature',
  CHAIN_BEGIN: 'what stands before the first record is proven by the file before',
  CHAIN_RESTART: 'only the first record of an installation says that it is the first',
  TIME_DECREASES: 'no record is older than the one before it',
  NUMBER_GAP: 'invoices of a series are numbered one by one',
  NUMBER_TWICE: 'a number is used once, but for a file that is sent again in its place',
  TOTAL_WRONG: 'the total is the sum of bases and taxes',
  TAX_WRONG: 'the tax is the sum of the taxes of all rates',
  CANCEL_UNKNOWN: 'what is cancelled was issued before',
  CANCEL_TWICE: 'an invoice is cancelled once',
  REPAIR_UNKNOWN: 'a corrected record is of an invoice that was issued before',
  REFERENCE_UNKNOWN: 'what is rectified or replaced was issued before',
  SIGNATURE_INVALID: 'the signature is over the document, by the certificate in it',
} as const

export type RuleCode = keyof typeof rules

export const notices: ReadonlySet<string> = new Set<RuleCode>([
  ...(['CHAIN_BEGIN', 'CANCEL_UNKNOWN', 'REPAIR_UNKNOWN', 'REFERENCE_UNKNOWN'] as const),
])

/** What was recorded is irregular; all others break the log. */
export const contentCodes: ReadonlySet<string> = new Set<RuleCode>([
  ...(['TOTAL_WRONG', 'TAX_WRONG', 'CANCEL_UNKNOWN', 'CANCEL_TWICE'] as const),
  ...(['REPAIR_UNKNOWN', 'REFERENCE_UNKNOWN', 'TIME_DECREASES'] as const),
])

/** `receipt`: number of the invoice, '' for the file as a whole. */
export type Report = (code: RuleCode, receipt: string, text: string) => void
