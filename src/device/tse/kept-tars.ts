// Exports of security devices where they lie while they come and afterwards: outside of memory, and
// still there when the process ends on the way. core/unit-tars.ts keeps them.

export interface TarUnit {
  accountId: string
  id: string
}

/** What is known of a whole one. */
export interface TarFacts {
  /** First and last signature counter; none: the end lies before the begin. */
  from: number
  to: number
  without: [from: number, to: number][]
  erased: boolean
  /** Hexadecimal. */
  sha256: string
  /** The device gives it no second time: it was erased, or the next one begins behind it. */
  gone: boolean
}

export interface KeptTar {
  readonly id: string
  readonly bytes: number
  read(): AsyncIterable<Buffer>
}

export interface WholeTar extends KeptTar {
  readonly facts: TarFacts
}

/** One on its way, which nobody else writes meanwhile. Calls throw DeviceError `busy` otherwise. */
export interface GrowingTar extends KeptTar {
  /** What its driver goes on with; '': it cannot, as somebody may have been lost on the way. */
  readonly token: string
  /** Undefined: nothing has to be waited for. The next one is given when it is over. */
  write(part: Buffer): Promise<void> | undefined
  /** Everything written is kept now, and `token` with it. */
  keep(token: string): Promise<void>
  finish(facts: TarFacts): Promise<WholeTar>
  /** From the first byte again. */
  restart(): Promise<void>
  /** It is of no use. */
  drop(): Promise<void>
  /** Others may go on with what was kept. */
  leave(): Promise<void>
}

export interface KeptTars {
  /** One that the device gives no second time, and that no closing has yet. */
  waiting(unit: TarUnit): Promise<WholeTar | undefined>
  /** The one on its way. Throws DeviceError `busy` where somebody else writes it. */
  resume(unit: TarUnit, holdMs: number): Promise<GrowingTar | undefined>
  /** A new one; one on its way is dropped. Throws DeviceError `busy` as above. */
  begin(unit: TarUnit, holdMs: number): Promise<GrowingTar>
}
