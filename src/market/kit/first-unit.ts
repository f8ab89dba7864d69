// The units of a queue one after the other, until one of them can.
import { DeviceError, type ScuHead, shownUnit } from '../../device/device.js'
import type { Soon } from '../../lib/soon.js'
import { usable } from './unit-mode.js'

/**
 * What the first unit in use makes of a try, or why none could: each with its reason, '' where
 * there is none. Nothing waits where a unit answers at once; what is no failure of a device is
 * thrown.
 */
export function firstThatCan<U extends { scu: ScuHead }, R extends object>(
  all: readonly U[],
  attempt: (unit: U) => Soon<R>,
): Soon<R | string> {
  const units = usable(all).values()
  const reasons: string[] = []
  const failed = ({ scu }: U, error: unknown): Soon<R | string> => {
    if (!(error instanceof DeviceError)) throw error
    reasons.push(`${shownUnit(scu)}: ${error.message}`)
    return next()
  }
  const next = (): Soon<R | string> => {
    const { value: unit } = units.next()
    if (unit === undefined) return reasons.join('; ')
    try {
      const made = attempt(unit)
      return made instanceof Promise ? made.catch((error: unknown) => failed(unit, error)) : made
    } catch (error) {
      return failed(unit, error)
    }
  }
  return next()
}
