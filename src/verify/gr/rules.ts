// Every rule that the verifier of Greek books knows. Source: myDATA API 2.0.1 (documents, UID, list
// of errors).

/** Code → what must hold. Codes are stable: scripts compare them. */
export const rules = {
  XML_FORM: 'the file is one well-formed InvoicesDoc',
  EMPTY: 'there is at least one document',
  ISSUER_INVALID: 'the issuer has a tax number with a right check digit',
  ISSUER_CHANGES: 'all documents are of one issuer and one branch',
  TYPE_UNKNOWN: 'the type is one that an issuer can send',
  UID_WRONG: 'the UID is the fingerprint of issuer, date, branch, type, series and number',
  NUMBER_TWICE: 'a number of a series is used once and goes up',
  NUMBER_GAP: 'numbers of a series follow one another',
  RECEIPT_TWICE: 'a receipt is in the books once',
  MARK_ORDER: 'MARKs go up in the order of the documents',
  MARK_MISSING: 'a document has its MARK',
  CODE_FORM: 'a MARK stands beside the authentication code, a fingerprint in hexadecimal',
  REFERENCE_MISSING: 'a credit note of an invoice, and a cancellation, name what they are of',
  REFERENCE_LATER: 'a document names earlier documents only',
  CREDIT_OVER: 'credit notes of an invoice are not above it',
  PARTY_MISSING: 'invoices name the other side',
  PARTY_STRAY: 'receipts of retail name no other side',
  PARTY_INVALID: 'a Greek customer has a tax number with a right check digit',
  TABLE_MISSING: 'an order names its table',
  LINE_TWICE: 'lines have numbers of their own',
  EXEMPTION_MISSING: 'a line without VAT (7) has its reason, and only such a line',
  EXEMPT_TAXED: 'a line without VAT (7, 8) carries none',
  VAT_WRONG: 'VAT of a line is that of its rate',
  CLASSIFICATION_SUM: 'a line is classified as a whole',
  CLASSIFICATION_SUMMARY: 'the summary has the classifications of the lines',
  TOTAL_WRONG: 'the gross total follows from net, VAT and taxes',
  SUMS_WRONG: 'net, VAT, deductions and taxes are the sums of the lines and of the taxes',
} as const

export type RuleCode = keyof typeof rules

/** What happens to honest books, too: an authority out of reach, a number consumed there. */
export const notices: ReadonlySet<string> = new Set<RuleCode>([
  ...(['MARK_MISSING', 'NUMBER_GAP', 'VAT_WRONG'] as const),
])

const LOG: ReadonlySet<string> = new Set<RuleCode>([
  ...(['XML_FORM', 'EMPTY', 'ISSUER_CHANGES', 'UID_WRONG', 'NUMBER_TWICE', 'NUMBER_GAP'] as const),
  ...(['RECEIPT_TWICE', 'MARK_ORDER', 'MARK_MISSING', 'CODE_FORM', 'REFERENCE_LATER'] as const),
])

/** What was recorded is irregular; all others break the log. */
export const contentCodes: ReadonlySet<string> = new Set(
  Object.keys(rules).filter((code) => !LOG.has(code)),
)
