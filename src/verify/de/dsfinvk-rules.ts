// Every rule that the verifier of DSFinV-K exports knows. Sources: DSFinV-K 2.2 to 2.4 with Annexes
// E, G and I, its index.xml, the GDPdU description standard; four-digit numbers are those of the
// receipt validation that is in use in the field.

/** Code → what must hold. Codes are stable: scripts compare them. */
export const dsfinvkRules = {
  // the container
  ZIP_BROKEN: 'the file is a complete ZIP archive',
  ZIP_MEMBER: 'each member is there once, is not encrypted and has a size that a table can have',
  MEMBER_MISSING: 'the 20 tables and index.xml are there, also when they have no rows',
  MEMBER_UNKNOWN: 'nothing else is in the archive',
  DTD_MISSING: 'the DTD that index.xml names lies beside it',
  INDEX_DTD: 'index.xml is valid by the DTD of the GDPdU description standard',
  INDEX_FORM: 'index.xml is a description of tables',
  INDEX_TABLE: 'index.xml describes each table, with separators and decimal comma',
  INDEX_COLUMNS: 'index.xml describes the columns of the standard, in their order',

  // tables and fields: index.xml, Annex G
  CSV_FORM: 'a table is UTF-8 with CRLF after every row and one value per column',
  CSV_HEADER: 'the first row names the columns of index.xml',
  FIELD_LENGTH: 'a text is not longer than its column',
  FIELD_NUMBER: 'a number has a decimal comma and at most the decimals of its column',
  FIELD_DECIMALS: 'a number has all decimals of its column and no grouping',
  FIELD_BLANKS: 'a text has no blanks around it and no control characters',
  FIELD_TIME: 'a time is ISO 8601; times of the TSE are UTC with milliseconds',
  FIELD_VALUE: 'a value is one of its list',
  FIELD_MANDATORY: 'a mandatory column is filled',

  // keys
  CLOSING_UNKNOWN: 'each row belongs to a closing of cashpointclosing.csv',
  CLOSING_DOUBLED: 'a closing is there once',
  CLOSING_NUMBER: 'Z_NR rises by one (1000: no closing is missing)',
  CLOSING_ROWS: 'a closing has one cash register and a location',
  CLOSING_RANGE: 'Z_START_ID and Z_ENDE_ID are the first and the last receipt',
  BON_UNKNOWN: 'each BON_ID is one of transactions.csv',
  BON_DOUBLED: 'a BON_ID is there once in a closing',
  BON_NUMBER: 'BON_NR rises within a closing',
  BON_TIMES: 'a receipt does not end before it begins',
  ROW_ORDER: 'rows of all tables stand in the order of transactions.csv',
  LINE_UNKNOWN: 'each POS_ZEILE is one of lines.csv',
  LINE_DOUBLED: 'a POS_ZEILE is there once in a receipt',
  TERMINAL_UNKNOWN: 'TERMINAL_ID is one of slaves.csv',
  LINE_TERMINAL: 'POS_TERMINAL_ID is one of slaves.csv',
  VAT_UNKNOWN: 'UST_SCHLUESSEL is one of vat.csv',
  AGENCY_UNKNOWN: 'AGENTUR_ID is one of pa.csv, or 0',
  TSE_UNKNOWN: 'TSE_ID is one of tse.csv',
  REFERENCE_UNKNOWN: 'a receipt that is referred to and was closed in this export is in it',

  // sums
  NET_PLUS_VAT: 'net and VAT make gross',
  VAT_AMOUNT: 'VAT is net times rate (5010)',
  VAT_RATE: 'UST_SATZ fits UST_SCHLUESSEL (5011)',
  BON_VAT_SUMS: 'transactions_vat.csv sums up lines_vat.csv',
  BON_TURNOVER: 'UMS_BRUTTO is the sum of the lines',
  BON_PAYMENTS: 'payments of a Beleg are its turnover (5035)',
  LINE_PRICE: 'MENGE times STK_BR is POS_BRUTTO (5070)',
  LINE_ROUNDED: 'the same within the rounding of MENGE (5070)',
  VOID_UNREFERENCED: 'a void refers to a receipt (5290)',
  CLOSING_BUSINESS: 'businesscases.csv sums up the lines of all Beleg',
  CLOSING_PAYMENTS: 'payment.csv and Z_SE_ZAHLUNGEN sum up the payments of all Beleg',
  CLOSING_CASH: 'cash_per_currency.csv and Z_SE_BARZAHLUNGEN sum up the cash (5020)',

  // TSE
  TSE_KEY: 'key, serial number and certificate of a TSE belong together',
  CERTIFICATE_UNTRUSTED: 'trust comes from certificates given beside the file, not from the file',
  CERTIFICATE_DISTRUSTED: 'the key that signs is one of the given ones, or certified by one',
  TSE_MISSING: 'a receipt has a signature, or says in TSE_TA_FEHLER why it has none',
  TSE_SIGNATURE: 'the signature belongs to the finish that the row describes',
  TSE_UNPROVEN: 'the row holds all that was signed',
  TSE_CUT: 'what was signed of an order stands in its row or in its lines as a whole',
  TSE_COUNTER: 'a signature counter of a TSE is used once',
  TSE_TRANSACTION: 'a transaction number of a TSE is used once',
  TSE_TIMES: 'a transaction does not end before it begins',
  TSE_DATA: 'TSE_VORGANGSDATEN have the grammar of their type',
  TSE_AMOUNTS: 'the signed turnover is that of the receipt',
  TSE_PAYMENTS: 'the signed payments are those of the receipt',

  // beside the log of the TSE
  TAR_LACKS: 'each signed transaction of the export is in the log of the TSE',
  TAR_ONLY: 'each transaction of these closings that the log has is in the export',
  TAR_DIFFERS:
    'a transaction says the same in the export and in the log; an order that is cut, ' +
    'as far as its columns reach',
  TAR_OUTSIDE: 'the log holds transactions of other closings',
  TAR_OTHER: 'transactions without a receipt (SonstigerVorgang) need no row',
} as const

export type DsfinvkCode = keyof typeof dsfinvkRules

/** Lawful or outside this verifier, and told all the same. */
export const dsfinvkNotices: ReadonlySet<string> = new Set<DsfinvkCode>([
  'DTD_MISSING',
  'FIELD_DECIMALS',
  'FIELD_BLANKS',
  'BON_TIMES',
  'LINE_TERMINAL',
  'LINE_ROUNDED',
  'TSE_UNPROVEN',
  'CERTIFICATE_UNTRUSTED',
  'TAR_OUTSIDE',
  'TAR_OTHER',
])

/** The archive cannot be read, or signatures do not hold: all other codes are of the content. */
const DEVICE: ReadonlySet<string> = new Set<DsfinvkCode>([
  'ZIP_BROKEN',
  'ZIP_MEMBER',
  'TSE_KEY',
  'TSE_UNKNOWN',
  'TSE_SIGNATURE',
  'TSE_COUNTER',
  'TSE_TRANSACTION',
  'CERTIFICATE_DISTRUSTED',
])

export const dsfinvkContentCodes: ReadonlySet<string> = new Set(
  Object.keys(dsfinvkRules).filter((code) => !DEVICE.has(code)),
)
