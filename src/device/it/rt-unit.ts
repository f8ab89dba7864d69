// What the drivers of real Italian devices have in common: settings, what they have seen last, and
// how a unit of them is made and described.
import { z } from 'zod'
import type { DriverTools, ScuHead } from '../device.js'
import type { Driver } from '../driver.js'
import type { RtDevice } from './unit.js'

const secrets = z.object({ password: z.string() })
const told = z.object({ serial: z.string().default('') })

/** A document or a closing of this unit, by its numbers. */
export const numbered = z.object({ id: z.string(), z: z.int(), doc: z.int(), moment: z.string() })
type Numbered = z.infer<typeof numbered>

/** Asked and not answered: the numbers before it; `total`: of a document, in cents. */
export const asked = z.object({
  ...{ id: z.string(), z: z.int(), doc: z.int() },
  total: z.string().optional(),
})

/** Documents whose answers got lost, found behind what was there before: the newest of them. */
export const settled = z.array(numbered).default([])
const MOST_SETTLED = 20

interface Found {
  z: number
  doc: number
  moment: string
  /** Undefined: the device does not tell. */
  total?: bigint
}

/**
 * Before another document is asked for: the one that was asked and never answered, where the
 * device has it. Whoever sends it once more gets its numbers, and no second one is printed.
 */
export function settle(
  { open, settled }: { open: z.infer<typeof asked> | null; settled: readonly Numbered[] },
  found: Found | undefined,
  id: string,
): Numbered[] {
  const kept = [...settled]
  if (open === null || open.total === undefined || open.id === id || found === undefined) {
    return kept
  }
  const isNext =
    found.z === open.z ? found.doc === open.doc + 1 : found.z > open.z && found.doc === 1
  const isSame = found.total === undefined || String(found.total) === open.total
  if (isNext && isSame) {
    kept.push({ id: open.id, z: found.z, doc: found.doc, moment: found.moment })
  }
  return kept.slice(-MOST_SETTLED)
}

/** Settings and memory of one unit; the memory is stored with the receipt that is being signed. */
export class RtUnit<Settings, Seen> {
  protected readonly scu: ScuHead
  protected readonly tools: DriverTools
  protected readonly settings: Settings
  private readonly memory: z.ZodType<Seen>

  constructor(
    { scu, tools }: { scu: ScuHead; tools: DriverTools },
    forms: { configuration: z.ZodType<Settings>; seen: z.ZodType<Seen> },
  ) {
    this.scu = scu
    this.tools = tools
    this.settings = forms.configuration.parse(JSON.parse(scu.configuration))
    this.memory = forms.seen
  }

  /** '' where none was given. */
  protected password(): string {
    return secrets.parse(JSON.parse(this.scu.secrets)).password
  }

  protected seen(): Seen {
    return this.memory.parse(JSON.parse(this.scu.state))
  }

  protected keep(state: Seen): void {
    this.scu.state = JSON.stringify(state)
    this.scu.changed = true
  }
}

interface RtDriverParts {
  configuration: z.ZodType<object & { password?: string | undefined }>
  /** The memory of a new unit. */
  fresh: object
  open(scu: ScuHead, tools: DriverTools): RtDevice
}

export function rtDriver({ configuration, fresh, open }: RtDriverParts): Driver<RtDevice> {
  return {
    configuration,
    async create({ configuration: given }) {
      const { password = '', ...plain } = withoutName(configuration.parse(given ?? {}))
      return {
        configuration: JSON.stringify(plain),
        secrets: JSON.stringify({ password }),
        state: JSON.stringify(fresh),
      }
    },
    open,
    reach: (scu, tools, limit) => open(scu, tools).status(limit),
    ...{ remote: true, stateful: true, software: false, faults: [] },
    async describe({ state }) {
      const { serial } = told.parse(JSON.parse(state))
      const members = { SerialNumber: serial === '' ? null : serial }
      return { certificateBase64: '', serial, members }
    },
  }
}

/** Only the command line says that an address may be private; settings of a dealer do not. */
function withoutName<T extends object>(settings: T): T {
  const { named: _, ...rest } = settings as T & { named?: unknown }
  return rest as unknown as T
}
