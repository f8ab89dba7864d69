// Documents as compact JWS, ES256: what one says, and whether it was signed with a certificate that
// counts.
import { verify, type X509Certificate } from 'node:crypto'
import { fail } from '../errors.js'
import type { VerifyOptions } from './contract.js'
import { sha256 } from './digest.js'
import { certificateOf, derOf, givenTexts } from './given.js'
import type { Report } from './reporter.js'
import { quote } from './text.js'

/** Members of a flat JSON object; numbers exactly as they are written. */
export type Payload = ReadonlyMap<string, string>

export interface Jws {
  payload: Payload
  /** `header.payload` */
  signed: string
  signature: Buffer
  /** SHA-256 of what was signed, Base64: by it the next document is chained to this one. */
  hash: string
}

/** `{"alg":"ES256","typ":"JWT"}` */
const HEADER = 'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9'

/** The second part. */
export const payloadText = (jws: string): string =>
  Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()

/** Undefined: it has another form, another algorithm, or a payload that is not flat. */
export function readJws(jws: string): Jws | undefined {
  const [header, body, signature = '', ...more] = jws.split('.')
  const payload = readPayload(payloadText(jws))
  const isJws = header === HEADER && more.length === 0 && /^[\w.-]+$/.test(jws)
  if (!isJws || signature === '' || payload === undefined) return undefined
  const signed = `${header}.${body}`
  const hash = sha256(signed, 'base64')
  return { payload, signed, signature: Buffer.from(signature, 'base64url'), hash }
}

const MEMBER = /"([a-z0-9-]+)":(?:("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?))(,|\}$)/y

/** Undefined: it is anything else, or has a member twice. */
export function readPayload(text: string): Payload | undefined {
  const payload = new Map<string, string>()
  if (!text.startsWith('{')) return undefined
  MEMBER.lastIndex = 1
  for (;;) {
    const found = MEMBER.exec(text)
    if (found === null) return undefined
    const [, name = '', quoted, number = '', end] = found
    if (payload.has(name)) return undefined
    payload.set(name, quoted === undefined ? number : textOf(quoted))
    if (end !== ',') return payload
  }
}

function textOf(quoted: string): string {
  try {
    return JSON.parse(quoted) as string
  } catch {
    return quoted // an escape that JSON does not know: compared as it stands
  }
}

// ----------------------------------------------------------------------------------- certificates

export type CertificateCode =
  | 'CERTIFICATE_FORM'
  | 'CERTIFICATE_MISSING'
  | 'CERTIFICATE_PERIOD'
  | 'CERTIFICATE_UNTRUSTED'
  | 'CERTIFICATE_DISTRUSTED'
  | 'SIGNATURE_INVALID'

interface Claim {
  /** Serial number, hexadecimal. */
  serial: string
  /** When it says that it was signed, ISO. */
  moment: string
  place: string
}

/** The certificate of a unit that is made in another zone. */
const DAY_MS = 24 * 60 * 60 * 1000
const RAW_BYTES = 64

/** Those of a file by their serial numbers. */
export class Certificates {
  private readonly report: Report<CertificateCode>
  private readonly known = new Map<bigint, X509Certificate>()

  /**
   * `given`: beside a file that has none itself. Throws FiscalError FIELD_INVALID for what is no
   * certificate.
   */
  constructor(report: Report<CertificateCode>, given?: VerifyOptions['certificates']) {
    this.report = report
    const certificates = givenTexts(given).map(givenCertificate)
    for (const one of certificates) this.known.set(serialOf(one.serialNumber), one)
  }

  /** One that lies in the file under its serial number. */
  add(der: Buffer, name: string): void {
    const found = certificateOf(der)
    const isRight =
      found?.publicKey.asymmetricKeyDetails?.namedCurve === 'prime256v1' &&
      serialOf(found.serialNumber) === serialOf(name)
    if (found !== undefined && isRight) this.known.set(serialOf(name), found)
    else this.report('CERTIFICATE_FORM', '', `expected a certificate named ${quote(name)}`)
  }

  /**
   * What lies in the file must be among those that are given beside it. Throws FiscalError
   * FIELD_INVALID for what is no certificate.
   */
  trust(given: VerifyOptions['certificates']): void {
    const prints = new Set(givenTexts(given).map((one) => givenCertificate(one).fingerprint256))
    if (given === undefined) {
      const text = 'expected certificates given beside the file, found none: none is trusted'
      this.report('CERTIFICATE_UNTRUSTED', '', text)
      return
    }
    for (const { fingerprint256, serialNumber } of this.known.values()) {
      if (prints.has(fingerprint256)) continue
      this.report('CERTIFICATE_DISTRUSTED', '', `${quote(serialNumber)} was not given`)
    }
  }

  /** Judges signature and time; returns the certificate by which it is proven. */
  prove(
    { signed, signature }: Jws,
    { serial, moment, place }: Claim,
    once: Report<'CERTIFICATE_MISSING' | 'CERTIFICATE_PERIOD'>,
  ): X509Certificate | undefined {
    const found = this.known.get(serialOf(serial))
    if (found === undefined) {
      once('CERTIFICATE_MISSING', place, `there is no certificate ${quote(serial)}`)
      return undefined
    }
    const at = Date.parse(moment)
    const isValid = at >= Date.parse(found.validFrom) - DAY_MS && at <= Date.parse(found.validTo)
    if (!isValid) once('CERTIFICATE_PERIOD', place, `signed at ${moment}`)
    if (!isSigned(Buffer.from(signed), signature, found)) {
      this.report('SIGNATURE_INVALID', place, 'the signature does not belong to the document')
    }
    return found
  }
}

/** R and S, or the ASN.1 form of older programs. */
function isSigned(data: Buffer, signature: Buffer, { publicKey: key }: X509Certificate): boolean {
  const dsaEncoding = signature.length === RAW_BYTES ? 'ieee-p1363' : 'der'
  try {
    return verify('sha256', data, { key, dsaEncoding }, signature)
  } catch {
    return false
  }
}

const serialOf = (hex: string): bigint => (/^[0-9a-f]+$/i.test(hex) ? BigInt(`0x${hex}`) : -1n)

function givenCertificate(text: string): X509Certificate {
  const found = certificateOf(derOf(text))
  if (found !== undefined) return found
  throw fail('FIELD_INVALID', { field: 'certificates', expected: 'X.509, base64 or PEM' })
}
