// The independent verifier of DEP7 exports (RKSV § 7, Annex), written from the law: it shares no
// code with the signing side, only its own folder and node:crypto.
import { fail } from '../../errors.js'
import type { ByteRange, FileVerifier, Finding } from '../contract.js'
import { viennaTime } from './calendar.js'
import type { GivenKeys } from './certificates.js'
import { DepReader, type DepSink } from './dep-reader.js'
import { german } from './german.js'
import { JsonFault } from './json-events.js'
import { Keyring, type UsedCertificate } from './keyring.js'
import { type Reading, readReceipt } from './reading.js'
import { Reporter } from './reporter.js'
import { contentCodes } from './rules.js'
import { Sequence } from './sequence.js'
import { TurnoverCheck } from './turnover.js'

export type { ContainerEntry, GivenKeys } from './certificates.js'
export { type RuleCode, rules } from './rules.js'

type Input = AsyncIterable<Uint8Array>

export interface Dep7Options {
  /** AES key of the cash register, base64 of 32 bytes; without it counters are not checked. */
  key?: string
  /** Certificates or public keys that are trusted: with any of them, no other one counts. */
  certificates?: GivenKeys
  /** Certificates that an earlier reading found behind their receipts, base64. */
  found?: readonly string[]
  /** What stands before a slice: its chaining value (base64 of 8 bytes), or the export itself. */
  after?: string | (() => Input)
  /** Receipts that are dated later are told. */
  now?: Date
}

export interface Dep7Summary {
  groups: number
  receipts: number
  /** Receipts with a signature that holds. */
  signed: number
  /** Receipts of a failed signing device. */
  failed: number
  /** Turnover counter after the last receipt in euro, `43,54`; null without key or when unknown. */
  lastCounter: string | null
  certificates: UsedCertificate[]
  /** Certificates behind their receipts, base64: give them as `certificates` and verify again. */
  lateCertificates: string[]
}

/**
 * Reads a DEP7 once, in constant memory, and reports every breach of the rules in rules.ts. Throws
 * FiscalError FIELD_INVALID for a wrong key or certificate in the options; whatever is in the file
 * is a finding, never an error.
 */
export async function verifyDep7(
  input: AsyncIterable<Uint8Array>,
  options: Dep7Options,
  report: (finding: Finding) => void,
): Promise<Dep7Summary> {
  const verifier = new Dep7Verifier(options, report)
  const { after } = options
  if (typeof after === 'string') verifier.startAfter(after)
  else if (after !== undefined) await verifier.goThrough(after())
  await verifier.judge(input)
  return verifier.summary()
}

/**
 * A DEP7 as a file. A certificate may stand behind its receipts, which is legal JSON although no
 * writer does it; such a file is read again with the certificates that were found.
 */
export const dep7File: FileVerifier = {
  name: 'DEP7',
  recognises: async ({ head, read }) =>
    /^(?:\ufeff)?\s*\{/.test(head.toString('utf8')) && (await namesMember(read)),
  contentCodes,
  takes: new Set(['after']),
  wording: { de: german },
  verify: async (read, options, sink) => {
    const report = (finding: Finding) => sink.add(finding)
    let summary = await verifyDep7(read(), options, report)
    if (summary.lateCertificates.length > 0) {
      sink.clear()
      summary = await verifyDep7(read(), { ...options, found: summary.lateCertificates }, report)
    }
    if (options.certificates === undefined && summary.signed > 0) {
      const text = 'expected certificates given beside the file, found none: none is trusted'
      report({ code: 'CERTIFICATE_UNTRUSTED', receipt: '', text, notice: true })
    }
    return summary
  },
}

/** A collection protocol names one of its members near its beginning, whatever is wrong with it. */
async function namesMember(read: (range: ByteRange) => Input): Promise<boolean> {
  let text = ''
  for await (const piece of read({ start: 0, end: NAMED_WITHIN })) {
    text += Buffer.from(piece).toString('latin1')
  }
  return MEMBERS.some((name) => text.includes(`"${name}"`))
}

const NAMED_WITHIN = 1 << 16
const MEMBERS = ['Belege-Gruppe', 'Signaturzertifikat', 'Zertifizierungsstellen', 'Belege-kompakt']

class Dep7Verifier implements DepSink {
  private readonly reporter: Reporter
  private keyring: Keyring
  private readonly turnover: TurnoverCheck | undefined
  private readonly sequence: Sequence
  private reader: DepReader
  private batch: Reading[] = []
  private position = 0
  private firstOfGroup = true
  private signed = 0
  private failed = 0
  private readonly options: Dep7Options
  /** Receipts of the export that this one follows. */
  private before = 0
  /** While that one is gone through: its faults are counted and not told. */
  private isBefore = false
  private faultsBefore = 0

  constructor(options: Dep7Options, report: (finding: Finding) => void) {
    this.options = options
    this.reporter = new Reporter((finding) => {
      if (!this.isBefore) report(finding)
      else if (finding.notice !== true && finding.code !== 'START_MISSING') this.faultsBefore += 1
    })
    this.turnover = options.key === undefined ? undefined : new TurnoverCheck(options.key)
    const now = options.now === undefined ? '' : viennaTime(options.now)
    this.sequence = new Sequence(this.reporter, { turnover: this.turnover, now })
    this.keyring = this.newKeyring()
    this.reader = new DepReader(this, this.reporter)
  }

  /** Only what follows the receipt with this chaining value is in the file. */
  startAfter(chain: string): void {
    if (!CHAIN.test(chain)) {
      const expected = 'a DEP7, or a chaining value: base64 of 8 bytes'
      throw fail('FIELD_INVALID', { field: 'after', expected })
    }
    this.sequence.startAfter(chain)
  }

  /** The export that stands before this one: chain, counter and numbers go on behind it. */
  async goThrough(input: Input): Promise<void> {
    this.isBefore = true
    await this.judge(input)
    this.isBefore = false
    if (this.position === 0) {
      throw fail('FIELD_INVALID', { field: 'after', expected: 'a DEP7 with receipts' })
    }
    if (this.faultsBefore > 0) {
      const found = `found ${this.faultsBefore} faults in it`
      this.reporter.file('AFTER_REFUSED', `expected a right export before this one, ${found}`)
    }
    this.before = this.position
    this.signed = 0
    this.failed = 0
    this.reporter.countFrom(this.before)
    this.keyring = this.newKeyring()
    this.reader = new DepReader(this, this.reporter)
  }

  async judge(input: Input): Promise<void> {
    try {
      for await (const chunk of input) this.reader.write(chunk)
      this.end()
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error
      this.stop(error)
    }
  }

  private newKeyring(): Keyring {
    const { certificates: given = [], found = [] } = this.options
    return new Keyring({ given, found: this.isBefore ? [] : found }, this.reporter)
  }

  private get receipts(): number {
    return this.position - this.before
  }

  private end(): void {
    this.reader.end()
    this.finish()
    if (this.receipts === 0) this.reporter.file('NO_RECEIPTS', 'expected receipts, found none')
    this.reporter.flush()
  }

  /** The text stops being JSON: what was read is judged, what follows is not known. */
  private stop(fault: JsonFault): void {
    this.finish()
    this.reporter.flush()
    const read = `${this.receipts} receipts were read before`
    this.reporter.file('JSON_BROKEN', `expected JSON in UTF-8: ${fault.message}; ${read}`)
  }

  summary(): Dep7Summary {
    return {
      groups: this.reader.groups,
      receipts: this.receipts,
      signed: this.signed,
      failed: this.failed,
      lastCounter: this.turnover?.last ?? null,
      certificates: [...this.keyring.used.values()],
      lateCertificates: this.keyring.late,
    }
  }

  groupOpens(): void {
    this.keyring.openGroup()
    this.firstOfGroup = true
  }

  certificate(text: string): void {
    this.drain()
    this.keyring.setCertificate(text)
  }

  authority(text: string): void {
    this.keyring.addAuthority(text)
  }

  groupCloses(): void {
    this.drain()
    this.keyring.closeGroup()
  }

  receipt(text: string): void {
    this.position += 1
    const place = {
      position: this.position,
      group: this.reader.groups,
      firstOfGroup: this.firstOfGroup,
    }
    this.firstOfGroup = false
    this.batch.push(readReceipt(text, place))
    if (this.batch.length === BATCH) this.drain()
  }

  private drain(): void {
    const { batch } = this
    this.batch = []
    for (const reading of batch) this.keyring.prove(reading)
    for (const reading of batch) {
      if (reading.proof === 'valid') this.signed += 1
      if (reading.proof === 'failed') this.failed += 1
      this.sequence.push(reading)
    }
  }

  private finish(): void {
    this.drain()
    this.sequence.finish()
  }
}

/** Signatures are checked in a row of so many: 5 % faster than one by one between other work. */
const BATCH = 256
const CHAIN = /^[A-Za-z0-9+/]{10}[AEIMQUYcgkosw048]=$/
