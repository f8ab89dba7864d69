// Until when a certificate is valid.
import { X509Certificate } from 'node:crypto'

/** Of its DER in Base64; null: there is none. */
export function certificateEnd(base64: string): Date | null {
  return base64 === '' ? null : new Date(new X509Certificate(Buffer.from(base64, 'base64')).validTo)
}
