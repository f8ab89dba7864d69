// What an account is told of as it happens: the closed list of kinds, and an event before it has
// its place in a stream.

export const EVENT_TYPES = [
  'receipt.signed',
  'receipt.failed',
  'queue.started',
  'queue.stopped',
  'queue.closing_missing',
  'queue.unit_changed',
  'queue.yearly_receipt',
  'outage.opened',
  'outage.closed',
  'scu.failed',
  'scu.recovered',
  'scu.certificate_expiring',
  'outage.report_due',
  'report.due',
  'report.changed',
  'scu.switch_initiated',
  'scu.switch_finished',
  'invitation.sent',
  'invitation.refused',
  'invitation.accepted',
  'connection.changed',
  'configuration.published',
  'configuration.fetched',
  'order.done',
  'order.failed',
  'problem.opened',
  'problem.cleared',
  'webhook.disabled',
  'job.progress',
  'archive.sealed',
  'bundle.ready',
  'receipt.viewed',
] as const

export type EventType = (typeof EVENT_TYPES)[number]

/** Ids, numbers and words for programs; never a secret, a name or a text of somebody. */
export type EventData = Readonly<Record<string, string | number | boolean | null>>

export type SubjectKind =
  | 'queue'
  | 'receipt'
  | 'scu'
  | 'invitation'
  | 'connection'
  | 'cashbox'
  | 'order'
  | 'webhook'
  | 'problem'
  | 'submission'
  | 'job'
  | 'backup'
  | 'inspection'

export interface NewEvent {
  type: EventType
  subject: { kind: SubjectKind; id: string }
  /** Null: it concerns none, or more than one. */
  cashBoxId?: string | null
  data?: EventData
}
