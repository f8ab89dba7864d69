// Refusals of groups D and E: payments, issued receipts, messages, pairing.
import type { ErrorRow } from './row.js'

export const POS_SYSTEM_REFUSALS = {
  HEADERS_MISSING: { kind: 'invalid', text: 'These headers are missing: {headers}.' },
  HEADER_INVALID: {
    kind: 'invalid',
    text: 'The header {header} is not valid: expected {expected}.',
  },
  ACCESS_WRONG: {
    kind: 'unauthenticated',
    text: 'The headers x-cashbox-id and x-cashbox-accesstoken do not belong together.',
  },
  CASH_BOX_UNUSABLE: {
    kind: 'invalid',
    text: 'The CashBox {cashBox} has no active Queue; create one, then send the call again.',
  },
  OPERATION_CONFLICT: {
    kind: 'conflict',
    text:
      'The operation {operation} was called with another method, path or body before; use a new ' +
      'x-operation-id for a new call.',
  },
  OPERATION_WAITS: { kind: 'unavailable', text: 'The operation {operation} is still running.' },
  PAYMENT_DECLINED: { kind: 'invalid', text: 'The payment was declined: {reason}.' },
  PAYMENT_CANCELLED: { kind: 'invalid', text: 'The payment was cancelled: {reason}.' },
  PAYMENT_TIMEOUT: {
    kind: 'broken',
    text: 'The payment terminal did not finish in time: {reason}.',
  },
  PAYMENT_UNKNOWN: {
    kind: 'broken',
    text:
      'The server stopped while the payment was running. Check on the terminal whether money has ' +
      'moved before paying again.',
  },
  PAYMENT_LOST: {
    kind: 'broken',
    text:
      'The connection to the payment terminal was lost: {reason}. Check on the terminal whether ' +
      'money has moved before paying again.',
  },
  TERMINAL_UNKNOWN: { kind: 'missing', text: 'There is no payment terminal {terminal} here.' },
  PROVIDER_NONE: {
    kind: 'invalid',
    text: 'No payment terminal takes {protocol} for {terminal}; {hint}.',
  },
  FORMAT_UNSUPPORTED: {
    kind: 'invalid',
    text: 'None of {accept} can be had here; ask for {formats}.',
  },
  PICTURE_TOO_LONG: {
    kind: 'invalid',
    text: 'The receipt is too long for {format}; ask for application/pdf or image/png.',
  },
  RENDERING_BUSY: {
    kind: 'unavailable',
    text: 'Too many receipts are being drawn; try again shortly.',
  },
  RECEIPT_UNKNOWN: { kind: 'missing', text: 'There is no issued receipt {queue}/{item} here.' },
  APP_WRONG: {
    kind: 'unauthenticated',
    text: 'The headers X-App-Id and X-App-Secret are needed, and must belong together.',
  },
  APP_UNKNOWN: { kind: 'missing', text: 'There is no receipt app {app} here.' },
  DOCUMENT_UNKNOWN: { kind: 'missing', text: 'This receipt has no document {document}.' },
  DOCUMENTS_FULL: {
    kind: 'refused',
    text: 'This receipt has {most} documents already; no further one is kept.',
  },
  FEED_FULL: {
    kind: 'unavailable',
    text: 'Too many devices listen for receipts ({most}); close one, then try again.',
  },
  MESSAGE_ERASED: {
    kind: 'refused',
    text: 'The address and the content of message {job} were erased; nothing of it can be sent.',
  },
  MESSAGES_LIMITED: {
    kind: 'limited',
    text: 'At most {limit} messages are sent about {of}.',
  },
  OPERATION_UNKNOWN: { kind: 'missing', text: 'There is no operation {operation} here.' },
  PIN_WRONG: { kind: 'unauthenticated', text: 'This PIN is unknown, used or over.' },
  PIN_NONE_FREE: {
    kind: 'unavailable',
    text: 'Too many PINs are live, or PINs are being guessed; try again in a few minutes.',
  },
  CASH_BOX_UNKNOWN: { kind: 'missing', text: 'There is no cash box {cashBox} here.' },
  PIN_LIMITED: {
    kind: 'limited',
    text: 'Too many wrong PINs came from this network; try again later.',
  },
} as const satisfies Record<string, ErrorRow>
