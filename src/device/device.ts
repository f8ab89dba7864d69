// What the sign path knows of a signing device: its SCU row, and that an answer may fail.
// Drivers live in market/<cc>/device; the table of a market says which package they serve.
import type { ScuHead } from '../model/scu.js'
import type { OutboundCall } from './outbound.js'

export type { DeviceAction, ScuHead } from '../model/scu.js'

/** How long a call may take, in milliseconds; drivers stop waiting then. */
export interface CallLimit {
  timeoutMs: number
}

/** The device did not do what it was asked to; an expected outcome, not a broken program. */
export class DeviceError extends Error {
  override name = 'DeviceError'
}

/**
 * The device has answered, and its answer is no. Others of its kind are no answer: what was asked
 * may have been done.
 */
export class DeviceRefusal extends DeviceError {
  override name = 'DeviceRefusal'
}

/**
 * The device, or what stands before it, does not let this server in: nothing was done. The same
 * credentials are not sent again for the same receipt: devices lock themselves after a few tries.
 */
export class CredentialsRefused extends DeviceError {
  override name = 'CredentialsRefused'
}

/** A deterministic outside, for drivers that reach over the network. */
export interface DriverTools {
  /** The guarded client: public addresses and what the administrator named, no redirects. */
  fetch: OutboundCall
  now(): Date
  /** Resolves after so many milliseconds; drivers wait with it, so that tests need not. */
  sleep(milliseconds: number): Promise<void>
  /** Told of each call of a device; left out: nobody wants to know. */
  watch?: DeviceWatch
}

/** failed: no answer, or one that proves nothing. broken: the program is wrong. */
export type DeviceOutcome = 'ok' | 'refused' | 'failed' | 'broken'

export interface DeviceWatch {
  now(): number
  called(device: WatchedDevice, outcome: DeviceOutcome, began: number): void
}

export interface WatchedDevice {
  /** Of the package that serves it. */
  name: string
  remote: boolean
  /** Of the unit. */
  id: string
}

/** A unit as people find it: its id and what it was called. */
export function shownUnit({ id, description = '' }: Pick<ScuHead, 'id' | 'description'>): string {
  return description === '' ? id : `${id} (${description})`
}
