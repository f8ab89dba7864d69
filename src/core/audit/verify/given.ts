// What a person gives beside a file to verify: certificates, or the "cryptographic material
// container" of the official tools, which holds the AES key too.
import { z } from 'zod'
import { fail } from '../../../errors.js'
import type { VerifyOptions } from '../../../verify/contract.js'

/** Format of the ministry's sample code; public keys stand for closed systems. */
const containerSchema = z.object({
  base64AESKey: z.string().optional(),
  certificateOrPublicKeyMap: z.record(
    z.string(),
    z.object({
      id: z.string(),
      signatureDeviceType: z.enum(['CERTIFICATE', 'PUBLIC_KEY']),
      signatureCertificateOrPublicKey: z.string(),
    }),
  ),
})

const PEM = /-----BEGIN [A-Z ]+-----[^-]+-----END [A-Z ]+-----/g

const DER_SEQUENCE = 0x30
/** The second byte of a certificate says that its length follows; no text has such a byte there. */
const LONG_LENGTH = 0x80

/**
 * Options from the content of such a file, or from base64 itself. Throws FiscalError
 * FIELD_INVALID.
 */
export function optionsFrom(given: string | Buffer): Pick<VerifyOptions, 'key' | 'certificates'> {
  if (typeof given !== 'string' && isDer(given)) return { certificates: [given.toString('base64')] }
  const body = given
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trim()
  if (!body.startsWith('{')) return { certificates: body.match(PEM) ?? [body] }
  const found = containerSchema.safeParse(parsed(body))
  if (!found.success) throw refuse(z.prettifyError(found.error))
  const { base64AESKey, certificateOrPublicKeyMap } = found.data
  const certificates = [certificateOrPublicKeyMap]
  return base64AESKey === undefined ? { certificates } : { key: base64AESKey, certificates }
}

/** As browsers and TSEs write certificates: `.cer`, `.crt`, `.der`. */
function isDer([first = 0, second = 0]: Buffer): boolean {
  return first === DER_SEQUENCE && second >= LONG_LENGTH
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error))
  }
}

function refuse(reason: string): Error {
  const expected = `a certificate in base64 or PEM, or a crypto container (${reason})`
  return fail('FIELD_INVALID', { field: 'certificate', expected })
}
