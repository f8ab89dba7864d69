// Makes DEP7 files for tests of the verifier, right and wrong ones, with nothing of src/.
import 'reflect-metadata'
import {
  createCipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  randomBytes,
  sign,
  webcrypto,
} from 'node:crypto'
import { readFileSync } from 'node:fs'
import { X509CertificateGenerator } from '@peculiar/x509'

export const HEADER = 'eyJhbGciOiJFUzI1NiJ9'
export const FAILED = Buffer.from('Sicherheitseinrichtung ausgefallen').toString('base64url')

export interface Signer {
  zda: string
  serial: string
  /** base64 DER, as the file carries it. */
  certificate: string
  /** base64 SubjectPublicKeyInfo. */
  publicKey: string
  privateKey: KeyObject
}

interface WorkedExamples {
  cashBox: string
  key: string
  serial: string
  privateKey: JsonWebKey
  certificate: string
  nextChain: string
  lastCounter: string
  receipts: string[]
}

const examplesFile = new URL('../verify/at/vectors/worked-examples.json', import.meta.url)

/**
 * A start receipt, sale, void, training, sale, failed one, collective receipt and refund, all
 * published.
 */
export const examples = JSON.parse(readFileSync(examplesFile, 'utf8')) as WorkedExamples

const examplePrivateKey = createPrivateKey({ key: examples.privateKey, format: 'jwk' })

/** The published test key. */
export const exampleSigner: Signer = {
  zda: 'AT100',
  serial: examples.serial,
  certificate: examples.certificate,
  publicKey: publicKeyText(examplePrivateKey),
  privateKey: examplePrivateKey,
}

function publicKeyText(key: KeyObject): string {
  return createPublicKey(key.export({ type: 'pkcs8', format: 'pem' }))
    .export({ type: 'spki', format: 'der' })
    .toString('base64')
}

export interface SignerOptions {
  serial?: string
  notBefore?: Date
  curve?: 'P-256' | 'P-384'
  /** Who signs the certificate; the signer's own key unless given. */
  issuer?: Authority
}

export interface Authority {
  name: string
  certificate: string
  privateKey: KeyObject
}

/** A signer with a new key and certificate. */
export async function newSigner(options: SignerOptions = {}): Promise<Signer> {
  const serial = options.serial ?? `7${randomBytes(8).toString('hex').slice(1)}`
  const subject = `CN=VERIFIER TEST ${serial}`
  const { certificate, privateKey } = await certified(subject, { ...options, serial })
  return { zda: 'AT100', serial, certificate, privateKey, publicKey: publicKeyText(privateKey) }
}

/** An issuer of certificates. */
export async function newAuthority(name: string): Promise<Authority> {
  return { name, ...(await certified(name, { serial: randomBytes(8).toString('hex') })) }
}

async function certified(subject: string, options: SignerOptions & { serial: string }) {
  const { notBefore = new Date('2024-01-01T00:00:00Z'), curve = 'P-256', serial, issuer } = options
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: curve })
  const algorithm = { name: 'ECDSA', namedCurve: curve, hash: 'SHA-256' }
  const certificate = await X509CertificateGenerator.create(
    {
      serialNumber: serial.length % 2 === 0 ? serial : `0${serial}`,
      subject,
      issuer: issuer?.name ?? subject,
      notBefore,
      notAfter: new Date('2044-01-01T00:00:00Z'),
      signingAlgorithm: algorithm,
      publicKey: await toWebCrypto(publicKey, algorithm, 'verify'),
      signingKey: await toWebCrypto(issuer?.privateKey ?? privateKey, algorithm, 'sign'),
    },
    webcrypto as never,
  )
  return { certificate: Buffer.from(certificate.rawData).toString('base64'), privateKey }
}

async function toWebCrypto(key: KeyObject, algorithm: object, usage: 'sign' | 'verify') {
  const jwk = key.export({ format: 'jwk' })
  return webcrypto.subtle.importKey('jwk', jwk, algorithm as never, true, [usage])
}

export type Amounts = [number, number, number, number, number]

/** What one receipt is to be; everything that is not given is made as the law wants it. */
export interface Plan {
  /** Cents: Normal, Ermaessigt-1, Ermaessigt-2, Null, Besonders. */
  amounts?: Amounts
  kind?: 'normal' | 'training' | 'void'
  failed?: boolean
  signer?: Signer
  number?: string
  time?: string
  counterBytes?: number
  /** Replaces fields of the payload after everything is computed, before it is signed. */
  fields?: Record<number, string>
  /** What the register adds to its counter, when that is not the sum of the amounts. */
  counted?: number
}

export class Register {
  readonly cashBox: string
  readonly key: Buffer
  signer: Signer
  counter = 0
  chain: string
  made = 0
  clock = Date.UTC(2025, 0, 5, 8, 0, 0)

  constructor(options: { cashBox?: string; key?: Buffer; signer?: Signer } = {}) {
    this.cashBox = options.cashBox ?? 'TEST-KASSE-1'
    this.key = options.key ?? randomBytes(32)
    this.signer = options.signer ?? exampleSigner
    this.chain = chainOver(this.cashBox)
  }

  get keyText(): string {
    return this.key.toString('base64')
  }

  /** The next receipt as compact JWS; counter, clock and chain go on. */
  next(plan: Plan = {}): string {
    const { amounts = [0, 0, 0, 0, 0], kind = 'normal' } = plan
    this.made += 1
    const sum = amounts.reduce((total, cents) => total + cents, 0)
    if (kind !== 'training') this.counter += plan.counted ?? sum
    const number = plan.number ?? `${this.made}`
    const signer = plan.signer ?? this.signer
    const fields = [
      `R1-${signer.zda}`,
      this.cashBox,
      number,
      plan.time ?? this.tick(),
      ...amounts.map(euro),
      this.turnover(kind, number, plan.counterBytes ?? 5),
      signer.serial,
      this.chain,
    ]
    for (const [at, text] of Object.entries(plan.fields ?? {})) fields[Number(at) - 1] = text
    const jws = compact(
      `_${fields.join('_')}`,
      plan.failed === true ? undefined : signer.privateKey,
    )
    this.chain = chainOver(jws)
    return jws
  }

  private tick(): string {
    this.clock += 1000 * (1 + (this.made % 50))
    return new Date(this.clock).toISOString().slice(0, 19)
  }

  private turnover(kind: Plan['kind'], number: string, bytes: number): string {
    if (kind === 'training') return Buffer.from('TRA').toString('base64')
    if (kind === 'void') return Buffer.from('STO').toString('base64')
    const iv = sha256(this.cashBox + number).subarray(0, 16)
    const plain = Buffer.alloc(16)
    plain.writeBigInt64BE(BigInt(this.counter), 8)
    if (this.counter < 0) plain.fill(0xff, 0, 8)
    const cipher = createCipheriv('aes-256-ctr', this.key, iv)
    return cipher.update(plain.subarray(16 - bytes)).toString('base64')
  }
}

/** Signs a payload; without a key the signing device has failed. */
export function compact(payload: string, key: KeyObject | undefined): string {
  const input = `${HEADER}.${Buffer.from(payload).toString('base64url')}`
  if (key === undefined) return `${input}.${FAILED}`
  const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
  return `${input}.${signature.toString('base64url')}`
}

/**
 * The same receipt with another payload and the old signature: what somebody does who has no key.
 */
export function repaint(jws: string, change: (fields: string[]) => void): string {
  const [header, payload, signature] = jws.split('.')
  const fields = Buffer.from(payload ?? '', 'base64url')
    .toString()
    .split('_')
  change(fields)
  return `${header}.${Buffer.from(fields.join('_')).toString('base64url')}.${signature}`
}

export function chainOver(text: string): string {
  return sha256(text).toString('base64', 0, 8)
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function euro(cents: number): string {
  return `${cents < 0 ? '-' : ''}${(Math.abs(cents) / 100).toFixed(2).replace('.', ',')}`
}

export interface Group {
  certificate?: unknown
  authorities?: unknown
  receipts: unknown[]
}

/** The file's text; a group without certificate takes the published one. */
export function depOf(...groups: Group[]): string {
  return JSON.stringify({ 'Belege-Gruppe': groups.map(groupOf) })
}

export function groupOf(group: Group): Record<string, unknown> {
  return {
    Signaturzertifikat: group.certificate ?? exampleSigner.certificate,
    Zertifizierungsstellen: group.authorities ?? [],
    'Belege-kompakt': group.receipts,
  }
}

/** The file in pieces of any size, as a disk or a socket would give it. */
export async function* pieces(text: string | Uint8Array, size = 8192): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** The "cryptographic material container" that the ministry's and other verifiers read. */
export function containerOf(register: Register, signers: Signer[]): string {
  const entries = signers.map((signer) => [
    signer.serial,
    {
      id: signer.serial,
      signatureDeviceType: 'CERTIFICATE',
      signatureCertificateOrPublicKey: signer.certificate,
    },
  ])
  const map = Object.fromEntries(entries)
  return JSON.stringify({ base64AESKey: register.keyText, certificateOrPublicKeyMap: map })
}
