// What the drivers of printers have in common. A printer numbers by itself: the newest document is
// known by its numbers, and one whose answer got lost is found behind what was there before it.
import { z } from 'zod'
import type { CallLimit } from '../device.js'
import { romeTime } from './clock.js'
import { type Numbered, type Numbers, numbered, RtUnit } from './rt-unit.js'
import type { RtAnswer, RtClosing, RtDevice, RtDocument, RtReference } from './unit.js'
import type { FpAnswer } from './wire.js'

/** Asked and not answered: the numbers before it; `total`: of a document, in cents. */
const asked = z.object({
  ...{ id: z.string(), z: z.int(), doc: z.int() },
  total: z.string().optional(),
})

/** What this program has seen last: the numbers before a call, and the answer after it. */
export const seen = z.object({
  serial: z.string().default(''),
  /** The newest document or closing. */
  last: numbered.nullable().default(null),
  open: asked.nullable().default(null),
  /** Documents whose answers got lost, found behind what was there before: the newest of them. */
  settled: z.array(numbered).default([]),
})
export type Seen = z.infer<typeof seen>
const MOST_SETTLED = 20

export type Place = Pick<Numbers, 'z' | 'doc'>

export interface Found extends Numbers {
  /** Undefined: the device does not tell. */
  total?: bigint
  /** Left out: as it was. */
  serial?: string
}

/** What printers of a maker are told without a document. */
interface Words {
  xXml: string
  plainXml(lines: readonly string[]): string
}

export abstract class RtPrinter<Settings> extends RtUnit<Settings, Seen> implements RtDevice {
  readonly isServer = false
  protected abstract readonly words: Words

  abstract document(document: RtDocument, limit: CallLimit): Promise<RtAnswer>
  abstract reprint(reference: RtReference, till: string, limit: CallLimit): Promise<void>
  abstract status(limit: CallLimit): Promise<Readonly<Record<string, unknown>>>
  /** An answer that says yes; throws RtRefusal for a no. */
  protected abstract ask(body: string, limit: CallLimit): Promise<FpAnswer>
  /** Closes the day, where it was not closed for this id; the number of its Z. */
  protected abstract closed(id: string, limit: CallLimit): Promise<number>

  async closing(id: string, _till: string, limit: CallLimit): Promise<RtClosing> {
    const before = this.closedAs(id, this.seen().last)
    if (before !== undefined) return before
    const number = await this.closed(id, limit)
    const moment = romeTime(this.tools.now())
    this.keep({ last: { id, z: number, doc: 0, moment }, open: null })
    return { serial: this.seen().serial, z: number, moment }
  }

  async report(limit: CallLimit): Promise<void> {
    await this.ask(this.words.xXml, limit)
  }

  async print(lines: readonly string[], limit: CallLimit): Promise<void> {
    await this.ask(this.words.plainXml(lines), limit)
  }

  async till(): Promise<void> {}

  // ------------------------------------------------------------------------ of documents

  /** One that was made before. */
  protected known({ id }: RtDocument): Numbered | null | undefined {
    const { last, settled } = this.seen()
    return [last, ...settled].find((one) => one?.id === id)
  }

  /** Before it is asked for: what is there now. */
  protected asking(id: string, before: Place = { z: 0, doc: 0 }, total?: bigint): void {
    this.keep({ open: { id, z: before.z, doc: before.doc, total: total?.toString() } })
  }

  protected told(document: RtDocument, found: Found): RtAnswer {
    const { z: zNumber, doc, moment, serial = this.seen().serial } = found
    this.keep({ serial, last: { id: document.id, z: zNumber, doc, moment }, open: null })
    return this.answered(document, found)
  }

  /**
   * Before another document is asked for: the one that was asked and never answered, where the
   * device has it. Whoever sends it once more gets its numbers, and no second one is printed.
   */
  protected settle(found: Found | undefined, id: string): void {
    const { open, settled } = this.seen()
    if (open === null || open.total === undefined || open.id === id || !found) return
    const isNext =
      found.z === open.z ? found.doc === open.doc + 1 : found.z > open.z && found.doc === 1
    const isSame = found.total === undefined || String(found.total) === open.total
    if (!isNext || !isSame) return
    const last = { id: open.id, z: found.z, doc: found.doc, moment: found.moment }
    this.keep({ last, settled: [...settled, last].slice(-MOST_SETTLED) })
  }
}
