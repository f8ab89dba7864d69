// What the operations of group C ask of the signing device of a cash box, whatever interface they
// came through.
import type { CallLimit } from '../../device/device.js'
import type { JwsDevice } from '../../device/jws.js'
import type { RksvDevice, RksvIdentity } from '../../device/rksv.js'
import type { CertificateEntry } from '../../model/journal.js'
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
    const { signature } = await signing(device).sign(data, limit)
    return signature
  })
}

export function certificateOf(
  { devices }: SigningDeviceDeps,
  box: CashBoxAccess,
): Promise<CertificateEntry> {
  return devices.call(box, async (device, limit) => {
    const { certificate } = await signing(device).identity(limit)
    return certificate
  })
}

/** Austrian units have it alone: throws SCU_NONE where the cash box holds others. */
export function zdaOf({ devices }: SigningDeviceDeps, box: CashBoxAccess): Promise<string> {
  const ask = async (device: unknown, limit: CallLimit) => {
    const { zda }: RksvIdentity = await (device as RksvDevice).identity(limit)
    return zda
  }
  return devices.call(box, ask, 'AT')
}

function signing(device: unknown): RksvDevice | JwsDevice {
  return device as RksvDevice | JwsDevice
}
