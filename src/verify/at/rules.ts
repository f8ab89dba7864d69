// Every rule that the verifier of the Austrian collection protocol (DEP7) knows, with its source:
// RKSV (Federal Law Gazette II 410/2015 as amended) and its Annex. Codes used by the whole folder.

/** Code → what must hold. Codes are stable: scripts compare them. */
export const rules = {
  // the file: RKSV § 7 and Annex, detail specification of the export format
  JSON_BROKEN: 'the file is one complete JSON document in UTF-8',
  STRUCTURE_MISSING: 'the members Belege-Gruppe, Signaturzertifikat, … are there under these names',
  STRUCTURE_TYPE: 'each member has the kind of value that the format gives it',
  STRUCTURE_DOUBLED: 'no member comes twice in one object',
  NO_RECEIPTS: 'the file holds at least one receipt',

  // certificates: RKSV § 15, Annex
  CERTIFICATE_FORM: 'Signaturzertifikat is an X.509 certificate, DER in base64, or empty',
  CERTIFICATE_MISSING: 'each of several groups names its certificate',
  CERTIFICATE_KEY: 'the certificate holds a P-256 key',
  CERTIFICATE_SIGNATURE:
    'the certificate is signed by the issuer that it names, where that one is there',
  CERTIFICATE_DIFFERS: 'a certificate given beside the file is the one in the file',
  CERTIFICATE_UNTRUSTED: 'trust comes from certificates given beside the file, not from the file',
  CERTIFICATE_LATE: 'the certificate of a group is known when its receipts are read',
  CERTIFICATE_EARLY: 'no receipt is older than the certificate that signed it',
  AUTHORITY_FORM: 'Zertifizierungsstellen are X.509 certificates, DER in base64',
  SERIAL_UNKNOWN: 'there is a certificate for the serial number on the receipt',
  SERIAL_MISMATCH: 'the serial number on the receipt is that of the certificate of its group',

  // one receipt: Annex, machine-readable code and compact form of the signature
  JWS_FORM: 'a receipt is three parts in base64url without padding, joined by dots',
  JWS_HEADER: 'the first part is always {"alg":"ES256"} in one spelling',
  PAYLOAD_FORM: 'the second part is UTF-8 of twelve fields, each after an underscore',
  CODE_LENGTH: 'the machine-readable code has 100 to 1000 characters',
  ALGORITHM: 'the algorithm is R1',
  PROVIDER:
    'the trust service provider (ZDA) is AT0 to AT10 or AT100; AT0 only without certificate',
  CASH_BOX_FORM: 'the Kassen-ID is not empty',
  NUMBER_FORM: 'the Belegnummer is not empty',
  TIME_FORM: 'the time is yyyy-MM-ddTHH:mm:ss and exists',
  AMOUNT_FORM: 'the five amounts have two decimals after a comma and no grouping',
  TURNOVER_FORM: 'the turnover counter is base64 of 5 to 16 bytes, or of TRA or STO',
  SERIAL_FORM: 'the serial number is lowercase hex without leading zeros',
  CHAIN_FORM: 'the chaining value is base64 of 8 bytes',
  SIGNATURE_FORM: 'the third part is a signature of 64 bytes, or the fixed text of a failed device',
  SIGNATURE_INVALID: 'the signature belongs to the receipt and to the certificate',
  RECEIPT_ALTERED: 'neither signature nor following chaining value contradict the receipt',

  // the row of receipts
  START_MISSING: 'the first receipt is chained to the Kassen-ID: it is the start receipt',
  START_UNSIGNED: 'the start receipt is signed by a working device',
  START_KIND: 'the start receipt is neither training nor void',
  START_AMOUNT: 'the start receipt has zero amounts',
  START_COUNTER: 'the turnover counter starts with 0',
  START_NOT_FIRST: 'only the first receipt is chained to the Kassen-ID',
  CHAIN_BROKEN: 'the chaining value is computed over the receipt before',
  GROUP_ORDER: 'groups follow each other in time',
  RECEIPT_SWAPPED: 'receipts stand in the order in which they were chained',
  RECEIPT_DOUBLED: 'no receipt stands in the file twice',
  RECEIPT_INSERTED: 'no receipt stands between two that are chained to each other',
  NUMBER_DOUBLED: 'a Belegnummer is used once per Kassen-ID',
  CASH_BOX_CHANGED: 'all receipts are of one Kassen-ID',
  SYSTEM_CHANGED: 'a closed system (AT0) stays one, and an open one too',
  COUNTER_WRONG: 'the turnover counter is the sum of all printed amounts without training',
  TRAINING_COUNTED: 'a training receipt does not change the turnover counter',
  VOID_UNCOUNTED: 'a void changes the turnover counter',
  KEY_WRONG: 'the AES key is the one of this cash register',
  TIME_DECREASES: 'no receipt is older than the one before',
  TIME_FUTURE: 'no receipt is dated later than now',
  TIME_REPEATED_HOUR: 'the hour that comes twice in October makes the local time go back once',
  COLLECTIVE_MISSING:
    'the first or second receipt after a failed one is a signed zero receipt (Sammelbeleg), § 17',
  AFTER_REFUSED: 'the export that the slice follows is right itself',
} as const

export type RuleCode = keyof typeof rules

/** Lawful or outside this verifier, and told all the same. */
export const notices: ReadonlySet<string> = new Set<RuleCode>([
  'CERTIFICATE_EARLY',
  'CERTIFICATE_UNTRUSTED',
  'TIME_FUTURE',
  'TIME_REPEATED_HOUR',
  'AFTER_REFUSED',
])

/**
 * Signature and chain hold all the same: what is wrong was signed as it is. All other codes say
 * that the chain is broken, or that nothing can be said about it.
 */
export const contentCodes: ReadonlySet<string> = new Set<RuleCode>([
  'AUTHORITY_FORM',
  'CODE_LENGTH',
  'PROVIDER',
  'CASH_BOX_FORM',
  'NUMBER_FORM',
  'TIME_FORM',
  'AMOUNT_FORM',
  'TURNOVER_FORM',
  'SERIAL_FORM',
  'START_UNSIGNED',
  'START_KIND',
  'START_AMOUNT',
  'START_COUNTER',
  'NUMBER_DOUBLED',
  'SYSTEM_CHANGED',
  'COUNTER_WRONG',
  'TRAINING_COUNTED',
  'VOID_UNCOUNTED',
  'KEY_WRONG',
  'TIME_DECREASES',
  'COLLECTIVE_MISSING',
])
