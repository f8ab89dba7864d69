// From a signing unit to its driver in the market's table.
import {
  DeviceError,
  type DeviceOutcome,
  DeviceRefusal,
  type DeviceWatch,
  type DriverTools,
  type ScuHead,
  type WatchedDevice,
} from '../device/device.js'
import { type Driver, mayUse } from '../device/driver.js'
import { fail } from '../errors.js'
import type { Market } from '../market/contract.js'

/** Throws DEVICE_FAILED for a package that the market does not know. */
export function driverOf(market: Market, scu: Pick<ScuHead, 'id' | 'package'>): Driver<unknown> {
  const driver = market.drivers[scu.package]
  if (driver !== undefined) return driver
  throw fail('DEVICE_FAILED', { scu: scu.id, reason: `no driver for package ${scu.package}` })
}

/** Which units a server may use. */
export interface UnitRules {
  /** False: keys that lie in this server are refused. */
  software: boolean
  /** False: a real server, which refuses units for tests; a sandbox refuses live ones. */
  sandbox?: boolean | undefined
}

/** By what the unit said when it was last asked. Throws SOFTWARE_DEVICE and UNIT_ENVIRONMENT. */
export function demandUsable(driver: Driver<unknown>, scu: ScuHead, rules: UnitRules): void {
  if (driver.software && !rules.software) throw fail('SOFTWARE_DEVICE', { scu: scu.id })
  const environment = driver.environment?.(scu)
  if (environment === undefined || rules.sandbox === undefined) return
  const server = rules.sandbox ? 'a sandbox' : 'production'
  const doubt = rules.sandbox ? undefined : driver.doubt?.(scu)
  if (doubt !== undefined)
    throw fail('UNIT_ENVIRONMENT', { scu: scu.id, environment: doubt, server })
  if (mayUse(environment, !rules.sandbox)) return
  throw fail('UNIT_ENVIRONMENT', { scu: scu.id, environment, server })
}

/** The device of a unit; whoever watches is told of each of its calls. */
export function openDevice<D>(driver: Driver<D>, scu: ScuHead, tools: DriverTools): D {
  const device = driver.open(scu, tools)
  if (tools.watch === undefined) return device
  const about = { name: scu.package, remote: driver.remote, id: scu.id }
  return watched(device, { about, atOnce: driver.atOnce ?? NONE }, tools.watch)
}

const NONE: readonly string[] = []

interface Watched {
  about: WatchedDevice
  /** Members whose answer may be there at once. */
  atOnce: readonly string[]
}

/** The same device: what its calls come to is told, of those that answer later and of `atOnce`. */
function watched<D>(device: D, { about, atOnce }: Watched, watch: DeviceWatch): D {
  const own = new Map<PropertyKey, unknown>()
  return new Proxy(Object(device), {
    get: (target: object, name) => {
      const known = own.get(name)
      if (known !== undefined) return known
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      const counts = atOnce.includes(String(name))
      const call = (...values: unknown[]): unknown => {
        const began = watch.now()
        const told = (how: DeviceOutcome) => watch.called(about, how, began)
        try {
          const answer: unknown = Reflect.apply(member, target, values)
          if (answer instanceof Promise) tell(answer, told)
          else if (counts) told('ok')
          return answer
        } catch (error) {
          if (counts) told(outcomeOf(error))
          throw error
        }
      }
      own.set(name, call)
      return call
    },
  })
}

function tell(answer: Promise<unknown>, told: (outcome: DeviceOutcome) => void): void {
  answer.then(
    () => told('ok'),
    (error: unknown) => told(outcomeOf(error)),
  )
}

function outcomeOf(error: unknown): DeviceOutcome {
  if (error instanceof DeviceRefusal) return 'refused'
  return error instanceof DeviceError ? 'failed' : 'broken'
}

/** Longest that anybody waits for a device to be closed. */
const CLOSE_MS = 2_000

/** Of a device that is used no more; one that was closed opens what it needs when it is called. */
export async function closeDevice<D>(driver: Driver<D>, device: D): Promise<void> {
  if (driver.close === undefined) return
  const late = new Promise<void>((resolve) => {
    setTimeout(resolve, CLOSE_MS).unref()
  })
  await Promise.allSettled([Promise.race([driver.close(device), late])])
}
