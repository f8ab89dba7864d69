// The mode of a signing unit: how it is used, and how long one call may take.
import type { ScuHead } from '../../device/device.js'

/** Mode & 0xFF: 0 normal, 1 backup, 99 and above not used. */
const KIND_MASK = 0xff
const NOT_USED = 99

type Mode = Pick<ScuHead, 'mode'>

export function kindOf({ mode }: Mode): number {
  return mode & KIND_MASK
}

export function isUsed(unit: Mode): boolean {
  return kindOf(unit) < NOT_USED
}

/** Units in use, normal ones first; among equals the configured order holds. */
export function usable<U extends { scu: Mode }>(units: readonly U[]): readonly U[] {
  const [only] = units
  if (units.length === 1 && only !== undefined && isUsed(only.scu)) return units
  return units.filter(({ scu }) => isUsed(scu)).sort((a, b) => kindOf(a.scu) - kindOf(b.scu))
}

/** The second byte, in seconds, lengthens the common limit for its unit. */
export function limitMs({ mode }: Mode, commonMs: number): number {
  return Math.max(commonMs, ((mode >>> 8) & KIND_MASK) * 1000)
}
