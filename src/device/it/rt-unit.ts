// What the drivers of real Italian devices have in common: settings, what they have seen last, and
// how a unit of them is made and described.
import { z } from 'zod'
import { type CallLimit, DeviceError, type DriverTools, type ScuHead } from '../device.js'
import type { Driver } from '../driver.js'
import { addressOf, callDevice, demandLetIn } from '../remote.js'
import { sumsOf } from './sums.js'
import type { RtAnswer, RtClosing, RtDevice, RtDocument } from './unit.js'

const secrets = z.object({ password: z.string() })
const told = z.object({ serial: z.string().default('') })

/** A document or a closing of this unit, by its numbers. */
export const numbered = z.object({ id: z.string(), z: z.int(), doc: z.int(), moment: z.string() })
export type Numbered = z.infer<typeof numbered>

/** SHA-256 of a certificate that nobody has issued. */
export const tlsFingerprint = z
  .string()
  .regex(/^([0-9a-f]{2}:?){32}$/i)
  .optional()
/** `named`: the address is allowed although it is private; the command line alone says so. */
const line = z.object({ tlsFingerprint, named: z.unknown().optional() })

/** Of a document that is there. */
export interface Numbers extends Pick<RtAnswer, 'z' | 'doc' | 'moment'> {
  sha?: string
  warnings?: readonly string[]
}

interface Posted {
  path: string
  body: string
  contentType?: string
  /** Name and password; left out: nobody is asked for them. */
  login?: readonly [string, string] | undefined
}
const MOST_BYTES = 4 * 1024 * 1024

interface Opened {
  scu: ScuHead
  tools: DriverTools
}

export interface Forms<Settings, Seen> {
  configuration: z.ZodType<Settings>
  /** What the unit remembers; all of it has a value of its own for a new one. */
  seen: z.ZodType<Seen>
}

/** Settings and memory of one unit; the memory is stored with the receipt that is being signed. */
export abstract class RtUnit<Settings, Seen extends { serial: string }> {
  abstract readonly isServer: boolean
  protected readonly scu: ScuHead
  protected readonly tools: DriverTools
  protected readonly settings: Settings
  private readonly memory: z.ZodType<Seen>

  constructor({ scu, tools }: Opened, { configuration, seen }: Forms<Settings, Seen>) {
    this.scu = scu
    this.tools = tools
    this.settings = configuration.parse(JSON.parse(scu.configuration))
    this.memory = seen
  }

  /** '' where none was given. */
  protected password(): string {
    return secrets.parse(JSON.parse(this.scu.secrets)).password
  }

  protected seen(): Seen {
    return this.memory.parse(JSON.parse(this.scu.state))
  }

  protected keep(state: Partial<Seen>): void {
    this.scu.state = JSON.stringify(this.memory.parse({ ...this.seen(), ...state }))
    this.scu.changed = true
  }

  /** Under the serial number that the device has told. */
  protected answered(document: RtDocument, numbers: Numbers): RtAnswer {
    const { z: zNumber, doc, moment, sha = '', warnings = [] } = numbers
    const { serial } = this.seen()
    return { serial, z: zNumber, doc, moment, sha, warnings, vat: sumsOf(document) }
  }

  /** The newest of this unit, where it is the closing of this id. */
  protected closedAs(id: string, last: Numbered | null): RtClosing | undefined {
    if (last?.id !== id) return undefined
    return { serial: this.seen().serial, z: last.z, moment: last.moment }
  }

  /** One call, which may have been carried out when nothing comes; what is answered with 200. */
  protected async post(posted: Posted, limit: CallLimit): Promise<string> {
    const { path, body, contentType = 'application/json', login } = posted
    const name = `the RT ${this.isServer ? 'server' : 'printer'}`
    if (limit.timeoutMs <= 0) throw new DeviceError('no time was left for the device')
    const { tlsFingerprint: fingerprint, named } = line.parse(this.settings)
    const pair = login && Buffer.from(login.join(':')).toString('base64')
    const { status, body: bytes } = await callDevice(
      this.tools,
      {
        ...{ url: `${addressOf(this.scu)}${path}`, body, contentType },
        credentials: pair === undefined ? {} : { authorization: `Basic ${pair}` },
        fingerprint: fingerprint?.replaceAll(':', '').toLowerCase(),
        ...{ maxBytes: MOST_BYTES, repeatable: false, named: named === true },
      },
      limit,
    )
    demandLetIn(name, status)
    if (status === 200) return bytes.toString('utf8')
    throw new DeviceError(`${name} answers with status ${status}`)
  }
}

/** The driver of a device, with the forms of its settings and of its memory. */
export function rtDriver<Settings extends object & { password?: string | undefined }, Seen>(
  Device: new (opened: Opened, forms: Forms<Settings, Seen>) => RtDevice,
  forms: Forms<Settings, Seen>,
): Driver<RtDevice> {
  const { configuration } = forms
  const open = (scu: ScuHead, tools: DriverTools) => new Device({ scu, tools }, forms)
  return {
    configuration,
    async create({ configuration: given }) {
      const { password = '', ...plain } = withoutName(configuration.parse(given ?? {}))
      const secrets = JSON.stringify({ password })
      const state = JSON.stringify(forms.seen.parse({}))
      return { configuration: JSON.stringify(plain), secrets, state }
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
