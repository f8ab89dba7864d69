// Refusals of what signs and exports: groups B and C.
import type { ErrorRow } from './row.js'

export const SIGNING_REFUSALS = {
  COUNTRY_WRONG: {
    kind: 'invalid',
    text: '{field} is a case of another country: this queue belongs to {market}.{hint}',
  },
  CASH_BOX_OTHER: { kind: 'invalid', text: 'ftCashBoxID is not the cash box of this queue.' },
  CASH_BOX_OTHER_HEADER: {
    kind: 'unauthenticated',
    text: 'ftCashBoxID in the body differs from the header cashboxid.',
  },
  CREDENTIALS_MISSING: { kind: 'unauthenticated', text: 'The header {header} is missing.' },
  CREDENTIALS_WRONG: {
    kind: 'unauthenticated',
    text: 'The headers cashboxid and accesstoken do not belong together.',
  },
  CREDENTIALS_LIMITED: {
    kind: 'limited',
    text: 'Too many wrong credentials from this address; try again in a minute.',
  },
  ORIGIN_REFUSED: {
    kind: 'forbidden',
    text:
      'Pages of the origin {origin} may not call this server; MIDDLEWARE_ORIGINS names those ' +
      'that may.',
  },
  HOST_REFUSED: {
    kind: 'forbidden',
    text: 'This server is not called {host}; MIDDLEWARE_AUTH=off,NAME names further ones.',
  },
  QUEUE_UNKNOWN: { kind: 'missing', text: 'There is no queue {queue} here.' },
  QUEUE_NOT_NAMED: {
    kind: 'invalid',
    text: 'The call names no queue: put the queue id into the path or into ftQueueID.',
  },
  MARKET_RULE: { kind: 'refused', text: '{reason}' },
  PROCESSING_FAILED: {
    kind: 'broken',
    text: 'An error occurred during receipt processing; the receipt is stored without a signature.',
  },
  JOURNAL_TYPE_UNKNOWN: {
    kind: 'invalid',
    text: 'ftJournalType {type} is not known for market {market}.',
  },
  JOURNAL_FORMAT: { kind: 'invalid', text: 'The journal {type} does not come as {format}.' },
  SPOOL_FULL: {
    kind: 'too-large',
    text: 'A part of the export is larger than {limit} bytes; ask for a shorter range.',
  },
  ACCOUNT_UNKNOWN: { kind: 'missing', text: 'There is no account {account} here.' },
  IDENTIFICATION_TAKEN: {
    kind: 'conflict',
    text: 'This account has a queue with the identification {identification} already.',
  },
  SCU_UNKNOWN: { kind: 'missing', text: 'There is no signing unit {scu} here.' },
  SCU_NONE: {
    kind: 'unauthenticated',
    text: 'This cash box holds no signing unit that this interface serves.',
  },
  DEVICE_FAILED: { kind: 'broken', text: 'The signing device {scu} failed: {reason}.' },
  DEVICE_REFUSED: {
    kind: 'conflict',
    text: 'The signing device {scu} has refused this: {reason}.',
  },
  DEVICE_UNANSWERED: {
    kind: 'unavailable',
    text: 'The signing device {scu} has not answered, and may have done it: {reason}.',
  },
  EXPORT_SESSION_UNKNOWN: {
    kind: 'missing',
    text: 'There is no export session {token} of this signing unit.',
  },
  SOFTWARE_DEVICE: {
    kind: 'broken',
    text: '{scu} is a software device; in production it needs ALLOW_SOFTWARE_DEVICES=true.',
  },
  UNIT_ENVIRONMENT: {
    kind: 'broken',
    text: 'The signing unit {scu} says that it is {environment}; this server is {server}.',
  },
} as const satisfies Record<string, ErrorRow>
