// What the sign path knows of a signing device: its SCU row, and that an answer may fail.
// Drivers live in market/<cc>/device; the table of a market says which package they serve.
import type { OutboundCall } from './outbound.js'

/**
 * One SCU row held in memory. A driver that changes `state` sets `changed`; the row is then a
 * second head of the sign statement (compare-and-set on `version`).
 */
export interface ScuHead {
  accountId: string
  id: string
  market: string
  package: string
  /** 0 normal, 1 backup, 99 and above not used; second byte: time-out in seconds. */
  mode: number
  url: string | null
  /** Settings of the driver, parsed by it. */
  configuration: string
  /** Opened secrets of the driver as JSON text; never logged. */
  secrets: string
  state: string
  faultScript: string | null
  version: bigint
  changed: boolean
  /** Action journal entries that a fault script or a driver wants written with the next commit. */
  actions: DeviceAction[]
}

export interface DeviceAction {
  type: string
  message: string
  dataJson: string | null
}

/** How long a call may take, in milliseconds; drivers stop waiting then. */
export interface CallLimit {
  timeoutMs: number
}

/** The device did not do what it was asked to; an expected outcome, not a broken program. */
export class DeviceError extends Error {
  override name = 'DeviceError'
}

/** A deterministic outside, for drivers that reach over the network. */
export interface DriverTools {
  /** The guarded client: public addresses and what the administrator named, no redirects. */
  fetch: OutboundCall
  now(): Date
  /** Resolves after so many milliseconds; drivers wait with it, so that tests need not. */
  sleep(milliseconds: number): Promise<void>
}
