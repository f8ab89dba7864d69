// Every rule that the verifier of TSE exports (TAR) knows. Sources: BSI TR-03151 1.0.1 with its
// amendment (log messages, container), TR-03153, DSFinV-K 2.2 Annex I (processData).

/** Code → what must hold. Codes are stable: scripts compare them. */
export const tarRules = {
  // the container: TR-03151 5.1, Appendix C
  TAR_BROKEN: 'the file is a complete sequence of TAR archives',
  TAR_END: 'an archive ends with two zero blocks',
  TAR_EMPTY: 'an export holds log messages',
  MEMBER_TYPE: 'every member but a folder is an ordinary file',
  MEMBER_UNKNOWN: 'a member is info.csv, a log message or a certificate, by its name',
  MEMBER_SIZE: 'no member is larger than a log message or a certificate can be',
  MEMBER_LONG_NAME:
    'names have at most 100 characters; longer ones need an extension of the format',
  INFO_MISSING: 'there is an info.csv',
  INFO_DOUBLED: 'there is only one info.csv',
  INFO_FORM: 'info.csv is one line with description, manufacturer and version',

  // certificates: TR-03151 5.1, TR-03153
  CERTIFICATE_FORM: 'a certificate file holds an X.509 certificate',
  CERTIFICATE_CVC: 'card verifiable certificates are not read',
  CERTIFICATE_KEY: 'the key of a device lies on a curve that is known here',
  CERTIFICATE_NAME: 'a device certificate is named after the SHA-256 of its public key',
  CERTIFICATE_CA_NAME: 'a certificate of an authority is named after its public key, too',
  CERTIFICATE_SUBJECT: 'the subject of a device certificate names the serial number (CN)',
  CERTIFICATE_CHAIN: 'each certificate is signed by its issuer, up to a root that is exported',
  CERTIFICATE_PERIOD: 'log messages are signed while the certificate is valid',
  CERTIFICATE_UNTRUSTED: 'trust comes from certificates given beside the file, not from the file',
  CERTIFICATE_DISTRUSTED: 'the key that signs is one of the given ones, or certified by one',
  CERTIFICATE_MISSING: 'the certificate of the key that signs is exported',

  // one log message: TR-03151 chapter 2
  LOG_FORM: 'a log message is the DER structure of the guideline, version 2',
  LOG_NAME: 'the file name repeats time, counter, kind, transaction and client of the message',
  ALGORITHM: 'the signature algorithm is one that can be checked here',
  SIGNATURE_INVALID: 'the signature belongs to the message and to the certificate',
  SYSTEM_OPERATION: 'a system operation is one of the guideline or of a known vendor',
  SYSTEM_DATA: 'the data of a system operation have the form of the guideline',

  // the row of messages: TR-03151 2.5, TR-03153
  COUNTER_DOUBLED: 'a signature counter is used once',
  COUNTER_GAP: 'signature counters have no gap',
  COUNTER_ERASED: 'an export after an erase begins later and keeps open transactions',
  COUNTER_ORDER: 'messages lie in the archive about in the order of their counters',
  DEVICE_CHANGED: 'all messages of one archive are of one device',
  TIME_FORMAT: 'a device writes its times in one format',
  TIME_DECREASES: 'log time does not decrease with the counter',
  TIME_SET_BACK: 'updateTime has set the clock back',
  TRANSACTION_NUMBER: 'transactions are numbered in the order of their starts, without a gap',
  TRANSACTION_ORDER: 'transactions start in the order of their numbers',
  TRANSACTION_NOT_OPEN: 'update and finish belong to a transaction that is open',
  TRANSACTION_CLIENT: 'a transaction belongs to one client',
  TRANSACTION_OPEN: 'transactions are finished',
  CLIENT_UNREGISTERED: 'a client is registered when it starts a transaction',
  AFTER_DISABLE: 'a disabled device starts and finishes nothing',

  // what a finish says: DSFinV-K Annex I
  PROCESS_TYPE: 'a finish is Kassenbeleg-V1, Bestellung-V1 or SonstigerVorgang',
  PROCESS_DATA: 'processData has the grammar of its processType',
  PROCESS_SUMS: 'turnover and payments of a Beleg are equal',
  PROCESS_LINE_FEED: 'lines of an order are joined with CR',
} as const

export type TarCode = keyof typeof tarRules

/** Lawful or outside this verifier, and told all the same. */
export const tarNotices: ReadonlySet<string> = new Set<TarCode>([
  'MEMBER_UNKNOWN',
  'MEMBER_LONG_NAME',
  'CERTIFICATE_CVC',
  'CERTIFICATE_KEY',
  'CERTIFICATE_CA_NAME',
  'CERTIFICATE_SUBJECT',
  'CERTIFICATE_UNTRUSTED',
  'COUNTER_ERASED',
  'SYSTEM_OPERATION',
  'TIME_SET_BACK',
  'TRANSACTION_ORDER',
  'TRANSACTION_OPEN',
  'PROCESS_SUMS',
  'PROCESS_LINE_FEED',
])

/**
 * The device's log is sound all the same: what is wrong was signed as it is, or stands beside the
 * log. All other codes say that the log is broken, or that nothing can be said about it.
 */
export const tarContentCodes: ReadonlySet<string> = new Set<TarCode>([
  'MEMBER_TYPE',
  'INFO_MISSING',
  'INFO_DOUBLED',
  'INFO_FORM',
  'CERTIFICATE_NAME',
  'LOG_NAME',
  'COUNTER_ORDER',
  'SYSTEM_DATA',
  'TRANSACTION_NUMBER',
  'TRANSACTION_NOT_OPEN',
  'TRANSACTION_CLIENT',
  'CLIENT_UNREGISTERED',
  'PROCESS_TYPE',
  'PROCESS_DATA',
])
