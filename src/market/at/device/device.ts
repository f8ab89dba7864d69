// What an Austrian signing device can do (RKSV: Signaturerstellungseinheit), whoever holds the key.
// Called by the sign path; soft and remote drivers implement it.
import type { CallLimit } from '../../../device/device.js'
import type { CertificateEntry } from '../../market.js'

export interface RksvIdentity {
  /** Provider (Vertrauensdiensteanbieter) as in field 1 of the code, e.g. AT100. */
  zda: string
  certificate: CertificateEntry
  /** Serial of the certificate as in field 11: lowercase hex, no 0x, no leading zeros. */
  serialHex: string
}

export interface RksvSignature extends RksvIdentity {
  /** R and S, 32 bytes each. */
  signature: Buffer
}

export interface RksvDevice {
  /**
   * ECDSA P-256 with SHA-256 over the bytes as they are. The bytes name provider and serial, so the
   * caller compares those of the answer with what `identity` told it. Rejects with DeviceError.
   */
  sign(data: Buffer, limit: CallLimit): Promise<RksvSignature>
  /** Provider and certificate that the next signature is made with. Rejects with DeviceError. */
  identity(limit: CallLimit): Promise<RksvIdentity>
}
