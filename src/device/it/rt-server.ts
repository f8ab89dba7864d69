// What the drivers of RT servers have in common: tills, each with a place of its own that is
// carried on here.
import { z } from 'zod'
import { romeTime } from './clock.js'
import { type chained, RtUnit } from './rt-unit.js'
import { RtRefusal } from './unit.js'

type Done = z.infer<typeof chained>

/** The memory of a server. */
export const tillsOf = <T extends z.ZodType>(till: T) =>
  z.object({ serial: z.string().default(''), tills: z.record(z.string(), till).default({}) })

/** `open`: asked and not answered. */
export abstract class RtServer<
  Settings,
  Till extends { last: Done | null; open: Done | null },
> extends RtUnit<Settings, { serial: string; tills: Record<string, Till> }> {
  readonly isServer = true

  protected abstract override place(till: string): Till

  /** A server has no printer. */
  async print(): Promise<void> {}

  protected keepTill(name: string, changes: Partial<Till>): void {
    const till = { ...this.place(name), ...changes }
    this.keep({ tills: { ...this.seen().tills, [name]: till } })
  }

  /** A closing as it is kept: asked now, or before and not answered. */
  protected closingOf(id: string, name: string, running: number) {
    const { open } = this.place(name)
    const moment = romeTime(this.tools.now())
    const z = open?.id === id ? open.z : running
    return { id, z, doc: 0, moment, sha: '', warnings: [] }
  }

  /** What was asked last is not in the server. */
  protected refuse(name: string, status: number, text: string): never {
    this.keepTill(name, { open: null } as Partial<Till>)
    throw new RtRefusal(status, text)
  }
}
