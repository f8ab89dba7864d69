// What can be wrong: the closed list of kinds.

export const PROBLEM_KINDS = [
  'outage',
  'report',
  'no_receipts',
  'configuration',
  'invitation',
  'order',
  'webhook',
  'message',
] as const

export type ProblemKind = (typeof PROBLEM_KINDS)[number]
