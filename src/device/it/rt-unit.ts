// What the drivers of real Italian devices have in common: settings, what they have seen last,
// documents and closings that are made once, and how a unit is made and described.
import { z } from 'zod'
import { type CallLimit, DeviceError, type DriverTools, type ScuHead } from '../device.js'
import type { Driver } from '../driver.js'
import { addressOf, callDevice, demandLetIn, type RemoteCall } from '../remote.js'
import { sumsOf } from './sums.js'
import type { RtAnswer, RtClosing, RtDevice, RtDocument } from './unit.js'

const secrets = z.object({ password: z.string() })

/** A document of this unit, or a closing, whose `doc` is 0. */
export const numbered = z.object({ id: z.string(), z: z.int(), doc: z.int(), moment: z.string() })

/** The same of a server. */
export const chained = numbered.extend({ sha: z.string(), warnings: z.array(z.string()) })

/** SHA-256 of a certificate that nobody has issued. */
export const tlsFingerprint = z
  .string()
  .regex(/^([0-9a-f]{2}:?){32}$/i)
  .optional()
/** `named`: the address is allowed although it is private; the command line alone says so. */
const line = z.object({ tlsFingerprint, named: z.unknown().optional() })

export type Numbers = z.infer<typeof numbered> & Partial<Pick<RtAnswer, 'sha' | 'warnings'>>
interface Place {
  last: Numbers | null
  /** Documents whose answers got lost: whoever sends them again gets their numbers. */
  settled?: readonly Numbers[]
}
export const MOST_SETTLED = 20

/** `login`: name and password; left out: nobody is asked for them. */
type Posted = Pick<RemoteCall, 'body' | 'contentType'> & { path: string; login?: string[] }
const MOST_BYTES = 4 * 1024 * 1024

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

  constructor(scu: ScuHead, tools: DriverTools, { configuration, seen }: Forms<Settings, Seen>) {
    this.scu = scu
    this.tools = tools
    this.settings = configuration.parse(JSON.parse(scu.configuration))
    this.memory = seen
  }

  /** Of the printer, or of a till of the server. */
  protected abstract place(till: string): Place
  /** Prints or sends a document, or finds it where its answer got lost, and keeps it. */
  protected abstract make(document: RtDocument, limit: CallLimit): Promise<Numbers>
  /** Closes the day, where it was not closed for this id, and keeps that. */
  protected abstract close(id: string, till: string, limit: CallLimit): Promise<Numbers>

  async document(document: RtDocument, limit: CallLimit): Promise<RtAnswer> {
    const made = this.known(document) ?? (await this.make(document, limit))
    const { z: zNumber, doc, moment, sha = '', warnings = [] } = made
    const { serial } = this.seen()
    return { serial, z: zNumber, doc, moment, sha, warnings, vat: sumsOf(document) }
  }

  async closing(id: string, till: string, limit: CallLimit): Promise<RtClosing> {
    const { last } = this.place(till)
    const { z: zNumber, moment } = last?.id === id ? last : await this.close(id, till, limit)
    return { serial: this.seen().serial, z: zNumber, moment }
  }

  /** A document that was made before. */
  protected known({ id, till }: RtDocument): Numbers | undefined {
    const { last, settled = [] } = this.place(till)
    return [last, ...settled].find((one) => one?.id === id) ?? undefined
  }

  /** '' where none was given. */
  protected password(): string {
    return secrets.parse(JSON.parse(this.scu.secrets)).password
  }

  protected seen(): Seen {
    return this.memory.parse(JSON.parse(this.scu.state))
  }

  protected keep(state: object): void {
    this.scu.state = JSON.stringify(this.memory.parse({ ...this.seen(), ...state }))
    this.scu.changed = true
  }

  /** One call, which may have been carried out when nothing comes; what is answered with 200. */
  protected async post(posted: Posted, limit: CallLimit): Promise<string> {
    const { path, login, ...sent } = posted
    const name = `the RT ${this.isServer ? 'server' : 'printer'}`
    if (limit.timeoutMs <= 0) throw new DeviceError('no time was left for the device')
    const { tlsFingerprint: fingerprint, named } = line.parse(this.settings)
    const basic = login && `Basic ${Buffer.from(login.join(':')).toString('base64')}`
    const call = {
      ...{ ...sent, url: `${addressOf(this.scu)}${path}` },
      credentials: basic === undefined ? {} : { authorization: basic },
      fingerprint: fingerprint?.replaceAll(':', '').toLowerCase(),
      ...{ maxBytes: MOST_BYTES, repeatable: false, named: named === true },
    }
    const { status, body } = await callDevice(this.tools, call, limit)
    demandLetIn(name, status)
    if (status === 200) return body.toString('utf8')
    throw new DeviceError(`${name} answers with status ${status}`)
  }
}

type Given = { password?: string | undefined; named?: unknown }

/** The driver of a device, with the forms of its settings and of its memory. */
export function rtDriver<Settings extends Given, Seen extends { serial: string }>(
  Device: new (scu: ScuHead, tools: DriverTools, forms: Forms<Settings, Seen>) => RtDevice,
  forms: Forms<Settings, Seen>,
): Driver<RtDevice> {
  const { configuration, seen } = forms
  const open = (scu: ScuHead, tools: DriverTools) => new Device(scu, tools, forms)
  return {
    configuration,
    async create({ configuration: given }) {
      // settings of a dealer do not say that an address may be private
      const { password = '', named: _, ...plain } = configuration.parse(given ?? {})
      const [secrets, state] = [JSON.stringify({ password }), JSON.stringify(seen.parse({}))]
      return { configuration: JSON.stringify(plain), secrets, state }
    },
    open,
    reach: (scu, tools, limit) => open(scu, tools).status(limit),
    ...{ remote: true, stateful: true, software: false, faults: [] },
    async describe({ state }) {
      const { serial } = seen.parse(JSON.parse(state))
      const members = { SerialNumber: serial === '' ? null : serial }
      return { certificateBase64: '', serial, members }
    },
  }
}
