// Documents one by one in the order in which they were signed: form, signature, chain, numbers,
// totals.
import { createHash, type KeyObject, verify, type X509Certificate } from 'node:crypto'
import { fail } from '../../errors.js'
import type { VerifyOptions } from '../contract.js'
import { certificateOf, derOf, givenTexts } from '../given.js'
import { quote } from '../text.js'
import { blockOf, type Payload, payloadText, readPayload, sumOf } from './payload.js'
import type { Report } from './rules.js'
import { Totals } from './totals.js'
import { type ReceiptWord, readWord } from './word.js'

/** By receipt case of version 0, from 00 to 16; `-`: it is not signed. */
const LETTERS = 'TTPIGGGGB-PPP-BGGGLL-AC'

export interface Given {
  letter: string
  number: string
  jws: string
}

export interface Document {
  rid: string
  payload: Payload
  word: ReceiptWord
}

export class Chains {
  /** Documents of all chains so far. */
  count = 0
  private readonly report: Report
  private readonly certificates = new Map<string, X509Certificate>()
  private readonly last = new Map<string, { number: number; hash: string }>()
  private begins: boolean | undefined
  private totals: Totals | undefined
  private queue = ''
  private moment = ''
  /** What was told of certificates once. */
  private readonly told = new Set<string>()

  /** `isBeginning` undefined: the first document tells whether one stands before it. */
  constructor(report: Report, isBeginning?: boolean) {
    this.report = report
    this.begins = isBeginning
  }

  addCertificate(der: Buffer, name: string): void {
    const certificate = certificateOf(der)
    const isRight =
      certificate?.publicKey.asymmetricKeyDetails?.namedCurve === 'prime256v1' &&
      sameSerial(certificate.serialNumber, name)
    if (certificate !== undefined && isRight) this.certificates.set(name, certificate)
    else this.report('CERTIFICATE_FORM', '', `expected a certificate named ${quote(name)}`)
  }

  /** Throws FiscalError FIELD_INVALID for what is no certificate. */
  trust(given: VerifyOptions['certificates'], isInFile: boolean): void {
    const certificates = givenTexts(given).map(givenCertificate)
    if (!isInFile) for (const one of certificates) this.certificates.set(one.serialNumber, one)
    else if (given === undefined) {
      const text = 'expected certificates given beside the file, found none: none is trusted'
      this.report('CERTIFICATE_UNTRUSTED', '', text)
    } else {
      for (const [name, own] of this.certificates) {
        const isKnown = certificates.some(
          ({ fingerprint256 }) => fingerprint256 === own.fingerprint256,
        )
        if (!isKnown) this.report('CERTIFICATE_DISTRUSTED', '', `${quote(name)} was not given`)
      }
    }
  }

  /** Undefined: it cannot be read. */
  document({ letter, number, jws }: Given): Document | undefined {
    const parts = jws.split('.')
    const [header = '', body = '', signature = ''] = parts
    const payload = readPayload(payloadText(jws))
    const isJws = parts.length === 3 && parts.every((part) => /^[\w-]+$/.test(part))
    const place = `${letter}${number}`
    if (!isJws || header !== HEADER || payload === undefined) {
      this.report('JWS_FORM', place, 'expected a compact JWS with a flat payload')
      return undefined
    }
    const read = documentOf(payload)
    this.count += 1
    this.begins ??= /#[GX]1$/.test(read.rid)
    this.totals ??= new Totals(this.report, this.begins)
    this.prove(read, { data: Buffer.from(`${header}.${body}`), signature })
    this.chain(read, { letter, number, jws: `${header}.${body}` })
    this.judge(read, letter)
    return read
  }

  private prove({ rid, payload }: Document, { data, signature }: Signed): void {
    const csn = payload.texts.get('csn') ?? ''
    const certificate =
      this.certificates.get(csn) ??
      [...this.certificates.values()].find((one) => sameSerial(one.serialNumber, csn))
    if (certificate === undefined) {
      this.once('CERTIFICATE_MISSING', rid, `there is no certificate ${quote(csn)}`)
      return
    }
    const siret = payload.texts.get('siret') ?? ''
    if (!certificate.subject.split('\n').includes(`CN=${siret}`)) {
      this.once('CERTIFICATE_SIRET', rid, `expected CN ${quote(siret)}`)
    }
    const moment = Date.parse(payload.texts.get('dt') ?? '')
    const isValid =
      moment >= Date.parse(certificate.validFrom) - DAY_MS &&
      moment <= Date.parse(certificate.validTo)
    if (!isValid) this.once('CERTIFICATE_PERIOD', rid, `signed at ${payload.texts.get('dt')}`)
    if (!verifies(data, Buffer.from(signature, 'base64url'), certificate.publicKey)) {
      this.report('SIGNATURE_INVALID', rid, 'the signature does not belong to the document')
    }
  }

  private chain({ rid, payload }: Document, { letter, number, jws }: Given): void {
    const before = this.last.get(letter)
    const own = Number(/^ft[0-9A-F]+#([A-Z])(\d+)$/.exec(rid)?.[2] ?? Number.NaN)
    const hash = payload.texts.get('hash') ?? ''
    const isNext = before === undefined ? !this.begins || own === 1 : own === before.number + 1
    if (!isNext || String(own) !== number || !rid.includes(`#${letter}`)) {
      const expected = before === undefined ? 1 : before.number + 1
      this.report('NUMBER_GAP', rid, `expected ${letter}${expected}, found ${letter}${number}`)
    } else if (before === undefined ? (own === 1) !== (hash === '') : hash !== before.hash) {
      this.report('CHAIN_BROKEN', rid, 'the member hash is not that of the document before')
    }
    this.last.set(letter, { number: own, hash: sha256(jws, 'base64') })
  }

  private judge({ rid, payload, word }: Document, letter: string): void {
    const expected = word.isTraining ? 'X' : (LETTERS[word.code] ?? 'a known case')
    if (letter !== expected) this.report('LETTER_WRONG', rid, `expected ${expected}`)
    const { texts } = payload
    const [queue = '', moment = ''] = [texts.get('qid'), texts.get('dt')]
    if (this.queue !== '' && queue !== this.queue) this.report('QUEUE_CHANGED', rid, quote(queue))
    this.queue = queue
    if (Date.parse(moment) < Date.parse(this.moment)) {
      this.report('TIME_DECREASES', rid, `${moment} follows ${this.moment}`)
    }
    this.moment = moment
    const block = blockOf(payload, '')
    if (block !== undefined && sumOf(block) !== (block.get('total') ?? sumOf(block))) {
      this.report('SUM_WRONG', rid, 'the total is not the sum of the rates')
    }
    if (letter === 'T' || letter === 'I') this.totals?.sold(block)
    if (letter === 'G' || letter === 'A') this.totals?.closed(payload, { rid, code: word.code })
  }

  private once(...[code, rid, text]: Parameters<Report>): void {
    const key = `${code} ${text.replace(/\d{4}-.*/, '')}`
    if (this.told.has(key)) return
    this.told.add(key)
    this.report(code, rid, text)
  }
}

interface Signed {
  data: Buffer
  signature: string
}

/** `{"alg":"ES256","typ":"JWT"}` */
const HEADER = 'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9'
/** The certificate of a unit that is made in another zone. */
const DAY_MS = 24 * 60 * 60 * 1000
const RAW_BYTES = 64

export function sha256(data: string | Buffer, form: 'base64' | 'base64url'): string {
  return createHash('sha256').update(data).digest(form)
}

/** R and S, or the ASN.1 form of older programs. */
function verifies(data: Buffer, signature: Buffer, key: KeyObject): boolean {
  const dsaEncoding = signature.length === RAW_BYTES ? 'ieee-p1363' : 'der'
  try {
    return verify('sha256', data, { key, dsaEncoding }, signature)
  } catch {
    return false
  }
}

function documentOf(payload: Payload): Document {
  const word = readWord(payload.numbers.get('rc') ?? '0')
  return { rid: payload.texts.get('rid') ?? '', payload, word }
}

const sameSerial = (one: string, other: string): boolean =>
  BigInt(`0x${one}`) === BigInt(/^[0-9a-f]+$/i.test(other) ? `0x${other}` : '-1')

function givenCertificate(text: string): X509Certificate {
  const found = certificateOf(derOf(text))
  if (found !== undefined) return found
  throw fail('FIELD_INVALID', { field: 'certificates', expected: 'X.509, base64 or PEM' })
}
