// The simulated RT printer or RT server as a signing unit inside this server, with scripted
// failures. It is no certified device: its serial number begins with 99EMU.
import { z } from 'zod'
import { type CallLimit, DeviceError, type DriverTools, type ScuHead } from '../../device/device.js'
import type { Driver } from '../../device/driver.js'
import { type RtDevice, RtRefusal } from '../../device/it/unit.js'
import { sha256 } from '../../lib/hash.js'
import { type FaultKind, type FaultStep, takeFault } from '../faults.js'
import { RtCore, status } from './core.js'
import { newState, rtState } from './state.js'

const configuration = z.looseObject({
  /** Server: documents of tills in chains of hashes. */
  kind: z.enum(['printer', 'server']).default('printer'),
  /** Documents that the electronic journal holds. */
  capacity: z.coerce.number().int().min(1).max(100_000_000).default(1_000_000),
  /** A day that is open for more than 24 hours must be closed first. */
  dailyLimit: z.union([z.boolean(), z.stringbool()]).default(false),
  /** Where its numbers go on. */
  lastZ: z.coerce.number().int().min(0).max(9998).default(0),
})

const FAULTS = [
  ...(['unreachable', 'error', 'error-after', 'delay', 'garbage', 'memory-full'] as const),
  ...(['wrong-clock', 'paper-out', 'cover-open', 'journal-full', 'closing-needed'] as const),
  ...(['transmission-failed', 'printed-then-silent'] as const),
] as const satisfies readonly FaultKind[]

type CallName = 'document' | 'closing' | 'other'

/** What the device itself says no to; in a status it only shows. */
const REFUSALS: Partial<Record<FaultKind, readonly [number, string, readonly CallName[]]>> = {
  'paper-out': [status.paper, 'EPTR_REC_EMPTY: no paper', ['document', 'closing', 'other']],
  'cover-open': [
    status.paper,
    'EPTR_REC_EMPTY: the cover is open',
    ['document', 'closing', 'other'],
  ],
  'journal-full': [status.memory, 'the electronic journal is full', ['document']],
  'memory-full': [status.memory, 'the fiscal memory is full', ['document', 'closing']],
  'closing-needed': [status.closing, 'closing needed', ['document']],
  error: [status.closing, 'the device reports an error', ['document', 'closing', 'other']],
}
const SILENT: ReadonlySet<string> = new Set(['error-after', 'printed-then-silent'])
const SERIAL_DIGITS = 6
const SECRET_BYTES = 16

function stop(fault: FaultStep | undefined, name: CallName): void {
  if (fault === undefined) return
  if (fault.do === 'unreachable') throw new DeviceError('the device cannot be reached')
  const [number, text, calls] = REFUSALS[fault.do] ?? []
  if (number !== undefined && calls?.includes(name)) throw new RtRefusal(number, text ?? '')
}

class Emulator implements RtDevice {
  readonly isServer: boolean
  private readonly scu: ScuHead
  private readonly tools: DriverTools
  private readonly settings: z.infer<typeof configuration>

  constructor(scu: ScuHead, tools: DriverTools) {
    this.scu = scu
    this.tools = tools
    this.settings = configuration.parse(JSON.parse(scu.configuration))
    this.isServer = this.settings.kind === 'server'
  }

  document: RtDevice['document'] = (document, limit) =>
    this.call('document', limit, (core) => core.document(document))

  closing: RtDevice['closing'] = (id, _till, limit) =>
    this.call('closing', limit, (core) => core.closing(id))

  report: RtDevice['report'] = (limit) => this.call('other', limit, () => undefined)

  reprint: RtDevice['reprint'] = (reference, _till, limit) =>
    this.call('other', limit, (core) => core.reprint(reference))

  print: RtDevice['print'] = (_lines, limit) => this.call('other', limit, () => undefined)

  status: RtDevice['status'] = (limit) => this.call('other', limit, (core) => core.info())

  till: RtDevice['till'] = (till, isOn, limit) =>
    this.call('other', limit, ({ state }) => {
      if (!isOn) delete state.chains[till]
    })

  private async call<T>(name: CallName, limit: CallLimit, work: (core: RtCore) => T): Promise<T> {
    const fault = takeFault(this.scu)
    if (limit.timeoutMs <= 0) throw new DeviceError('no time was left for the device')
    stop(fault, name)
    const waits = fault?.do === 'delay' ? (fault.ms ?? 0) : 0
    if (waits > 0) await this.tools.sleep(Math.min(waits, limit.timeoutMs))
    const trueNow = this.tools.now().getTime()
    const shift = fault?.do === 'wrong-clock' ? (fault.ms ?? 0) : 0
    const { capacity, dailyLimit } = this.settings
    const state = rtState.parse(JSON.parse(this.scu.state))
    const world = { now: trueNow + shift, trueNow, isServer: this.isServer, capacity, dailyLimit }
    const answer = work(new RtCore(state, world))
    if (name === 'closing' && fault?.do === 'transmission-failed') state.filesToSend += 1
    this.scu.state = JSON.stringify(state)
    this.scu.changed = true
    if (fault !== undefined && SILENT.has(fault.do)) throw new DeviceError('the answer was lost')
    if (fault?.do === 'garbage') throw new DeviceError('the answer of the device cannot be read')
    if (waits >= limit.timeoutMs && waits > 0) throw new DeviceError('no answer in time')
    return answer
  }
}

/** Ends in six digits of its id. */
function serialOf(id: string): string {
  const digits = sha256(id).readUInt32BE(0) % 10 ** SERIAL_DIGITS
  return `99EMU${`${digits}`.padStart(SERIAL_DIGITS, '0')}`
}

const pin = z.object({ pin: z.string() })

export const emulator: Driver<RtDevice> = {
  configuration,
  async create({ id, configuration: given, randomBytes }) {
    const settings = configuration.parse(given ?? {})
    return {
      configuration: JSON.stringify(settings),
      secrets: JSON.stringify(pin.parse({ pin: randomBytes(SECRET_BYTES).toString('base64url') })),
      state: JSON.stringify({ ...newState(serialOf(id)), z: settings.lastZ }),
    }
  },
  open: (scu, tools) => new Emulator(scu, tools),
  reach: (scu, tools, limit) => new Emulator(scu, tools).status(limit),
  remote: false,
  stateful: true,
  software: true,
  faults: FAULTS,
  async describe({ state, configuration: settings }) {
    const { serial } = rtState.parse(JSON.parse(state))
    const { kind } = configuration.parse(JSON.parse(settings))
    return { certificateBase64: '', serial, members: { SerialNumber: serial, Kind: kind } }
  },
}
