// Answers of A-Trust's services: certificate, provider, signature, and what their statuses mean.
import { z } from 'zod'
import { CredentialsRefused, DeviceError, DeviceRefusal } from '../../../device/device.js'
import type { OutboundResponse } from '../../../device/outbound.js'
import { readJson, retryAfterMs } from '../../../device/remote.js'
import { serialHexOf } from '../../../device/rksv.js'
import type { Told } from './certificate.js'
import { certificateIn } from './hsm-unit.js'

export const MAX_ANSWER_BYTES = 64 * 1024

const certificateAnswer = z
  .object({
    Signaturzertifikat: z.string(),
    Zertifizierungsstellen: z.array(z.string()).default([]),
    Zertifikatsseriennummer: z.string(),
    ZertifikatsseriennummerHex: z.string(),
    alg: z.string().optional(),
    /** Before 2016. */
    algo: z.string().optional(),
  })
  .loose()

/** AT1 and the like; AT0 is a closed system without certificate. */
const zdaAnswer = z.object({ zdaid: z.string().regex(/^[A-Z]{2}[1-9]\d{0,3}$/) }).loose()

/** Throws DeviceError for what is not as the manual says. */
export function toldBy(certificate: Buffer, provider: Buffer): Told {
  const found = read(certificate, certificateAnswer, 'certificate')
  const algorithm = found.alg ?? found.algo
  if (algorithm !== 'ES256') throw new DeviceError(`the unit signs by ${algorithm}, not ES256`)
  const der = certificateIn(Buffer.from(found.Signaturzertifikat, 'base64'))
  const serial = serialHexOf(der)
  const told = [
    BigInt(/^\d+$/.test(found.Zertifikatsseriennummer) ? found.Zertifikatsseriennummer : -1),
    BigInt(`0x${/^[0-9a-f]+$/i.exec(found.ZertifikatsseriennummerHex)?.[0] ?? '0'}`),
  ]
  if (told.some((one) => one.toString(16) !== serial)) {
    throw new DeviceError('the serial number is not that of the certificate')
  }
  const chain = found.Zertifizierungsstellen.map((one) => Buffer.from(one, 'base64'))
  return { zda: read(provider, zdaAnswer, 'ZDA').zdaid, der, chain }
}

export function read<T>(body: Buffer, schema: z.ZodType<T>, name: string): T {
  const found = schema.safeParse(readJson(body.toString('utf8')))
  if (found.success) return found.data
  throw new DeviceError(`the answer to ${name} cannot be read`, { cause: found.error })
}

/** The body of an answer that did it. Throws DeviceError of the kind that the status means. */
export function bodyOf(name: string, answer: OutboundResponse): Buffer {
  const { status, body } = answer
  if (status === 200) return body
  const text = `${name} was answered with status ${status}`
  if (status === 401 || status === 403) throw new CredentialsRefused(`${text}: see the credentials`)
  if (status === 429 || status === 503) {
    throw new DeviceError(text, { kind: 'busy', retryAfterMs: retryAfterMs(answer) })
  }
  if (status >= 400 && status < 500) throw new DeviceRefusal(text)
  throw new DeviceError(text, { kind: 'unavailable' })
}
