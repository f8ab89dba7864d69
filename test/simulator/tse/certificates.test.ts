// Certificates of a new TSE emulator, read by Node and by OpenSSL, and its answer about itself.
import { X509Certificate } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tseInfoJson } from '../../../src/device/tse/info-json.js'
import { inFolder, run } from '../../market/de/support/openssl.js'
import { CLIENT, sha256Hex, TseStand } from '../../market/de/support/tse-stand.js'
import { PROFILE_NAMES } from '../../market/de/support/vectors.js'

const CURVES = { 'P-256': 'prime256v1', 'P-384': 'secp384r1' } as const

describe.each(PROFILE_NAMES)('the certificates of a %s device', (profile) => {
  async function chainOf() {
    const { tse } = await TseStand.make({ profile })
    const identity = tse.identity()
    const leaf = new X509Certificate(identity.certificate.der)
    const [rootDer = Buffer.alloc(0), ...rest] = identity.certificate.chain
    return { identity, leaf, root: new X509Certificate(rootDer), rest }
  }

  it('are a leaf and its own root', async () => {
    const { identity, leaf, root, rest } = await chainOf()
    expect(rest).toEqual([])
    expect(identity.certificate.fingerprint.toString('hex')).toBe(
      sha256Hex(identity.certificate.der),
    )
    expect([leaf.verify(root.publicKey), root.verify(root.publicKey)]).toEqual([true, true])
    expect([leaf.ca, root.ca]).toEqual([false, true])
    expect(leaf.publicKey.asymmetricKeyDetails?.namedCurve).toBe(CURVES[profile])
  })

  it('name the hash of the public point, and say that they are not certified', async () => {
    const { identity, leaf, root } = await chainOf()
    expect(sha256Hex(identity.publicKey)).toBe(identity.serialHex)
    const spki = leaf.publicKey.export({ format: 'der', type: 'spki' })
    expect(spki.subarray(-identity.publicKey.length)).toEqual(identity.publicKey)
    expect(identity.publicKey[0]).toBe(4)
    expect(leaf.subject.split('\n')).toEqual([
      'C=DE',
      'O=fiskalwerk TSE emulator (not certified)',
      `CN=${identity.serialHex}`,
    ])
    expect(root.subject).toContain('not certified')
    expect(identity.certificationId).toBe('EMULATOR-NOT-CERTIFIED')
  })

  it('are accepted by openssl verify, with the extensions that are asked for', async () => {
    const { leaf, root } = await chainOf()
    inFolder((folder) => {
      const path = (name: string) => join(folder, name)
      writeFileSync(path('leaf'), leaf.toString())
      writeFileSync(path('root'), root.toString())
      const moment = ['-attime', String(Date.parse('2026-06-01T00:00:00Z') / 1000)]
      const check = ['verify', '-x509_strict', ...moment, '-CAfile', path('root'), path('leaf')]
      expect(run('openssl', check).trim()).toBe(`${path('leaf')}: OK`)
      const own = run('openssl', ['x509', '-in', path('leaf'), '-noout', '-text'])
      expect(own).toMatch(/Basic Constraints: critical\s+CA:FALSE/)
      expect(own).toMatch(/Key Usage: critical\s+Digital Signature\n/)
      expect(own).toContain('Authority Key Identifier')
      const issuer = run('openssl', ['x509', '-in', path('root'), '-noout', '-text'])
      expect(issuer).toMatch(/Basic Constraints: critical\s+CA:TRUE, pathlen:0/)
      expect(issuer).toMatch(/Key Usage: critical\s+Certificate Sign, CRL Sign\n/)
      expect(issuer).toContain('Subject Key Identifier')
    })
  })

  it('are valid for eight years, unless the settings name an end', async () => {
    const { leaf, root } = await chainOf()
    expect([leaf.validTo, root.validTo]).toEqual([
      'Jan  1 09:00:00 2034 GMT',
      'Jan  1 09:00:00 2034 GMT',
    ])
    const certificateValidUntil = '2025-05-31T22:00:00Z'
    const { tse } = await TseStand.make({ profile, certificateValidUntil })
    const short = new X509Certificate(tse.identity().certificate.der)
    expect(short.validTo).toBe('May 31 22:00:00 2025 GMT')
    expect(Date.parse(short.validFrom)).toBeLessThan(Date.parse(short.validTo))
  })
})

describe('TseInfo', () => {
  it('has the members of the signing-device interface in their order', async () => {
    const stand = await TseStand.working()
    await stand.start()
    const { certificate, serialHex, publicKey } = stand.tse.identity()
    const json = tseInfoJson(await stand.info())
    const logged = stand.logged().reduce((sum, { der }) => sum + der.length, 0)
    expect(JSON.stringify(json)).toBe(
      JSON.stringify({
        MaxNumberOfClients: 100,
        CurrentNumberOfClients: 1,
        CurrentClientIds: [CLIENT],
        MaxNumberOfStartedTransactions: 512,
        CurrentNumberOfStartedTransactions: 1,
        CurrentStartedTransactionNumbers: [1],
        MaxNumberOfSignatures: 20000000,
        CurrentNumberOfSignatures: 4,
        MaxLogMemorySize: 8589934592,
        CurrentLogMemorySize: logged,
        CurrentState: 1,
        FirmwareIdentification: 'fiskalwerk TSE emulator 1.0.0 (not certified)',
        CertificationIdentification: 'EMULATOR-NOT-CERTIFIED',
        SignatureAlgorithm: 'ecdsa-plain-SHA256',
        LogTimeFormat: 'unixTime',
        SerialNumberOctet: serialHex,
        PublicKeyBase64: publicKey.toString('base64'),
        CertificatesBase64: [certificate.der, ...certificate.chain].map((der) =>
          der.toString('base64'),
        ),
        Info: {},
      }),
    )
  })
})
