// What the kinds of events tell: the document, the list of kinds and its examples are made of it.
import type { EventData, EventType, SubjectKind } from '../../model/event.js'

export interface EventKind {
  text: string
  subject: SubjectKind
  /** What stands in `data`, by its names. */
  data: Readonly<Record<string, string>>
  /** Data as it may look. */
  example: EventData
}

const QUEUE = { queueId: 'Id of the Queue.' }
const A = '6f0c2f8e-3a1b-4f57-9f27-0c4f0a9d1e11'
const B = 'b1a7c3de-52d4-4c0e-8f4e-7f1f6d2a9b22'
const PROBLEM = {
  kind: 'What is wrong.',
  severity: '1 to know, 2 to act, 3 at once.',
  subject: 'With what: kind/id.',
}
const CAUSE = {
  cause: 'device: no signing unit works. register: the Queue could not be reached.',
  queueItemId: 'The receipt with which it began or ended.',
}
const REPORT = {
  kind: 'What is to be told.',
  severity: '1 due in time, 2 due within a week, 3 overdue.',
  due: 'The last moment for it (UTC).',
  queueId: 'The Queue; null: it concerns more than one.',
}

export const eventKinds: Readonly<Record<EventType, EventKind>> = {
  'receipt.signed': {
    text: 'A receipt has its place in the chain. Told only to accounts that asked for it.',
    subject: 'receipt',
    data: { ...QUEUE, number: 'Number of the receipt in its Queue.' },
    example: { queueId: A, number: 4711 },
  },
  'receipt.failed': {
    text: 'A receipt was refused (ftState 0xEEEE_EEEE); it has no number.',
    subject: 'receipt',
    data: QUEUE,
    example: { queueId: A },
  },
  'receipt.viewed': {
    text: 'A customer has opened the page of a receipt. Told as `receipt.signed` is.',
    subject: 'receipt',
    data: QUEUE,
    example: { queueId: A },
  },
  'queue.started': {
    text: 'A Queue went into operation.',
    subject: 'queue',
    data: {},
    example: {},
  },
  'queue.stopped': {
    text: 'A Queue went out of operation, for ever.',
    subject: 'queue',
    data: {},
    example: {},
  },
  'outage.opened': {
    text: 'Receipts of a Queue are not signed, or are entered later.',
    subject: 'queue',
    data: CAUSE,
    example: { cause: 'device', queueItemId: B },
  },
  'outage.closed': {
    text: 'The receipt that ends the outage was signed.',
    subject: 'queue',
    data: { ...CAUSE, receipts: 'How many were not signed, or entered later.' },
    example: { cause: 'device', queueItemId: B, receipts: 12 },
  },
  'scu.failed': {
    text: 'A signing unit of a Queue with an outage does not answer.',
    subject: 'scu',
    data: {},
    example: {},
  },
  'scu.recovered': {
    text: 'A signing unit that had failed answers again.',
    subject: 'scu',
    data: {},
    example: {},
  },
  'queue.closing_missing': {
    text: 'A Queue has receipts of a day before that no daily closing has ended.',
    subject: 'queue',
    data: {},
    example: {},
  },
  'queue.unit_changed': {
    text: 'A Queue works with another signing unit from now on.',
    subject: 'queue',
    data: { scuId: 'The unit.', queueItemId: 'The receipt with which it did.' },
    example: { scuId: B, queueItemId: A },
  },
  'queue.yearly_receipt': {
    text: 'The yearly receipt of a Queue was signed.',
    subject: 'queue',
    data: { queueItemId: 'That receipt.' },
    example: { queueItemId: B },
  },
  'scu.certificate_expiring': {
    text: 'The certificate of a unit in use ends: told 90, 30 and 7 days before.',
    subject: 'scu',
    data: { serial: 'Serial number of the unit.', ends: 'When it ends.' },
    example: { serial: '4a2b', ends: '2027-02-01T12:00:00+00:00' },
  },
  'outage.report_due': {
    text: 'An outage, or its end, is to be told to the authority; again as its day comes nearer.',
    subject: 'submission',
    data: REPORT,
    example: { kind: 'unit_outage', severity: 2, due: '2026-12-01T22:59:59.999Z', queueId: A },
  },
  'report.due': {
    text: 'Something else is to be told to the authority; told again as its day comes nearer.',
    subject: 'submission',
    data: REPORT,
    example: { kind: 'yearly_check', severity: 1, due: '2027-02-15T22:59:59.999Z', queueId: A },
  },
  'archive.sealed': {
    text: 'A month or quarter of a Queue is kept outside of the database, verified.',
    subject: 'backup',
    data: {
      ...QUEUE,
      period: 'Which one: 2026-11 or 2026-Q4.',
      receipts: 'How many it holds.',
      findings: 'What verifiers found in it.',
      sha256: 'Of the file, hexadecimal; null: the period is empty.',
    },
    example: {
      queueId: A,
      period: '2026-11',
      receipts: 1234,
      findings: 0,
      sha256: '5f'.repeat(32),
    },
  },
  'bundle.ready': {
    text: 'An inspection bundle can be fetched.',
    subject: 'inspection',
    data: {
      bytes: 'Its size.',
      sha256: 'Of the file, hexadecimal.',
      files: 'How many are in it.',
      findings: 'What verifiers found in them.',
    },
    example: { bytes: 51_234_567, sha256: '5f'.repeat(32), files: 17, findings: 0 },
  },
  'report.changed': {
    text: 'Somebody has marked a report as done or ignored, or taken that back.',
    subject: 'submission',
    data: { kind: 'What is to be told.', state: 'manual, ignored, or what it was before.' },
    example: { kind: 'register', state: 'manual' },
  },
  'scu.switch_initiated': {
    text: 'A Queue shall work with another signing unit.',
    subject: 'scu',
    data: { ...QUEUE, sourceScuId: 'The unit that it had; null: none.' },
    example: { queueId: A, sourceScuId: B },
  },
  'scu.switch_finished': {
    text: 'All Queues of the former signing unit have gone to the new one.',
    subject: 'scu',
    data: { sourceScuId: 'The unit that they had.' },
    example: { sourceScuId: B },
  },
  'invitation.sent': {
    text: 'An invitation went out.',
    subject: 'invitation',
    data: { operatorId: 'Account of the merchant.' },
    example: { operatorId: B },
  },
  'invitation.refused': {
    text: 'An invitation could not go out; its record says why.',
    subject: 'invitation',
    data: {},
    example: {},
  },
  'invitation.accepted': {
    text: 'The merchant agreed; the connection is active.',
    subject: 'invitation',
    data: { dealerId: 'Account of the dealer.', operatorId: 'Account of the merchant.' },
    example: { dealerId: A, operatorId: B },
  },
  'connection.changed': {
    text: 'A connection between dealer and merchant ends, or has ended.',
    subject: 'connection',
    data: {
      dealerId: 'Account of the dealer.',
      operatorId: 'Account of the merchant.',
      state: 'active: it has an end now. ended: it grants nothing any more.',
      endsAt: 'When it ends (UTC).',
    },
    example: { dealerId: A, operatorId: B, state: 'ended', endsAt: '2026-11-24T09:30:00.000Z' },
  },
  'configuration.published': {
    text: 'A CashBox has a new configuration; registers get it with their next call.',
    subject: 'cashbox',
    data: { timeStamp: 'Its time stamp in ticks.' },
    example: { timeStamp: '639148689300000000' },
  },
  'configuration.fetched': {
    text: 'The middleware of a CashBox has fetched what was published, for the first time.',
    subject: 'cashbox',
    data: {},
    example: {},
  },
  'order.done': {
    text: 'Everything that was ordered is made.',
    subject: 'order',
    data: { operatorId: 'Account of the merchant.' },
    example: { operatorId: B },
  },
  'order.failed': {
    text: 'An order stopped; it shows why, and is tried again.',
    subject: 'order',
    data: { operatorId: 'Account of the merchant.' },
    example: { operatorId: B },
  },
  'problem.opened': {
    text: 'Something is wrong; `GET /problems` has what and what to do.',
    subject: 'problem',
    data: PROBLEM,
    example: { kind: 'outage', severity: 2, subject: `queue/${A}` },
  },
  'problem.cleared': {
    text: 'It is no longer so.',
    subject: 'problem',
    data: PROBLEM,
    example: { kind: 'outage', severity: 2, subject: `queue/${A}` },
  },
  'webhook.disabled': {
    text: 'A webhook gets nothing any more: its receiver said so, or failed for five days.',
    subject: 'webhook',
    data: { reason: 'gone: it answered 410. failing: nothing was taken for 120 hours.' },
    example: { reason: 'failing' },
  },
  'job.progress': {
    text: 'Long work has begun a phase, got further, or has ended; `GET /jobs/{id}` has it all.',
    subject: 'job',
    data: {
      kind: 'What is done.',
      state: 'running, succeeded, failed or canceled.',
      phase: 'A word for what it is at; null: none yet.',
      done: 'How much is done.',
      total: 'Of how much; null: not known yet.',
    },
    example: { kind: 'inspection', state: 'running', phase: 'parts', done: 4000, total: 12000 },
  },
}
