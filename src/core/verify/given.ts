// What a person gives beside a file to verify: certificates, or the "cryptographic material
// container" of the official tools, which holds the AES key too. Called by the command line.
import { z } from 'zod'
import { fail } from '../../errors.js'
import type { VerifyOptions } from '../../market/market.js'

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

/**
 * Options from the text of such a file, or from base64 itself. Throws FiscalError FIELD_INVALID.
 */
export function optionsFrom(text: string): Pick<VerifyOptions, 'key' | 'certificates'> {
  const body = text.replace(/^\ufeff/, '').trim()
  if (!body.startsWith('{')) return { certificates: body.match(PEM) ?? [body] }
  const found = containerSchema.safeParse(parsed(body))
  if (!found.success) throw refuse(z.prettifyError(found.error))
  const { base64AESKey, certificateOrPublicKeyMap } = found.data
  const certificates = [certificateOrPublicKeyMap]
  return base64AESKey === undefined ? { certificates } : { key: base64AESKey, certificates }
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
