// What a driver of signing devices brings: settings, new units, devices opened for calls.
import type { z } from 'zod'
import type { StoredUnit, UnitMemory } from '../model/scu.js'
import type { CallLimit, DriverTools, ScuHead } from './device.js'

/** A new SCU as a driver prepares it: what is stored plain and what is sealed. */
export interface NewScu {
  configuration: string
  secrets: string
  state: string
}

export interface UnitDescription {
  certificateBase64: string
  serial: string
  /** Members of its object in exports beside those that every unit has. */
  members: Readonly<Record<string, string | null>>
}

export type UnitEnvironment = 'test' | 'live' | 'unknown'

/** A practice receipt must not enter a real log, nor a real one a log for tests. */
export function mayUse(environment: UnitEnvironment, production: boolean): boolean {
  return production ? environment === 'live' : environment !== 'live'
}

export interface ProofAsk {
  limit: CallLimit
  /** Chance bytes to be signed. */
  probe: Buffer
  /** Whose unit it is said to be, as the authorities know them; '': not known. */
  holders: readonly string[]
}

/** One thing that was looked at. */
export interface ProofLine {
  name:
    | 'place'
    | 'certificate'
    | 'chain'
    | 'identity'
    | 'possession'
    | 'certification'
    | 'environment'
    | 'clock'
    | 'counters'
  level: 'ok' | 'warn' | 'bad'
  /** What was seen. */
  text: string
  /** What to do about it. */
  next?: string
}

/** What a security device has used up of what it can do, from 0 to 1, where it tells a limit. */
export interface ModuleUse {
  signaturesUsed?: number | undefined
  memoryUsed?: number | undefined
}

export interface ModuleFacts {
  state: number
  certificationId: string | null
  used?: ModuleUse
}

export interface Driver<D> {
  /** What an administrator may configure, checked before the SCU is stored. */
  configuration: z.ZodType
  /** Keys and certificates for a new SCU; the emulator makes them, a remote one has none. */
  create(input: {
    id: string
    configuration: unknown
    now: Date
    randomBytes(n: number): Buffer
  }): Promise<NewScu>
  open(scu: ScuHead, tools: DriverTools): D
  /**
   * Sockets, tokens and sessions of a device that is used no more. Errors are nobody's: it must
   * not throw, and nobody waits for it longer than a moment.
   */
  close?(device: D): Promise<void>
  /**
   * What a device wants from time to time (self test, time, a fresh token), never while a receipt
   * waits. Signs and logs nothing. Returns when it wants to be asked again.
   */
  maintain?(device: D, limit: CallLimit): Promise<Date>
  /**
   * Whether the unit is one for tests, by what it said when it was asked last, not by its
   * settings. `unknown`: nothing that was seen says so, and production refuses it. Undefined: it
   * was never asked; left out: the driver does not tell.
   */
  environment?(scu: ScuHead): UnitEnvironment | undefined
  /**
   * Why production does not use a unit that is not one for tests, from what it said when it was
   * asked last: `of a certification that is not known`. Undefined: there is no doubt.
   */
  doubt?(scu: ScuHead): string | undefined
  /**
   * What it told and somebody may confirm: fingerprints (SHA-256, hexadecimal) of issuers, the name
   * of a certification that is not known here.
   */
  issuers?(scu: ScuHead): string[]
  /**
   * Asks the device and proves what it is; may cost a signature where the law knows no log. What
   * it has seen is in `scu.state` afterwards. Throws DeviceError when there is no answer.
   */
  proof?(scu: ScuHead, tools: DriverTools, ask: ProofAsk): Promise<ProofLine[]>
  /**
   * Asks the device who it is: the first call of a unit that is to be rolled out, and what is tried
   * while it is out of order. Nothing is signed or logged; a fault script counts it like any call.
   * Throws DeviceError when there is no answer.
   */
  reach(scu: ScuHead, tools: DriverTools, limit: CallLimit): Promise<unknown>
  /** Members of the device whose answer may be there at once; else only promises are counted. */
  atOnce?: readonly string[]
  /** True when a call leaves the process: the queue then waits in a lane of its own. */
  remote: boolean
  /**
   * True when calls move the state of the unit: queues that share one take turns, and what it
   * remembers is written with their receipts.
   */
  stateful: boolean
  /** True when the keys lie in this server: production refuses it unless told otherwise. */
  software: boolean
  /** Faults that a script may ask of this driver; empty: it takes no scripts. */
  faults: readonly string[]
  /** The state when an administrator clears the faults; without: it stays as it is. */
  cleared?(state: string): string
  /** Public facts of the unit for status exports. */
  describe(scu: ScuHead): Promise<UnitDescription>
  /** What exports read of a device that lies in this server and keeps a log. */
  memory?(unit: StoredUnit): UnitMemory
  /** For certified security devices: 0 uninitialized, 1 initialized, 2 terminated; as last seen. */
  module?(scu: ScuHead): ModuleFacts
}
