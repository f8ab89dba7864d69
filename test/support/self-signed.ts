// Throw-away certificates with a chosen serial.
import 'reflect-metadata'
import { KeyObject, webcrypto } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { X509CertificateGenerator } from '@peculiar/x509'

export async function selfSigned(serialHex: string, namedCurve: 'P-256' | 'P-384' = 'P-256') {
  const algorithm = { name: 'ECDSA', namedCurve, hash: 'SHA-256' }
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: serialHex,
      name: 'CN=throw-away',
      notBefore: new Date('2024-01-01T00:00:00Z'),
      notAfter: new Date('2044-01-01T00:00:00Z'),
      signingAlgorithm: algorithm,
      keys,
    },
    webcrypto as Parameters<typeof X509CertificateGenerator.createSelfSigned>[1],
  )
  return { der: Buffer.from(certificate.rawData), privateKey: KeyObject.from(keys.privateKey) }
}

/** As files in PEM of this folder, and the text of the certificate: its own root. */
export async function selfSignedIn(folder: string) {
  const { der, privateKey } = await selfSigned('01')
  const root = `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`
  const paths = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  writeFileSync(paths.cert, root)
  writeFileSync(paths.key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  return { ...paths, root: Buffer.from(root) }
}
