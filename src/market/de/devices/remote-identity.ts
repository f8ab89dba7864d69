// Who a TSE behind another server is: learnt from its TseInfo, kept in its SCU row.
import { X509Certificate } from 'node:crypto'
import { z } from 'zod'
import { DeviceError } from '../../../device/device.js'
import { readJson } from '../../../device/remote.js'
import { keySerial, pointOf } from '../../../device/tse/public-point.js'
import type { TseIdentity } from '../../../device/tse/tse.js'
import { sha256 } from '../../../lib/hash.js'
import type { InfoAnswer } from './remote-answer.js'

const stored = z.object({
  algorithm: z.string(),
  logTimeFormat: z.string(),
  certificationId: z.string(),
  /** That of the device, then its issuers. */
  certificatesBase64: z.array(z.base64()).min(1),
})

/** Undefined when the device was never reached. Throws for a state that nobody here has written. */
export function identityOfState(state: string): TseIdentity | undefined {
  const found = stored.safeParse(readJson(state)).data
  if (found === undefined) return undefined
  const { certificatesBase64, ...facts } = found
  const [der, ...chain] = certificatesBase64.map((text) => Buffer.from(text, 'base64'))
  if (der === undefined) return undefined
  const leaf = new X509Certificate(der)
  return {
    ...facts,
    serialHex: keySerial(leaf).toString('hex'),
    publicKey: pointOf(leaf.publicKey),
    certificate: { fingerprint: sha256(der), der, chain },
  }
}

/** What the SCU row keeps. */
export function stateOfIdentity({ certificate, ...identity }: TseIdentity): string {
  const { algorithm, logTimeFormat, certificationId } = identity
  const certificatesBase64 = [certificate.der, ...certificate.chain].map((der) =>
    der.toString('base64'),
  )
  return JSON.stringify({ algorithm, logTimeFormat, certificationId, certificatesBase64 })
}

/**
 * The serial number is the hash of the key (BSI TR-03153), so that the certificate is the one that
 * has it. Throws DeviceError when none of them has.
 */
export function identityOfInfo(info: InfoAnswer): TseIdentity {
  return identityOf({
    certificates: info.certificatesbase64,
    serial: info.serialnumberoctet,
    algorithm: info.signaturealgorithm,
    logTimeFormat: info.logtimeformat,
    certificationId: info.certificationidentification,
  })
}

export interface ToldIdentity {
  /** DER or PEM, in any order. */
  certificates: readonly Buffer[]
  /** 64 hexadecimal digits. */
  serial: string
  algorithm: string
  logTimeFormat: string
  certificationId: string
}

/** As above, from what any device tells. */
export function identityOf(told: ToldIdentity): TseIdentity {
  const certificates = told.certificates.map(certificateOf)
  const serialHex = told.serial.toLowerCase()
  const leaf = certificates.find((one) => serialOf(one) === serialHex)
  if (leaf === undefined) {
    throw new DeviceError('no certificate of the device has the key of its serial number')
  }
  const chain = certificates.filter((one) => one !== leaf).map(({ raw }) => Buffer.from(raw))
  const der = Buffer.from(leaf.raw)
  return {
    serialHex,
    algorithm: told.algorithm,
    logTimeFormat: told.logTimeFormat,
    publicKey: pointOf(leaf.publicKey),
    certificationId: told.certificationId,
    certificate: { fingerprint: sha256(der), der, chain },
  }
}

function certificateOf(bytes: Buffer): X509Certificate {
  try {
    return new X509Certificate(bytes)
  } catch (error) {
    throw new DeviceError('a certificate of the device cannot be read', { cause: error })
  }
}

/** Undefined for a key that is on no curve: that of an issuer may be of another kind. */
function serialOf(certificate: X509Certificate): string | undefined {
  try {
    return keySerial(certificate).toString('hex')
  } catch {
    return undefined
  }
}
