// What the drivers of printers have in common. A printer numbers by itself: the newest document is
// known by its numbers, and one whose answer got lost is found behind what was there before it.
import { z } from 'zod'
import type { CallLimit } from '../device.js'
import { romeTime } from './clock.js'
import { MOST_SETTLED, type Numbers, numbered, RtUnit } from './rt-unit.js'
import { type RtDocument, RtRefusal } from './unit.js'
import { type Form, type FpAnswer, lineOf, xml } from './wire.js'

/** Asked and not answered: the numbers before it; `total`: of a document, in cents. */
const asked = numbered.omit({ moment: true }).extend({ total: z.string().optional() })

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

export type Place = Pick<Numbers, 'z' | 'doc'>

export interface Found extends Omit<Numbers, 'id'> {
  /** Undefined: the device does not tell. */
  total?: bigint
  /** Left out: as it was. */
  serial?: string
  /** False: it is no commercial document, and has not answered for one. */
  isFiscal?: boolean
}

export abstract class RtPrinter<Settings> extends RtUnit<Settings, Seen> {
  readonly isServer = false
  /** Of a maker: letters of a line of paper, and what is told without a document. */
  protected abstract readonly words: { paper: number; forms: { x: Form; plain: Form } }
  /** What ends a broken document. */
  protected abstract readonly recovery: readonly Form[]

  /** One call; its answer says yes or no. */
  protected abstract call(body: string, limit: CallLimit): Promise<FpAnswer>
  /** A document that is printed now, or found where its answer got lost. */
  protected abstract printed(document: RtDocument, limit: CallLimit): Promise<Found>
  /** The number of the Z that is made now, or was for this id. */
  protected abstract closed(id: string, limit: CallLimit): Promise<number>

  protected place(): Seen {
    return this.seen()
  }

  protected async make(document: RtDocument, limit: CallLimit): Promise<Numbers> {
    const { serial = this.seen().serial, ...found } = await this.printed(document, limit)
    const last = { id: document.id, ...found }
    this.keep({ serial, last, open: null })
    return last
  }

  protected async close(id: string, _till: string, limit: CallLimit): Promise<Numbers> {
    const number = await this.closed(id, limit)
    const last = { id, z: number, doc: 0, moment: romeTime(this.tools.now()) }
    this.keep({ last, open: null })
    return last
  }

  async report(limit: CallLimit): Promise<void> {
    await this.ask(xml(this.words.forms.x), limit)
  }

  async print(lines: readonly string[], limit: CallLimit): Promise<void> {
    const { forms, paper } = this.words
    const told = lines.map((text) => ({ line: lineOf(text, paper) }))
    await this.ask(xml(forms.plain, { lines: told }), limit)
  }

  async till(): Promise<void> {}

  /** An answer that says yes; throws RtRefusal for a no. */
  protected async ask(body: string, limit: CallLimit): Promise<FpAnswer> {
    const answer = await this.call(body, limit)
    return answer.success ? answer : this.refuse(answer, limit)
  }

  protected async recover(limit: CallLimit): Promise<void> {
    for (const form of this.recovery) await this.call(xml(form), limit)
  }

  /** Of a no. Throws DeviceError for an answer that is none. */
  protected reason({ code }: FpAnswer): string {
    return code || 'the printer refuses'
  }

  protected async refuse(answer: FpAnswer, limit: CallLimit): Promise<never> {
    await this.recover(limit)
    const reason = this.reason(answer)
    this.keep({ open: null })
    throw new RtRefusal(answer.status, reason)
  }

  /** Before it is asked for: what is there now. */
  protected asking(id: string, before: Place = { z: 0, doc: 0 }, total?: bigint): void {
    this.keep({ open: { id, z: before.z, doc: before.doc, total: total?.toString() } })
  }

  /**
   * Before another document is asked for: the one that was asked and never answered, where the
   * device has it. Whoever sends it once more gets its numbers, and no second one is printed.
   */
  protected settle(found: Found | undefined, id: string): void {
    const { open, settled } = this.seen()
    if (open === null || open.total === undefined || open.id === id) return
    if (found === undefined || found.isFiscal === false) return
    const isNext =
      found.z === open.z ? found.doc === open.doc + 1 : found.z > open.z && found.doc === 1
    const isSame = found.total === undefined || String(found.total) === open.total
    if (!isNext || !isSame) return
    const last = { ...found, id: open.id }
    this.keep({ last, settled: [...settled, last].slice(-MOST_SETTLED) })
  }
}
