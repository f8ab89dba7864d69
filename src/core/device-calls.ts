// Calls of a cash box's signing device outside any queue: open it, ask it, keep what it has to
// remember. Docs/decisions/0009-scu-version.md.
import assert from 'node:assert/strict'
import { LRUCache } from 'lru-cache'
import { type CallLimit, DeviceError, type DriverTools, type ScuHead } from '../device/device.js'
import { fail } from '../errors.js'
import type { Market } from '../market/contract.js'
import { reaching, type Store } from '../store/client.js'
import { type BoxKey, changeUnit, findHeldUnits, moveUnit } from '../store/rollout/scus.js'
import { closeDevice, demandUsable, driverOf, openDevice } from './drivers.js'

export interface DeviceCalls {
  /** Throws SCU_NONE when the cash box holds no unit of these markets that may be used. */
  check(box: BoxKey): Promise<void>
  /**
   * Asks the device of the cash box, `only`: of this market. Throws SCU_NONE, SOFTWARE_DEVICE, and
   * DEVICE_FAILED with the reason. A script or a state that moved is stored before the answer is
   * given; when another caller was faster, `work` runs again.
   */
  call<T>(box: BoxKey, work: DeviceWork<T>, only?: string): Promise<T>
}

export type DeviceWork<T> = (device: unknown, limit: CallLimit) => Promise<T>

export interface ServedMarket {
  market: Market
  /** Also a unit that a queue signs with; else its key signs what the queue says, nothing more. */
  whileLinked: boolean
}

export interface DeviceCallDeps {
  store: Store
  /** The markets whose devices are called. */
  markets: readonly ServedMarket[]
  tools: DriverTools
  now(): Date
  /** Whether devices with keys in this server may be used. */
  software: boolean
  /** Left out: units of every environment are used. */
  sandbox?: boolean
  /** Most opened devices in memory. */
  entries: number
}

/** `scu-timeout-ms` where the mode of a unit says nothing. */
const DEFAULT_LIMIT_MS = 2_500
const NORMAL_MODE = 0

interface Opened {
  scu: ScuHead
  device: unknown
}

export function createDeviceCalls(deps: DeviceCallDeps): DeviceCalls {
  const devices = keptDevices(deps)
  return {
    check: async (box) => {
      await unitOf(deps, box)
    },
    call: async (box, work, only) => {
      for (;;) {
        const unit = await unitOf(deps, box, only)
        const opened = devices.open(unit)
        const running = settled(work(opened.device, limitOf(unit)))
        // a script counts a call when it begins: whoever loses the race has used another's turn
        if (!(await devices.save(opened))) continue
        const outcome = await running
        await devices.save(opened)
        if (outcome.done) return outcome.value
        throw failureOf(unit, outcome.error)
      }
    },
  }
}

/** The first unit in normal mode. */
export async function unitOf(deps: DeviceCallDeps, box: BoxKey, only?: string): Promise<ScuHead> {
  const held = await reaching(() => findHeldUnits(deps.store, box))
  const found = held.find(({ unit, linked }) => {
    const served = servedOf(deps, unit)
    if (served === undefined || (only ?? unit.market) !== unit.market) return false
    return (unit.mode & 0xff) === NORMAL_MODE && (served.whileLinked || !linked)
  })
  if (found === undefined) throw fail('SCU_NONE')
  return found.unit
}

export function servedOf({ markets }: DeviceCallDeps, unit: ScuHead): ServedMarket | undefined {
  return markets.find(({ market }) => market.facts.code === unit.market)
}

/** The second byte of the mode: seconds. */
export function limitOf({ mode }: ScuHead): CallLimit {
  const seconds = (mode >> 8) & 0xff
  return { timeoutMs: seconds === 0 ? DEFAULT_LIMIT_MS : seconds * 1000 }
}

type Settled<T> = { done: true; value: T } | { done: false; error: unknown }

/** Keeps a failure until it is looked at; it may come while something else is waited for. */
function settled<T>(work: Promise<T>): Promise<Settled<T>> {
  return work.then(
    (value) => ({ done: true, value }),
    (error: unknown) => ({ done: false, error }),
  )
}

function failureOf(unit: ScuHead, error: unknown): unknown {
  if (!(error instanceof DeviceError)) return error
  return fail('DEVICE_FAILED', { scu: unit.id, reason: error.message })
}

interface KeptDevices {
  open(unit: ScuHead): Opened
  /** False when the unit is no longer what the device was opened with. */
  save(opened: Opened): Promise<boolean>
}

/** Opened devices by unit and version, bounded: opening one parses a key and a certificate. */
function keptDevices(deps: DeviceCallDeps): KeptDevices {
  const kept = new LRUCache<string, Opened>({
    max: deps.entries,
    dispose: ({ scu, device }, _, reason) => {
      const served = servedOf(deps, scu)
      if (reason === 'evict' && served !== undefined) {
        void closeDevice(driverOf(served.market, scu), device)
      }
    },
  })
  const nameOf = ({ id, version }: ScuHead) => `${id} ${version}`

  function keep(opened: Opened): void {
    kept.set(nameOf(opened.scu), opened)
  }

  return {
    open: (unit) => {
      const known = kept.get(nameOf(unit))
      if (known !== undefined) return known
      const served = servedOf(deps, unit)
      assert(served, 'the unit was found among these markets')
      const driver = driverOf(served.market, unit)
      demandUsable(driver, unit, deps)
      const opened = { scu: unit, device: openDevice(driver, unit, deps.tools) }
      // calls under a script move it: each needs a unit of its own
      if (unit.faultScript === null) keep(opened)
      return opened
    },
    save: async (opened) => {
      const { scu } = opened
      if (!scu.changed) return true
      scu.changed = false
      kept.delete(nameOf(scu))
      if (!(await reaching(() => write(deps, scu)))) return false
      scu.version += 1n
      if (scu.faultScript === null) keep(opened)
      return true
    },
  }
}

/** The common case is one row; entries for action journals need the queues as well. */
async function write({ store, now }: DeviceCallDeps, scu: ScuHead): Promise<boolean> {
  const actions = scu.actions.splice(0)
  if (actions.length === 0) return moveUnit(store, scu, now())
  const { state, faultScript } = scu
  const key = { accountId: scu.accountId, id: scu.id, now: now() }
  const changed = await changeUnit(store, key, (current) =>
    current.version === scu.version ? { state, faultScript, actions } : undefined,
  )
  return changed !== undefined
}
