// Writes the companion file that the verification tools read beside a DEP7 (cryptographic material
// container): AES key and certificates. For tests and the sandbox; the server never gives it out.
import { X509Certificate } from 'node:crypto'
import { writeFile } from 'node:fs/promises'

export interface CryptoMaterial {
  /** 32 bytes. */
  aesKey: Buffer
  /** DER, one for every certificate that signed a receipt of the DEP7. */
  certificates: readonly Buffer[]
}

/** The container as JSON text; certificates go by their serial as in field 11 of the code. */
export function cryptoContainer(material: CryptoMaterial): string {
  const entries = material.certificates.map((der) => {
    const id = serialOf(der)
    const entry = {
      id,
      signatureDeviceType: 'CERTIFICATE',
      signatureCertificateOrPublicKey: der.toString('base64'),
    }
    return [id, entry] as const
  })
  const container = {
    base64AESKey: material.aesKey.toString('base64'),
    certificateOrPublicKeyMap: Object.fromEntries(entries),
  }
  return `${JSON.stringify(container, null, 2)}\n`
}

export async function writeCryptoContainer(path: string, material: CryptoMaterial): Promise<void> {
  await writeFile(path, cryptoContainer(material), { mode: 0o600 })
}

function serialOf(der: Buffer): string {
  return BigInt(`0x${new X509Certificate(der).serialNumber}`).toString(16)
}
