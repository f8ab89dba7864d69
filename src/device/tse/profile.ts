// The two kinds of key that the TSE emulator has: curve, hash, names. Read by everything that
// signs, certifies or describes.

export type ProfileName = 'P-256' | 'P-384'

export interface Profile {
  name: ProfileName
  /** As Node names it. */
  hash: 'sha256' | 'sha384'
  /** As Web Crypto names it. */
  webHash: 'SHA-256' | 'SHA-384'
  /** Name on receipts and in exports (BSI TR-03111, ecdsa-plain). */
  algorithm: string
  /** Its object identifier, 0.4.0.127.0.7.1.1.4.1.x, encoded. */
  oid: Buffer
  /** Of r‖s. */
  signatureBytes: number
}

/** 0.4.0.127.0.7.1.1.4.1: ecdsa-plain-signatures of BSI TR-03111. */
const ECDSA_PLAIN = [0x04, 0x00, 0x7f, 0x00, 0x07, 0x01, 0x01, 0x04, 0x01]

/** The identifier of one algorithm of that family. */
export const plainOid = (last: number): Buffer => Buffer.from([...ECDSA_PLAIN, last])

export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  'P-256': {
    name: 'P-256',
    hash: 'sha256',
    webHash: 'SHA-256',
    algorithm: 'ecdsa-plain-SHA256',
    oid: plainOid(3),
    signatureBytes: 64,
  },
  'P-384': {
    name: 'P-384',
    hash: 'sha384',
    webHash: 'SHA-384',
    algorithm: 'ecdsa-plain-SHA384',
    oid: plainOid(4),
    signatureBytes: 96,
  },
}

/** The only log time format of the emulator: whole seconds since 1970. */
export const LOG_TIME_FORMAT = 'unixTime'
