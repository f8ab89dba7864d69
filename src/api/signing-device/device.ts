// What the operations of group C ask of the Austrian device of a cash box, whatever interface they
// came through.
import type { RksvDevice, RksvIdentity } from '../../device/rksv.js'
import type { CashBoxAccess } from '../../store/rollout/cashboxes.js'
import type { SigningDeviceDeps } from './deps.js'

/** Throws SCU_NONE when there is none. */
export function checkUnit({ devices }: SigningDeviceDeps, box: CashBoxAccess): Promise<void> {
  return devices.check(box)
}

/** R and S, 32 bytes each; what the bytes mean is the caller's business. */
export function signBytes(
  { devices }: SigningDeviceDeps,
  box: CashBoxAccess,
  data: Buffer,
): Promise<Buffer> {
  return devices.call(box, async (device, limit) => {
    const { signature } = await austrian(device).sign(data, limit)
    return signature
  })
}

export function identityOf(
  { devices }: SigningDeviceDeps,
  box: CashBoxAccess,
): Promise<RksvIdentity> {
  return devices.call(box, (device, limit) => austrian(device).identity(limit))
}

/** The calls are made with the Austrian table of drivers, so the device is one of its devices. */
function austrian(device: unknown): RksvDevice {
  return device as RksvDevice
}
