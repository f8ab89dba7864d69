// What can be wrong: the closed list of kinds.

export const PROBLEM_KINDS = [
  'outage',
  'report',
  'no_receipts',
  'closing',
  'settlement',
  'archive',
  'transaction',
  'tar',
  'memory',
  'signatures',
  'clock',
  'unit',
  'flapping',
  'certificate',
  'configuration',
  'not_fetched',
  'port',
  'master_data',
  'invitation',
  'order',
  'webhook',
  'message',
  'job',
  'stock',
  'backup',
  'chain',
] as const

export type ProblemKind = (typeof PROBLEM_KINDS)[number]
