// What the sign path knows of a signing device: its SCU row, and that an answer may fail.
// Drivers live in market/<cc>/device; the table of a market says which package they serve.
import type { ScuHead } from '../model/scu.js'
import type { Logins } from './logins.js'
import type { OutboundCall } from './outbound.js'
import type { Connect } from './socket.js'
import type { KeptTars } from './tse/kept-tars.js'

export type { DeviceAction, ScuHead } from '../model/scu.js'

/** How long a call may take, in milliseconds; drivers stop waiting then. */
export interface CallLimit {
  timeoutMs: number
}

/**
 * Why a device has not done what it was asked to. `refused`: it said no. `credentials`: it does not
 * let this server in. `busy`, `unavailable`: nothing was done, later it may be. `unknown-outcome`:
 * it may have been done. `broken-unit`: it will never be done by this unit.
 */
export type DeviceFault =
  | 'refused'
  | 'credentials'
  | 'busy'
  | 'unavailable'
  | 'unknown-outcome'
  | 'broken-unit'

export interface DeviceErrorOptions {
  cause?: unknown
  /** Left out: nobody knows what was done. */
  kind?: DeviceFault
  /** The device says when to come back. */
  retryAfterMs?: number | undefined
}

/** The device did not do what it was asked to; an expected outcome, not a broken program. */
export class DeviceError extends Error {
  override name = 'DeviceError'
  readonly kind: DeviceFault
  readonly retryAfterMs: number | undefined

  constructor(message: string, { cause, kind, retryAfterMs }: DeviceErrorOptions = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.kind = kind ?? 'unknown-outcome'
    this.retryAfterMs = retryAfterMs
  }
}

/**
 * The device has answered, and its answer is no. Others of its kind are no answer: what was asked
 * may have been done.
 */
export class DeviceRefusal extends DeviceError {
  override name = 'DeviceRefusal'

  constructor(message: string, options: Pick<DeviceErrorOptions, 'cause'> = {}) {
    super(message, { ...options, kind: 'refused' })
  }
}

/**
 * The device, or what stands before it, does not let this server in: nothing was done. The same
 * credentials are not sent again: devices lock themselves after a few tries.
 */
export class CredentialsRefused extends DeviceError {
  override name = 'CredentialsRefused'

  constructor(message: string, options: Pick<DeviceErrorOptions, 'cause'> = {}) {
    super(message, { ...options, kind: 'credentials' })
  }
}

/** The unit is at its end, or blocked until somebody sees to it: no further call helps. */
export class UnitBroken extends DeviceError {
  override name = 'UnitBroken'

  constructor(message: string, options: Pick<DeviceErrorOptions, 'cause'> = {}) {
    super(message, { ...options, kind: 'broken-unit' })
  }
}

/** What no further try of the same receipt can mend. */
export function isHopeless({ kind }: DeviceError): boolean {
  return kind === 'credentials' || kind === 'broken-unit'
}

/** A deterministic outside, for drivers that reach over the network. */
export interface DriverTools {
  /** The guarded client: public addresses and what the administrator named, no redirects. */
  fetch: OutboundCall
  now(): Date
  /** Milliseconds by a clock that never jumps; left out: the one of this process. */
  steady?(): number
  /** Resolves after so many milliseconds; drivers wait with it, so that tests need not. */
  sleep(milliseconds: number): Promise<void>
  /** TCP and TLS behind the same guard, for devices that speak no HTTP. */
  connect?: Connect
  /** Whose credentials were refused, as all servers know it; left out: nobody keeps it. */
  logins?: Logins
  /** Where exports of security devices lie; left out: there is no place for them. */
  tars?: KeptTars
  /** What drivers know of a unit between its queues, in this process; left out: nothing. */
  kept?: KeptUnits
  /** The server is a real one: devices for tests are refused; false: live ones are. */
  production?: boolean
  /** Told of each call of a device; left out: nobody wants to know. */
  watch?: DeviceWatch
}

export interface KeptUnits {
  get(key: string): unknown
  set(key: string, value: object): unknown
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
