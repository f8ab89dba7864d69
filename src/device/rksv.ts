// The Austrian signing device (Sicherheitseinrichtung) as the queue sees it.
import { X509Certificate } from 'node:crypto'
import { sha256 } from '../lib/hash.js'
import type { Soon } from '../lib/soon.js'
import type { CertificateEntry } from '../model/journal.js'
import type { CallLimit } from './device.js'

/** Package of the signer that lies in this server (src/simulator/rksv). */
export const SOFTWARE_PACKAGE = 'fiskalwerk.SCU.AT.Software'

export interface RksvIdentity {
  /** Trust service provider (ZDA), `AT` and a number. */
  zda: string
  /** Serial number of the certificate as in the machine-readable code. */
  serialHex: string
  certificate: CertificateEntry
}

export interface RksvSignature extends RksvIdentity {
  /** R and S of ES256, 32 bytes each. */
  signature: Buffer
}

export interface RksvDevice {
  /** Whose signature the next one will be. Throws DeviceError when the device does not answer. */
  identity(limit: CallLimit): Soon<RksvIdentity>
  /**
   * ECDSA P-256 with SHA-256 over the bytes. Throws DeviceError when there is no answer in time.
   * Its identity is the one that signed; when it is not the one asked before, the try has failed.
   */
  sign(data: Buffer, limit: CallLimit): Soon<RksvSignature>
  /** True while a signature has to be verified before use: for any device outside the process. */
  mustVerify(): boolean
}

/** ES256: R‖S, 32 bytes each. */
export const SIGNATURE_BYTES = 64

/** A certificate with its fingerprint; `chain`: issuers, nearest first. */
export function certificateEntry(der: Buffer, chain: Buffer[] = []): CertificateEntry {
  return { fingerprint: sha256(der), der, chain }
}

/** Lower-case hexadecimal without leading zeros: verifiers compare exactly this text. */
export function serialHexOf(der: Buffer): string {
  return new X509Certificate(der).serialNumber.toLowerCase().replace(/^0+(?=.)/, '')
}
