// Outages of a queue, and what is done about them without a person.

/** Its signing units, or a register that could not reach the queue and enters receipts later. */
export const OUTAGE_CAUSES = ['device', 'register'] as const
export type OutageCause = (typeof OUTAGE_CAUSES)[number]

/** off: nothing is asked or signed. advise: units are asked. act: the closing is signed as well. */
export const AUTOPILOT_POLICIES = ['off', 'advise', 'act'] as const
export type AutopilotPolicy = (typeof AUTOPILOT_POLICIES)[number]

/** Of a signing unit that failed; of a queue there are `ok` and `closing` besides. */
export const UNIT_STATES = ['suspect', 'out', 'probing', 'answering'] as const
export type UnitState = (typeof UNIT_STATES)[number]

export const OUTAGE_STATES = ['ok', ...UNIT_STATES, 'closing'] as const
export type OutageState = (typeof OUTAGE_STATES)[number]

/** Whose receipt ended it: the register's, or one of this server, by itself or asked for. */
export const CLOSERS = ['pos', 'autopilot', 'person'] as const
export type Closer = (typeof CLOSERS)[number]

/** An outage as the state of its queue tells it. */
export interface OpenOutage {
  cause: OutageCause
  /** Where the clock of the law begins, in Unix milliseconds. */
  since: number
  /** Receipts without signature, or entered later, so far. */
  receipts: number
}
