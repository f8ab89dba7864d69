// What countries want to be told of registers, units and places, and the states of one report.

export const REPORT_KINDS = [
  'unit',
  'register',
  'start_check',
  'yearly_check',
  'unit_outage',
  'unit_outage_end',
  'register_outage',
  'register_outage_end',
  'unit_end',
  'register_end',
  'place',
] as const

export type ReportKind = (typeof REPORT_KINDS)[number]

/** planned: something that it needs is not there yet. */
export const REPORT_STATES = ['planned', 'ready', 'manual', 'ignored', 'superseded'] as const

export type ReportState = (typeof REPORT_STATES)[number]

/** What it hangs on. */
export type Occasion =
  | 'registerStarted'
  | 'registerStopped'
  /** The first register that works with the unit has started. */
  | 'unitStarted'
  /** The last register that worked with the unit has stopped. */
  | 'unitStopped'
  /** A year has ended, or the receipt that ends it was signed. */
  | 'yearEnded'
  /** For more than 48 hours. */
  | 'outageLasted'
  | 'outageEnded'
  /** A register of the place was bought, began, ended or has another unit. */
  | 'placeChanged'

export interface ReportRule {
  kind: ReportKind
  on: Occasion
  /** Of outages of this cause alone. */
  cause?: 'device' | 'register'
  /** The last moment for it. */
  due(moment: Date): Date
  words: Readonly<Record<'en' | 'de' | 'fr', ReportWords>>
}

export interface ReportWords {
  title: string
  /** What to do, and where. */
  action: string
}
