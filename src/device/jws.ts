// The French signing unit as the queue sees it: an ES256 key with a certificate, of one outlet.
// Implemented by drivers of a software or a remote unit; called when a receipt is signed.
import { z } from 'zod'
import type { Soon } from '../lib/soon.js'
import type { CertificateEntry } from '../model/journal.js'
import type { CallLimit } from './device.js'
import { certificateEntry, SIGNATURE_BYTES } from './rksv.js'

/** What a unit is told of the outlet for which it signs; the key may lie anywhere. */
export const outletSettings = z.object({
  siret: z.string().regex(/^\d{14}$/, { error: '14 digits' }),
  signatureexcerpt: z.union([z.boolean(), z.stringbool()]).default(false),
  /** Third part of a document: R and S unless told, or their ASN.1 form as in older programs. */
  signatureform: z.enum(['raw', 'der']).optional(),
})

/** Package of the unit that lies in this server (src/simulator/jws). */
export const SOFTWARE_PACKAGE = 'fiskalwerk.SCU.FR.Software'
/** The same behind a signing service. */
export const REMOTE_PACKAGE = 'fiskalwerk.SCU.FR.Remote'

export interface JwsIdentity {
  /** Number of the outlet, 14 digits. */
  siret: string
  /** Serial number of the certificate in capital hexadecimal letters. */
  serialHex: string
  certificate: CertificateEntry
  /** Receipts show four characters of the signature, as certified programs do. */
  showsExcerpt: boolean
  /** Documents have the signature in its ASN.1 form. */
  isDer?: boolean
}

export interface JwsSignature {
  /** R and S, 32 bytes each. */
  signature: Buffer
  certificate: CertificateEntry
}

export interface JwsDevice {
  /** Whose signature the next one will be. Throws DeviceError when the unit does not answer. */
  identity(limit: CallLimit): Soon<JwsIdentity>
  /**
   * ES256 over the bytes. Throws DeviceError when there is no answer in time. When the certificate
   * is not the one that `identity` told before, the try has failed: the bytes name the other one.
   */
  sign(data: Buffer, limit: CallLimit): Soon<JwsSignature>
}

const NOBODY = certificateEntry(Buffer.alloc(0))

/** Says yes to everything, for receipts that are only tried; what it signs is never shown. */
export const pretended: JwsDevice = {
  identity: async () => ({
    ...{ siret: '00000000000000', serialHex: '00' },
    ...{ certificate: NOBODY, showsExcerpt: false },
  }),
  sign: async () => ({ signature: Buffer.alloc(SIGNATURE_BYTES), certificate: NOBODY }),
}
