// A refusal of every code as a document shows it: the text with likely details in its holes.
import { type ErrorCode, type FiscalError, fail } from '../../../errors.js'

const ID = '7d1a0002-0000-4000-8000-000000000001'

/** By the name of the hole. */
const DETAILS: Readonly<Record<string, string | number>> = {
  accept: 'image/tiff',
  account: ID,
  action: 'http://tempuri.org/IPOS/Echo',
  app: ID,
  available: 1,
  cashBox: ID,
  count: 2,
  document: ID,
  element: 'Sign',
  email: 'shop@example.com',
  encoding: 'br',
  expected: 'a date like 2026-01-31T10:15:00Z',
  field: 'cbReceiptMoment',
  format: 'image/jpeg',
  formats: 'text/html, application/pdf',
  from: 'http://127.0.0.1:1200',
  given: 'Read',
  header: 'x-operation-id',
  headers: 'x-operation-id',
  helper: ID,
  hint: ' No Queue of this CashBox is of that country.',
  host: 'shop.example',
  id: ID,
  identification: 'register-1',
  invitation: ID,
  item: ID,
  job: ID,
  key: 'order-1',
  limit: 262_144,
  market: 'AT',
  method: 'POST',
  most: 100,
  name: 'Middleware',
  needed: 'ReadWrite',
  number: 2,
  of: 'this receipt',
  operation: ID,
  operator: ID,
  order: ID,
  origin: 'https://page.example',
  outlet: 1,
  package: 'fiskalwerk.Queue.Receipt',
  path: '/v2/echo',
  plan: ID,
  protocol: 'use_auto',
  queue: ID,
  reason: 'expected a comma at position 12',
  required: 2,
  scu: ID,
  seconds: 30,
  target: ID,
  template: ID,
  terminal: ID,
  type: 'text/csv',
}

export const TRACE_ID = '5f0c1a52-7c1e-4c0e-9a55-3f4b2f6f3c11'
/** The same as a W3C trace context has it. */
export const TRACE_CONTEXT = '00-5f0c1a527c1e4c0e9a553f4b2f6f3c11-9a553f4b2f6f3c11-01'

export const sampleOf = (code: ErrorCode): FiscalError => fail(code, { ...DETAILS })
