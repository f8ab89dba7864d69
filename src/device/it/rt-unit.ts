// What the drivers of real Italian devices have in common: settings, what they have seen last, and
// how a unit of them is made and described.
import { z } from 'zod'
import type { DriverTools, ScuHead } from '../device.js'
import type { Driver } from '../driver.js'
import type { RtDevice } from './unit.js'

const secrets = z.object({ password: z.string() })
const told = z.object({ serial: z.string().default('') })

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
