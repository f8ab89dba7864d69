// Every rule that the verifier of SAF-T (PT) knows. Sources: Portaria 302/2016 (structure),
// Portaria 363/2010 and Despacho 8632/2014 (signatures, numbers), Portaria 195/2020 (ATCUD).

/** Code → what must hold. Codes are stable: scripts compare them. */
export const rules = {
  // the file
  XML_FORM: 'the file is one well-formed document of AuditFile 1.04_01, in Windows-1252',
  EMPTY: 'there is at least one document',
  ISSUER_NIF: 'the tax number of the issuer has nine digits and its check digit',
  COUNT_WRONG: 'NumberOfEntries is the number of documents of the table',
  TOTAL_WRONG: 'TotalDebit and TotalCredit are the net sums of what is not annulled',
  CUSTOMER_UNKNOWN: 'each customer of a document is in the master files',
  PRODUCT_UNKNOWN: 'each product of a line is in the master files',
  TAX_UNKNOWN: 'each tax of a line is in the tax table, with its percentage',

  // signatures and numbers
  SIGNATURE_INVALID: 'the hash signs date, moment, number, total and the hash before it',
  HASH_CONTROL: 'HashControl is the version of the key, and names the paper of recovered documents',
  KEY_MISSING: 'the public key of the version is given, or in the file',
  NUMBER_FORM: 'a number is type, series and counter; the type is that of the document',
  NUMBER_GAP: 'documents of a series are numbered one by one, the first of all is 1',
  SERIES_BEGIN: 'what stands before the first document of a series is proven by the file before',
  ATCUD_WRONG: 'ATCUD is the code of the series, the same for all, and the counter of the number',
  TIME_DECREASES: 'no document is older than the one before it in its series',
  DATE_WRONG: 'the date is the day of SystemEntryDate, but for recovered documents',

  // documents
  STATUS_WRONG: 'a status is known, not older than its document, and has a reason but for N',
  GROSS_WRONG: 'GrossTotal is NetTotal and TaxPayable',
  NET_WRONG: 'NetTotal is the sum of the lines',
  TAX_WRONG: 'TaxPayable is the tax of the lines by their rates',
  SIDE_WRONG: 'lines of credit notes are debits, all others credits',
  EXEMPTION_WRONG: 'a line of 0 % names code and mention of its exemption, others none',
  REFERENCE_MISSING: 'credit notes and receipts of payment refer to a document',
  REFERENCE_UNKNOWN: 'what is referred to was made before',
  CREDIT_EXCEEDS: 'credit notes do not exceed their document',
  CREDIT_OF_VOIDED: 'an annulled document is not credited, and a credited one not annulled',
  PAYMENT_EXCEEDS: 'receipts of payment do not exceed their invoice',
} as const

export type RuleCode = keyof typeof rules

export const notices: ReadonlySet<string> = new Set<RuleCode>(['KEY_MISSING', 'SERIES_BEGIN'])

/** What was signed is irregular; all others break the log. */
export const contentCodes: ReadonlySet<string> = new Set<RuleCode>([
  ...(['GROSS_WRONG', 'NET_WRONG', 'TAX_WRONG', 'SIDE_WRONG', 'EXEMPTION_WRONG'] as const),
  ...(['REFERENCE_MISSING', 'REFERENCE_UNKNOWN', 'CREDIT_EXCEEDS', 'CREDIT_OF_VOIDED'] as const),
  ...(['PAYMENT_EXCEEDS', 'ISSUER_NIF', 'TIME_DECREASES', 'DATE_WRONG'] as const),
])

/** `receipt`: number of the document, '' for the file as a whole. */
export type Report = (code: RuleCode, receipt: string, text: string) => void
