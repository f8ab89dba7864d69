// Calls of a cash box's security device by other servers: one at a time, and what it remembers is
// stored with what it logged before the answer is given.
import assert from 'node:assert/strict'
import { LRUCache } from 'lru-cache'
import type { CallLimit, ScuHead } from '../device/device.js'
import { KeyedMutex } from '../lib/keyed-mutex.js'
import type { UnitMemory } from '../model/scu.js'
import { reaching } from '../store/client.js'
import { type BoxKey, moveUnit } from '../store/rollout/scus.js'
import { keepServedRow, moveServedUnit, type ServedRow } from '../store/rollout/served-units.js'
import { type DeviceCallDeps, limitOf, servedOf, unitOf } from './device-calls.js'
import { closeDevice, demandUsable, driverOf, openDevice } from './drivers.js'

export interface Served {
  unit: ScuHead
  device: unknown
  limit: CallLimit
  /** The same call again, after another server was faster. */
  isAgain: boolean
  /** What a device in this server holds right now; undefined: it lies elsewhere. */
  memory(): UnitMemory | undefined
}

/** What a call came to. Errors are told, not thrown: the device may have logged all the same. */
export interface ServedOutcome<T> {
  row?: ServedRow | undefined
  /** Its log is the device's: what it has signed stays signed. */
  keepsLog: boolean
  give(): T
}

export interface ServedCalls {
  /** Throws SCU_NONE, SOFTWARE_DEVICE and UNIT_ENVIRONMENT, and what the outcome gives. */
  call<T>(box: BoxKey, work: (served: Served) => Promise<ServedOutcome<T>>): Promise<T>
}

interface Opened {
  scu: ScuHead
  device: unknown
}

export function createServedCalls(deps: DeviceCallDeps): ServedCalls {
  const turns = new KeyedMutex()
  const kept = keptDevices(deps)
  return {
    call: async (box, work) => {
      const { id } = await unitOf(deps, box)
      return turns.run(id, async () => {
        for (let isAgain = false; ; isAgain = true) {
          const unit = await unitOf(deps, box)
          const opened = takeDevice(deps, kept, unit)
          const { scu, device } = opened
          const driver = driverOf(marketOf(deps, scu), scu)
          const outcome = await work({
            ...{ unit: scu, device, limit: limitOf(scu), isAgain },
            memory: () => driver.memory?.(scu),
          })
          const isKept = await save(deps, scu, outcome)
          if (isKept) kept.set(nameOf(scu), opened)
          if (isKept || outcome.keepsLog) return outcome.give()
        }
      })
    },
  }
}

const nameOf = ({ id, version }: ScuHead) => `${id} ${version}`

function marketOf(deps: DeviceCallDeps, scu: ScuHead) {
  const served = servedOf(deps, scu)
  assert(served, 'the unit was found among these markets')
  return served.market
}

/** Those that nobody uses right now, by unit and version. */
function keptDevices(deps: DeviceCallDeps): LRUCache<string, Opened> {
  return new LRUCache({
    max: deps.entries,
    dispose: ({ scu, device }, _, reason) => {
      if (reason === 'evict') void closeDevice(driverOf(marketOf(deps, scu), scu), device)
    },
  })
}

function takeDevice(deps: DeviceCallDeps, kept: LRUCache<string, Opened>, unit: ScuHead): Opened {
  const known = kept.get(nameOf(unit))
  if (known !== undefined) {
    kept.delete(nameOf(unit))
    return known
  }
  const driver = driverOf(marketOf(deps, unit), unit)
  demandUsable(driver, unit, deps)
  return { scu: unit, device: openDevice(driver, unit, deps.tools) }
}

/** False: another server was faster. */
async function save(
  { store, now }: DeviceCallDeps,
  scu: ScuHead,
  { row, keepsLog }: ServedOutcome<unknown>,
): Promise<boolean> {
  const moment = now()
  if (keepsLog && row !== undefined) {
    await reaching(() => keepServedRow(store, { ...scu, now: moment }, row))
  }
  scu.actions.splice(0)
  if (!scu.changed && (keepsLog || row === undefined)) return true
  scu.changed = false
  const isMoved = await reaching(() =>
    keepsLog ? moveUnit(store, scu, moment) : moveServedUnit(store, { scu, row, now: moment }),
  )
  if (isMoved) scu.version += 1n
  return isMoved
}
