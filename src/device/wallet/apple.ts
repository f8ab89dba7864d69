// Apple Wallet: a pass is a ZIP of pass.json and pictures with a manifest of their hashes, signed
// by the certificate of a pass type (Wallet Developer Guide, "Building Your First Pass").
import type { X509Certificate } from 'node:crypto'
import { fail } from '../../errors.js'
import type { PassLine, WalletIssuer, WalletPass } from '../../model/wallet.js'
import type { WalletDriver } from './driver.js'
import { certificateOf, keyOf, textOf } from './entered.js'

const MEDIA_TYPE = 'application/vnd.apple.pkpass'

export const appleWallet: WalletDriver = {
  issuerOf: (entered, now) => {
    const certificate = certificateOf(entered, 'certificate')
    const intermediate = certificateOf(entered, 'intermediate')
    const passphrase = entered.passphrase == null ? undefined : textOf(entered, 'passphrase')
    const key = keyOf(textOf(entered, 'privateKey'), 'privateKey', passphrase)
    if (!certificate.checkPrivateKey(key)) {
      throw fail('FIELD_INVALID', { field: 'privateKey', expected: 'the key of the certificate' })
    }
    if (!isIssued(certificate, intermediate)) {
      const expected = 'the certificate that has signed the other one'
      throw fail('FIELD_INVALID', { field: 'intermediate', expected })
    }
    if (now >= new Date(certificate.validTo) || now < new Date(certificate.validFrom)) {
      throw fail('FIELD_INVALID', { field: 'certificate', expected: 'one that is valid today' })
    }
    return {
      told: { ...namesOf(certificate), validUntil: new Date(certificate.validTo).toISOString() },
      secrets: {
        certificate: certificate.toString(),
        intermediate: intermediate.toString(),
        privateKey: String(key.export({ type: 'pkcs1', format: 'pem' })),
      },
    }
  },
  issue: async (pass, issuer) => ({ mediaType: MEDIA_TYPE, file: await packed(pass, issuer) }),
}

function isIssued(certificate: X509Certificate, by: X509Certificate): boolean {
  return certificate.checkIssued(by) && certificate.verify(by.publicKey)
}

/** The certificate says for which passes it is good, and of which team. */
function namesOf({ subject }: X509Certificate): Record<string, string> {
  const parts = new Map(
    subject.split('\n').map((line) => {
      const [name = '', ...rest] = line.split('=')
      return [name, rest.join('=')] as const
    }),
  )
  const [passTypeIdentifier = '', teamIdentifier = ''] = [parts.get('UID'), parts.get('OU')]
  if (passTypeIdentifier.startsWith('pass.') && teamIdentifier !== '') {
    return { passTypeIdentifier, teamIdentifier }
  }
  const expected = 'that of a pass type: UID=pass.…, OU=team'
  throw fail('FIELD_INVALID', { field: 'certificate', expected })
}

async function packed(pass: WalletPass, { told, secrets }: WalletIssuer): Promise<Uint8Array> {
  // half a hundred milliseconds to load: only who makes passes needs it
  const { PKPass } = await import('passkit-generator')
  const file = new PKPass(
    { 'pass.json': Buffer.from(JSON.stringify(documentOf(pass, told))), ...pictures(pass) },
    {
      wwdr: secrets.intermediate ?? '',
      signerCert: secrets.certificate ?? '',
      signerKey: secrets.privateKey ?? '',
    },
  )
  return file.getAsBuffer()
}

function documentOf(pass: WalletPass, told: WalletIssuer['told']): object {
  const { sum, under, details, colours, code } = pass
  return {
    formatVersion: 1,
    ...{ passTypeIdentifier: told.passTypeIdentifier, teamIdentifier: told.teamIdentifier },
    ...{ serialNumber: pass.serial, organizationName: pass.shop, description: pass.title },
    logoText: pass.shop,
    foregroundColor: rgb(colours.primary),
    labelColor: rgb(colours.primary),
    backgroundColor: rgb(colours.background),
    generic: {
      primaryFields: sum.value === '' ? [] : fields('sum', [sum]),
      secondaryFields: fields('under', under),
      backFields: fields('detail', details),
    },
    barcodes: [{ format: 'PKBarcodeFormatQR', message: code, messageEncoding: encodingOf(code) }],
  }
}

/** Codes of devices are ASCII; scanners take everything else for UTF-8. */
function encodingOf(code: string): string {
  return Buffer.byteLength(code) === code.length ? 'iso-8859-1' : 'utf-8'
}

function fields(name: string, lines: readonly PassLine[]): object[] {
  return lines.map(({ label, value }, at) => ({ key: `${name}${at}`, label, value }))
}

function rgb(colour: string): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  return `rgb(${parts.join(', ')})`
}

function pictures({ icons, logos }: WalletPass): Record<string, Buffer> {
  const named = (name: string, all: readonly Uint8Array[]) =>
    all.map((bytes, at) => [`${name}${at === 0 ? '' : `@${at + 1}x`}.png`, Buffer.from(bytes)])
  return Object.fromEntries([...named('icon', icons), ...named('logo', logos)])
}
