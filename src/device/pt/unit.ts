// The Portuguese signing unit as the queue sees it: the key of the producer of the program, and the
// line to the authority with which series of documents are communicated.
import type { CallLimit } from '../device.js'
import type { SeriesAnswer, SeriesRequest } from './series.js'

/** Package of the unit that lies in this server (src/simulator/pt). */
export const SOFTWARE_PACKAGE = 'fiskalwerk.SCU.PT.Software'

/** RSA with 1024 bits, as the rules for certified programs want it (Portaria 363/2010, art. 6). */
export const KEY_BITS = 1024
export const SIGNATURE_BYTES = KEY_BITS / 8

export interface PtIdentity {
  /** Tax number (NIF) of who issues the documents. */
  nif: string
  /** SubjectPublicKeyInfo as Base64. */
  publicKey: string
  /** Number under which the authority has certified the program; 9999: it has not. */
  certificateNumber: string
}

export interface PtDevice {
  /** Throws DeviceError when the unit does not answer. */
  identity(limit: CallLimit): Promise<PtIdentity>
  /** RSA with SHA-1, PKCS #1 v1.5. Throws DeviceError when there is no answer in time. */
  sign(data: Buffer, limit: CallLimit): Promise<Buffer>
  /** Throws DeviceError when there is no answer: what was asked may have been done. */
  series(request: SeriesRequest, limit: CallLimit): Promise<SeriesAnswer>
}

const NOBODY = { nif: '500000000', publicKey: '', certificateNumber: '9999' }

/** Says yes to everything, for receipts that are only tried; what it signs is never shown. */
export const pretended = (nif = NOBODY.nif): PtDevice => ({
  identity: async () => ({ ...NOBODY, nif }),
  sign: async () => Buffer.alloc(SIGNATURE_BYTES),
  series: async () => ({
    ...{ code: '2001', message: '' },
    series: [{ codValidacaoSerie: 'AAAAAAAAAA', dataInicioPrevUtiliz: '' }],
  }),
})
