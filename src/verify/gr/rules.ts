// Every rule that the verifier of Greek books knows. Source: myDATA API 2.0.1 (documents, UID).

/** Code → what must hold. Codes are stable: scripts compare them. */
export const rules = {
  XML_FORM: 'the file is one well-formed InvoicesDoc',
  EMPTY: 'there is at least one document',
  ISSUER_CHANGES: 'all documents are of one issuer and one branch',
  UID_WRONG: 'the UID is the fingerprint of issuer, date, branch, type, series and number',
  NUMBER_TWICE: 'a number of a series is used once and goes up',
  MARK_ORDER: 'MARKs go up in the order of the documents',
  MARK_MISSING: 'a document has its MARK',
  TOTAL_WRONG: 'the gross total follows from net, VAT and taxes',
  SUMS_WRONG: 'net and VAT are the sums of the rows',
} as const

export type RuleCode = keyof typeof rules

export const notices: ReadonlySet<string> = new Set<RuleCode>(['MARK_MISSING'])

/** What was recorded is irregular; all others break the log. */
export const contentCodes: ReadonlySet<string> = new Set<RuleCode>(['TOTAL_WRONG', 'SUMS_WRONG'])
