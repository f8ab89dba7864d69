// What the drivers of RT servers have in common: documents of tills, each with a place of its own
// that is carried on here, and the closing of a till.
import { z } from 'zod'
import type { CallLimit } from '../device.js'
import { romeTime } from './clock.js'
import { type Numbers, numbered, RtUnit } from './rt-unit.js'
import {
  type RtAnswer,
  type RtClosing,
  type RtDevice,
  type RtDocument,
  type RtReference,
  RtRefusal,
} from './unit.js'

/** A document of a till, or its closing, which has the number 0. */
export const done = numbered.extend({ sha: z.string(), warnings: z.array(z.string()) })

interface Place {
  z: number
  last: z.infer<typeof done> | null
  /** Asked and not answered. */
  open: z.infer<typeof done> | null
  /** Found in the server without an answer: whoever sends them again gets their numbers. */
  settled?: z.infer<typeof done>[]
}

/** The memory of a server. */
export const tillsOf = <T extends z.ZodType>(till: T) =>
  z.object({ serial: z.string().default(''), tills: z.record(z.string(), till).default({}) })

/** How a till is before its closing. */
export interface Day<Till> {
  /** In step with the server. */
  place: Till
  /** Its Z. */
  running: number
  /** Where the next day begins. */
  next: Partial<Till>
}

export abstract class RtServer<Settings, Till extends Place>
  extends RtUnit<Settings, { serial: string; tills: Record<string, Till> }>
  implements RtDevice
{
  readonly isServer = true
  /** What an open closing has beside its numbers. */
  protected abstract readonly blank: object

  abstract report(limit: CallLimit): Promise<void>
  abstract reprint(reference: RtReference, till: string, limit: CallLimit): Promise<void>
  abstract status(limit: CallLimit): Promise<Readonly<Record<string, unknown>>>
  abstract till(till: string, isOn: boolean, limit: CallLimit): Promise<void>
  /** As it was left. */
  protected abstract place(name: string): Till
  /** One that is not known here: sent now, or found where its answer got lost. */
  protected abstract sent(document: RtDocument, limit: CallLimit): Promise<Numbers>
  /** Repeated: the closing was asked before, and not answered. */
  protected abstract day(name: string, isRepeated: boolean, limit: CallLimit): Promise<Day<Till>>
  protected abstract close(
    name: string,
    day: Day<Till> & { moment: string },
    limit: CallLimit,
  ): Promise<void>
  /** How a till goes on behind a document that is in the server. */
  protected abstract behind(place: Till, open: NonNullable<Till['open']>): Partial<Till>

  async document(document: RtDocument, limit: CallLimit): Promise<RtAnswer> {
    const numbers = this.known(document) ?? (await this.sent(document, limit))
    return this.answered(document, numbers)
  }

  async closing(id: string, name: string, limit: CallLimit): Promise<RtClosing> {
    const { last, open } = this.place(name)
    const before = this.closedAs(id, last)
    if (before !== undefined) return before
    const isRepeated = open?.id === id
    const day = await this.day(name, isRepeated, limit)
    const { place, running, next } = day
    const number = isRepeated ? open.z : running
    const moment = romeTime(this.tools.now())
    const end = { id, z: number, doc: 0, moment, sha: '', warnings: [], ...this.blank }
    if (number === running) {
      this.keepTill(name, { ...place, open: end })
      await this.close(name, { ...day, moment }, limit)
    }
    this.keepTill(name, { ...place, ...next, before: '', z: number + 1, last: end, open: null })
    return { serial: this.seen().serial, z: number, moment }
  }

  /** A server has no printer. */
  async print(): Promise<void> {}

  // ------------------------------------------------------------------------ of documents

  protected known({ id, till }: RtDocument): Numbers | undefined {
    const { last, settled = [] } = this.place(till)
    return [last, ...settled].find((one) => one?.id === id) ?? undefined
  }

  protected keepTill(name: string, place: Till): void {
    this.keep({ tills: { ...this.seen().tills, [name]: place } })
  }

  /** It is in the server. */
  protected advance(name: string, open: NonNullable<Till['open']>): NonNullable<Till['open']> {
    const place = this.place(name)
    this.keepTill(name, { ...place, ...this.behind(place, open), last: open, open: null })
    return open
  }

  /** It is not. */
  protected refuse(name: string, status: number, text: string): never {
    this.keepTill(name, { ...this.place(name), open: null })
    throw new RtRefusal(status, text)
  }
}
