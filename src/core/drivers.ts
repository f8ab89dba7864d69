// From a signing unit to its driver in the market's table.
import type { ScuHead } from '../device/device.js'
import type { Driver } from '../device/driver.js'
import { fail } from '../errors.js'
import type { Market } from '../market/contract.js'

/** Throws DEVICE_FAILED for a package that the market does not know. */
export function driverOf(market: Market, scu: Pick<ScuHead, 'id' | 'package'>): Driver<unknown> {
  const driver = market.drivers[scu.package]
  if (driver !== undefined) return driver
  throw fail('DEVICE_FAILED', { scu: scu.id, reason: `no driver for package ${scu.package}` })
}
