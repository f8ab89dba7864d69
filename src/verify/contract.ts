// What a verifier of exported files is given and what it says.
import type { Finding } from '../model/verdict.js'

export type { Finding }

/** What is given beside a file to verify; a verifier takes what its kind of file needs. */
export interface VerifyOptions {
  /** Key of the file's secrets (Austria: the AES key of the turnover counter, base64). */
  key?: string
  /** Certificates in base64 or PEM, or maps of them as crypto containers have. */
  certificates?: readonly (string | Readonly<Record<string, CertificateOrKey>>)[]
  /** What stands before a slice of a chain: its last chaining value, or the export before it. */
  after?: string | (() => AsyncIterable<Uint8Array>)
  /** The file is a part by intention: what is missing around it is told as a notice. */
  partial?: boolean
  /** The log of the device, to be compared with a file that repeats what the device signed. */
  tar?: ReadPart
  /** What is dated later is told. */
  now?: Date
}

/** The file from its start, or a part of it, as often as it is asked for. */
export type ReadPart = (range?: ByteRange) => AsyncIterable<Uint8Array>

export interface CertificateOrKey {
  id: string
  signatureDeviceType: 'CERTIFICATE' | 'PUBLIC_KEY'
  signatureCertificateOrPublicKey: string
}

/** A part of a file in bytes; `end` is exclusive. */
export interface ByteRange {
  start: number
  end: number
}

/** A file before anybody knows what it is. */
export interface UnknownFile {
  /** The first bytes. */
  head: Buffer
  read: ReadPart
  /** Left out: it is neither a ZIP nor a TAR. */
  archive?: Archive
}

/** An archive as far as it can be read. */
export interface Archive {
  format: 'ZIP' | 'TAR'
  /** Members in their order, the first thousand. */
  names: readonly string[]
  /** There may be more members than could be read. */
  isBroken: boolean
}

/** Languages beside English that a verifier may tell its findings in. */
export type OtherLanguage = 'de' | 'fr'
export type Wording = Readonly<Partial<Record<OtherLanguage, (text: string) => string | undefined>>>

/** The independent check of one kind of exported file. */
export interface FileVerifier {
  name: string
  /** By content: what the file begins with, or the members of the archive that it is. */
  recognises(file: UnknownFile): boolean | Promise<boolean>
  /** Findings of these codes: the content is irregular; of all others: a log is broken. */
  contentCodes: ReadonlySet<string>
  /** Options that mean something for this kind, beside key and certificates. */
  takes: ReadonlySet<'after' | 'partial' | 'tar'>
  /** The text of a finding in other languages; undefined: it stays English. */
  wording?: Wording
  /**
   * read: the file from its start, or a part of it, as often as it is asked for. Returns what was
   * counted; every fault is reported. Throws FiscalError FIELD_INVALID for wrong options.
   */
  verify(read: ReadPart, options: VerifyOptions, sink: FindingSink): Promise<object>
}

export interface FindingSink {
  add(finding: Finding): void
  /** Forgets what was added: the file is read again. */
  clear(): void
}
