// Every rule that the verifier of French journals and archives knows. Sources: CGI 286-I-3° bis,
// BOI-TVA-DECLA-30-10-30 §§ 80 to 260; the form of the documents is that of version 0.

/** Code → what must hold. Codes are stable: scripts compare them. */
export const rules = {
  // the file
  ZIP_BROKEN: 'the archive is a complete ZIP',
  MEMBER_MISSING: 'certificate, archive.jws, documents, receiptJournals and queueItems are there',
  FILE_HASH: 'the name of a table has the SHA-256 of its content',
  TABLE_FORM: 'a table has its columns, in UTF-8, and a value for each',
  JSON_BROKEN: 'the journal is one complete JSON array of its rows',
  EMPTY: 'there is at least one document',

  // certificates
  CERTIFICATE_FORM: 'a certificate is X.509 with a P-256 key, named after its serial number',
  CERTIFICATE_MISSING: 'the certificate that a document names is there',
  CERTIFICATE_SIRET: 'CN of the certificate is the SIRET of its documents',
  CERTIFICATE_PERIOD: 'documents are signed while the certificate is valid',
  CERTIFICATE_UNTRUSTED: 'trust comes from certificates given beside the file, not from the file',
  CERTIFICATE_DISTRUSTED: 'the certificate in the file is one of those given beside it',

  // documents and their chains
  JWS_FORM: 'a document is a compact JWS, ES256, whose payload is one flat JSON object',
  SIGNATURE_INVALID: 'the signature belongs to the document and to the certificate',
  CHAIN_BROKEN: 'the member hash is the SHA-256 of the document before with the same letter',
  NUMBER_GAP: 'documents of a letter are numbered one by one, the first of all is 1',
  LETTER_WRONG: 'the letter is the one of the receipt case, X in training',
  QUEUE_CHANGED: 'all documents are of one queue',
  TIME_DECREASES: 'no document is older than the one before',
  SUM_WRONG: 'the total of a document is the sum of its rates',

  // totals
  TOTAL_WRONG: 'closings and archives report the sum of the tickets and invoices of their period',
  PERPETUAL_WRONG: 'the perpetual total is the sum of all tickets and invoices, never set back',

  // receipts of an archive
  ITEM_HASH: 'requestHash and responseHash are the SHA-256 of request and response',
  RECEIPT_NUMBER: 'receipts are numbered one by one, as their identification says',
  RECEIPT_ROW: 'each receipt has its row in receiptJournals, and no other has one',
  RECEIPT_HASH: 'ftReceiptHash is chained to the receipt before',
  DOCUMENT_MISSING: 'each signed receipt has its document, and the answer shows it',
  DOCUMENT_ITEM: 'a document repeats identification, item and moment of its receipt',
  AMOUNT_WRONG: 'the amounts of a document are those of the items of the receipt, by their cases',
  ARCHIVE_RANGE: 'the archive begins and ends with the receipts that its document names',
  COPY_NUMBER: 'copies of a receipt are numbered one by one',
  FAILURE_OPEN: 'receipts that were entered late are followed by a zero receipt',
  END_UNPROVEN: 'that nothing is missing at the end is proven by the next archive',
} as const

export type RuleCode = keyof typeof rules

export const notices: ReadonlySet<string> = new Set<RuleCode>([
  'CERTIFICATE_UNTRUSTED',
  'FAILURE_OPEN',
  'END_UNPROVEN',
])

/** What was signed is irregular; all others break the log. */
export const contentCodes: ReadonlySet<string> = new Set<RuleCode>([
  ...(['LETTER_WRONG', 'SUM_WRONG', 'TOTAL_WRONG', 'PERPETUAL_WRONG', 'TIME_DECREASES'] as const),
  ...(['AMOUNT_WRONG', 'COPY_NUMBER'] as const),
])

/** `receipt`: identification of the receipt, '' for the file as a whole. */
export type Report = (code: RuleCode, receipt: string, text: string) => void
