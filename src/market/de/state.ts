// What a German queue carries from receipt to receipt: the QueueDE record and its transactions.
// Parsed with every batch; its lists are bounded by what a TSE can hold open.
import { z } from 'zod'
import { masterData } from './rows.js'

const count = z.int().min(0)
/** Unix milliseconds. */
const moment = z.int().nullable()
const id = z.string().nullable()

const openTransaction = z.object({
  /** cbReceiptReference under which it was started. */
  reference: z.string(),
  number: count,
  /** Log time of the start, Unix milliseconds. */
  startMoment: z.int(),
  startSignature: z.string(),
})

/** A transaction that was started and not yet finished. */
export type OpenTransaction = z.infer<typeof openTransaction>

/** An explicit start that the TSE did not confirm. */
const failedStart = z.object({ reference: z.string(), itemId: z.string(), moment: z.int() })

const failedFinish = z.object({
  reference: z.string(),
  itemId: z.string(),
  moment: z.int(),
  processType: z.string(),
  processData: z.string(),
  /** Row of the item; undefined in states of older servers. */
  row: count.optional(),
})
/** An explicit finish that the TSE did not confirm; its transaction is open. */
export type FailedFinish = z.infer<typeof failedFinish>

const unsureFinish = z.object({
  number: count,
  /** Client of the TSE. */
  client: z.string(),
  reference: z.string(),
  itemId: z.string(),
  /** Row of the receipt that it belongs to; null: it only ended the transaction. */
  row: count.nullable(),
  processType: z.string(),
  processData: z.string(),
})
/** A finish without answer: the TSE may have done it. */
export type UnsureFinish = z.infer<typeof unsureFinish>

const unit = z.object({ scuId: z.string(), serialHex: z.string(), fingerprintHex: z.string() })
/** A TSE that was linked, as a closing names it. */
export type UsedUnit = z.infer<typeof unit>

export const deState = z.object({
  /** The linked signing unit; null before the start receipt and while units are switched. */
  scuId: id,
  /** The switch in progress. */
  scuSwitch: z.object({ sourceId: z.string(), targetId: z.string() }).nullable(),
  /** TSEs linked since the last daily closing, in order of use. */
  units: z.array(unit),
  sscdFailCount: count,
  sscdFailMoment: moment,
  sscdFailQueueItemId: id,
  usedFailedCount: count,
  usedFailedMomentMin: moment,
  usedFailedMomentMax: moment,
  usedFailedQueueItemId: id,
  dailyClosingNumber: count,
  /** Item row and receipt number of the last daily closing; 0: none yet. */
  lastClosingRow: count,
  lastClosingNumber: count,
  openTransactions: z.array(openTransaction),
  /** Queue time of the first business receipt since the last daily closing; null: none yet. */
  firstSinceClosing: moment.default(null),
  /** Numbers of transactions without a reference of their own that could not be finished. */
  leftOpen: z.array(count),
  /** A start failed since the last daily closing: the TSE may know one that nobody else does. */
  startsLost: z.boolean().default(false),
  /** Item row of the newest receipt on a TSE outside the process; undefined: there was none yet. */
  lastRow: count.optional(),
  failedStarts: z.array(failedStart),
  failedFinishes: z.array(failedFinish),
  unsure: z.array(unsureFinish).default([]),
  /** Master data in force; undefined until the first receipt takes them from the configuration. */
  masterData: masterData.nullable().optional(),
  /** True after a start-migration receipt: nothing is signed any more. */
  migrated: z.boolean(),
})

export type DeState = z.infer<typeof deState>

export function initial(): DeState {
  return {
    scuId: null,
    scuSwitch: null,
    units: [],
    ...noTseFailure,
    ...noLateSigning,
    dailyClosingNumber: 0,
    lastClosingRow: 0,
    lastClosingNumber: 0,
    openTransactions: [],
    firstSinceClosing: null,
    leftOpen: [],
    startsLost: false,
    failedStarts: [],
    failedFinishes: [],
    unsure: [],
    migrated: false,
  }
}

/** Members as they are while the TSE works. */
export const noTseFailure = {
  sscdFailCount: 0,
  sscdFailMoment: null,
  sscdFailQueueItemId: null,
} as const

export const noLateSigning = {
  usedFailedCount: 0,
  usedFailedMomentMin: null,
  usedFailedMomentMax: null,
  usedFailedQueueItemId: null,
} as const

/** More is not remembered: no TSE holds more transactions open. */
export const MOST_FAILED_STARTS = 512

export function openOf(state: DeState, reference: string): OpenTransaction | undefined {
  return state.openTransactions.find((one) => one.reference === reference)
}

/** The list without the entry of a reference. */
export function without<T extends { reference: string }>(list: readonly T[], reference: string) {
  return list.filter((one) => one.reference !== reference)
}
