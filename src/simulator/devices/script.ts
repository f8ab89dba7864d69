// What a simulated device is told to do wrong, and what it saw: faults by script, calls, offences.
import { z } from 'zod'

export const FAULT_KINDS = [
  // nothing was done, and there is no answer
  'request-lost',
  // it was done, and there is no answer
  'answer-lost',
  // it was done, and half of the answer arrives
  'half-answer',
  // it answers after `ms`
  'slow',
  // the answer tells another counter, or a signature of another key
  'wrong-counter',
  'foreign-signature',
  // what lives in memory is gone before the call: tokens, logins, the clock
  'restart',
  // it answers with `code` (and `status` over HTTP)
  'refuse',
] as const

export type FaultKind = (typeof FAULT_KINDS)[number]

const OF_THE_LINE: ReadonlySet<FaultKind> = new Set(['request-lost', 'answer-lost', 'slow'])

const fault = z.strictObject({
  /** Name of the call: `start`, `finish`, …; `*`: any. */
  call: z.string().min(1),
  do: z.enum(FAULT_KINDS),
  /** Calls that pass before it. */
  after: z.int().min(0).default(0),
  times: z.int().min(1).default(1),
  ms: z.int().min(0).default(0),
  status: z.int().min(400).max(599).default(500),
  code: z.string().default('E_SIMULATED'),
})

export const faultScript = z.array(fault)
export type Fault = z.infer<typeof fault>

/** What a test may not have left behind. */
export class Watched {
  /** Names of the calls, in their order. */
  readonly calls: string[] = []
  /** Unknown members, functions, queries: what no correct driver sends. */
  readonly offences: string[] = []
  wrongLogins = 0
  private faults: Fault[] = []

  /** More faults behind those that wait. Throws ZodError. */
  script(steps: readonly z.input<typeof fault>[]): void {
    this.faults.push(...faultScript.parse(steps))
  }

  clear(): void {
    this.faults = []
  }

  /** Notes a call, and says what shall go wrong with it. */
  called(name: string): Fault | undefined {
    this.calls.push(name)
    return this.next(({ call }) => call === name || call === '*')
  }

  /** What shall happen to a message around the calls: only what names it, and is of the line. */
  passing(name: string): Fault | undefined {
    return this.next((fault) => fault.call === name && OF_THE_LINE.has(fault.do))
  }

  private next(isMeant: (fault: Fault) => boolean): Fault | undefined {
    const found = this.faults.find(isMeant)
    if (found === undefined) return undefined
    if (found.after > 0) {
      found.after -= 1
      return undefined
    }
    found.times -= 1
    if (found.times === 0) this.faults = this.faults.filter((one) => one !== found)
    return found
  }
}

/** The device says no. */
export class Refused extends Error {
  override name = 'Refused'
  readonly code: string
  readonly status: number
  readonly retryAfter: number | undefined

  constructor(code: string, status = 400, retryAfter?: number) {
    super(code)
    this.code = code
    this.status = status
    this.retryAfter = retryAfter
  }
}
