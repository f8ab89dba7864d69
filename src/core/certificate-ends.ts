// When the certificates of signing units in use end, for whoever runs the server.
import { X509Certificate } from 'node:crypto'
import { nextTurn } from '../lib/slices.js'
import type { Market } from '../market/contract.js'
import type { Store } from '../store/client.js'
import { type UnitKey, unitsInUse } from '../store/rollout/scus.js'
import { driverOf } from './drivers.js'

export interface EndsDeps {
  store: Store
  marketOf(code: string): Market
  now(): Date
}

export interface CertificateEnds {
  /** Undefined: no unit has shown a certificate. */
  nearestDays: number | undefined
  /** The unit of the nearest end. */
  nearestUnit: string | undefined
  /** How many end within so many days; 0: those that have ended. */
  within: Readonly<Record<'0' | '30' | '90', number>>
  /** Units whose certificate nobody can read. */
  unreadable: number
}

const DAY_MS = 86_400_000
const PAGE = 200

export async function certificateEnds(deps: EndsDeps): Promise<CertificateEnds> {
  const now = deps.now().getTime()
  const ends: { unit: string; days: number }[] = []
  let unreadable = 0
  let after: UnitKey | undefined
  for (;;) {
    const units = await unitsInUse(deps.store, { after, limit: PAGE })
    for (const unit of units) {
      const [found] = await Promise.allSettled([endOf(deps, unit)])
      if (found.status === 'rejected') unreadable += 1
      else if (found.value !== undefined)
        ends.push({ unit: unit.id, days: (found.value - now) / DAY_MS })
    }
    if (units.length < PAGE) break
    after = units.at(-1)
    await nextTurn()
  }
  const nearest = ends.reduce<(typeof ends)[number] | undefined>(
    (best, one) => (best === undefined || one.days < best.days ? one : best),
    undefined,
  )
  const within = (days: number) => ends.filter((one) => one.days <= days).length
  return {
    nearestDays: nearest?.days,
    nearestUnit: nearest?.unit,
    within: { 0: within(0), 30: within(30), 90: within(90) },
    unreadable,
  }
}

/** Undefined: the device was never asked. Throws for what is no certificate. */
async function endOf(
  { marketOf }: EndsDeps,
  unit: Awaited<ReturnType<typeof unitsInUse>>[number],
): Promise<number | undefined> {
  const { certificateBase64 } = await driverOf(marketOf(unit.market), unit).describe(unit)
  if (certificateBase64 === '') return undefined
  return Date.parse(new X509Certificate(Buffer.from(certificateBase64, 'base64')).validTo)
}
