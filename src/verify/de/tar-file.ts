// The independent verifier of TSE exports (TR-03151, TR-03153): reads the file twice, first for the
// certificates, which stand behind the messages.
import { isUtf8 } from 'node:buffer'
import type { Finding, VerifyOptions } from '../contract.js'
import { DerFault } from '../der.js'
import { Reporter } from '../reporter.js'
import { type Member, membersOf, TarFault } from '../tar-reader.js'
import { quote, short } from '../text.js'
import { ArchiveLog } from './archive-log.js'
import { signatureHolds } from './keys.js'
import { type LogMessage, readLogMessage } from './log-message.js'
import { iso } from './log-time.js'
import { type MemberKind, memberKind, nameFault } from './member-name.js'
import { ArchiveCertificates } from './tar-certificates.js'
import { type TarCode, tarNotices } from './tar-rules.js'
import { Trust } from './trust.js'

export interface TarSummary {
  archives: number
  messages: number
  /** Messages with a signature that holds. */
  proven: number
  transactions: number
  /** Serial numbers of the devices, in the order of the archives. */
  devices: string[]
}

export type Read = () => AsyncIterable<Uint8Array>

/** An order of a thousand lines is about 60 KB. */
const LOG_BYTES = 1 << 20
const SMALL_BYTES = 1 << 16
const LONGEST_NAME = 100

export interface TarOptions extends Pick<VerifyOptions, 'certificates' | 'partial'> {
  /** Is told every message whose signature holds. */
  proven?(message: LogMessage, place: string): void
}

/**
 * Verifies every archive of the file; whatever is wrong is a finding, never an error. Throws
 * FiscalError FIELD_INVALID for wrong options.
 */
export async function verifyTar(
  read: Read,
  options: TarOptions,
  report: (finding: Finding) => void,
): Promise<TarSummary> {
  const reporter = new Reporter<TarCode>(report, tarNotices)
  const trust = new Trust(options.certificates)
  const first = new FirstPass(reporter, trust)
  await first.run(read())
  const second = new SecondPass(reporter, { first, trust, options })
  await second.run(read())
  if (!trust.isGiven && second.summary.proven > 0) {
    const text = 'expected certificates given beside the file, found none: none is trusted'
    reporter.add('CERTIFICATE_UNTRUSTED', '', text)
  }
  reporter.flush()
  return second.summary
}

/** Names, infos and certificates; faults of the container are told here and only here. */
class FirstPass {
  readonly certificates = new Map<number, ArchiveCertificates>()
  private readonly reporter: Reporter<TarCode>
  private readonly infos = new Map<number, number>()
  private readonly trust: Trust
  private last = ''

  constructor(reporter: Reporter<TarCode>, trust: Trust) {
    this.reporter = reporter
    this.trust = trust
  }

  async run(input: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      const keep = (name: string) =>
        ['info', 'certificate'].includes(memberKind(name)) ? SMALL_BYTES : -1
      const { ended } = await eachMember(membersOf(input, keep), (member) => this.member(member))
      if (!ended) {
        this.reporter.add('TAR_END', '', 'expected two zero blocks at the end, found none')
      }
    } catch (error) {
      if (!(error instanceof TarFault)) throw error
      const after = this.last === '' ? 'at its start' : `after ${quote(this.last)}`
      const text = `expected a complete TAR, found a fault ${after}: ${error.message}`
      this.reporter.add('TAR_BROKEN', '', text)
    }
    for (const certificates of this.certificates.values()) certificates.judge()
    for (const archive of this.certificates.keys()) {
      if ((this.infos.get(archive) ?? 0) > 0) continue
      this.reporter.add('INFO_MISSING', archiveName(archive), 'expected info.csv, found none')
    }
  }

  private member(member: Member): void {
    const { archive, name } = member
    this.last = name
    const certificates =
      this.certificates.get(archive) ?? new ArchiveCertificates(this.reporter, this.trust)
    this.certificates.set(archive, certificates)
    const place = placeOf(member)
    if (!this.isFile(member, place)) return
    const kind = memberKind(name)
    if (kind === 'unknown' || kind === 'cvc') this.strange(kind, place)
    if (kind === 'info') this.info(member, place)
    if (kind === 'certificate' && this.hasContent(member, place)) {
      certificates.add(place, name, member.content)
    }
  }

  private isFile({ type, name }: Member, place: string): boolean {
    if (name.length > LONGEST_NAME) {
      const text = `expected at most ${LONGEST_NAME} characters, found ${name.length}`
      this.reporter.add('MEMBER_LONG_NAME', place, text)
    }
    if (type === 'file') return true
    this.reporter.add('MEMBER_TYPE', place, `expected an ordinary file, found ${type}`)
    return false
  }

  private strange(kind: MemberKind, place: string): void {
    if (kind === 'cvc') {
      const text = 'expected X.509, found a card verifiable certificate, which is not read'
      this.reporter.add('CERTIFICATE_CVC', place, text)
      return
    }
    const text = 'expected info.csv, a log message or a certificate, found another name'
    this.reporter.add('MEMBER_UNKNOWN', place, text)
  }

  private info(member: Member, place: string): void {
    const count = (this.infos.get(member.archive) ?? 0) + 1
    this.infos.set(member.archive, count)
    if (count > 1) {
      this.reporter.add('INFO_DOUBLED', place, `expected one info.csv, found number ${count}`)
    }
    if (!this.hasContent(member, place)) return
    const text = isUtf8(member.content) ? member.content.toString('utf8') : ''
    if (INFO.test(text)) return
    const expected = '"description:","…","manufacturer:","…","version:","…" in one line'
    this.reporter.add('INFO_FORM', place, `expected ${expected}, found ${quote(text)}`)
  }

  private hasContent(member: Member, place: string): member is Member & { content: Buffer } {
    if (member.content !== undefined) return true
    const text = `expected at most ${SMALL_BYTES} bytes, found ${member.size}`
    this.reporter.add('MEMBER_SIZE', place, text)
    return false
  }
}

const INFO = /^"description:","[^"\r\n]*","manufacturer:","[^"\r\n]*","version:","[^"\r\n]*"\r?\n?$/

/** The messages, with the certificates known. */
class SecondPass {
  readonly summary: TarSummary = {
    archives: 0,
    messages: 0,
    proven: 0,
    transactions: 0,
    devices: [],
  }
  private readonly reporter: Reporter<TarCode>
  private readonly context: SecondContext
  private archive = 0
  private log: ArchiveLog
  private serialHex = ''
  /** Devices of this archive without a certificate that counts: told once. */
  private unproven = new Set<string>()
  private messages = 0

  constructor(reporter: Reporter<TarCode>, context: SecondContext) {
    this.reporter = reporter
    this.context = context
    this.log = this.newLog()
  }

  private newLog(): ArchiveLog {
    return new ArchiveLog(this.reporter, this.context.options.partial === true)
  }

  async run(input: AsyncIterable<Uint8Array>): Promise<void> {
    const keep = (name: string) => (memberKind(name) === 'log' ? LOG_BYTES : -1)
    try {
      await eachMember(membersOf(input, keep), (member) => {
        if (member.archive !== this.archive) this.begin(member.archive)
        if (member.type === 'file' && memberKind(member.name) === 'log') this.member(member)
      })
    } catch (error) {
      // told in the first pass; what stands before the fault is judged
      if (!(error instanceof TarFault)) throw error
    }
    this.close()
    if (this.summary.archives === 0) {
      this.reporter.add('TAR_EMPTY', '', 'expected log messages, found an empty archive')
    }
  }

  private begin(archive: number): void {
    this.close()
    this.archive = archive
    this.summary.archives = archive
    this.log = this.newLog()
    this.serialHex = ''
    this.unproven = new Set()
    this.messages = 0
  }

  private close(): void {
    if (this.archive === 0) return
    const place = archiveName(this.archive)
    this.log.end(place)
    if (this.messages > 0) return
    this.reporter.add('TAR_EMPTY', place, 'expected log messages, found none')
  }

  private member(member: Member): void {
    const place = placeOf(member)
    this.messages += 1
    this.summary.messages += 1
    if (member.content === undefined) {
      const text = `expected at most ${LOG_BYTES} bytes, found ${member.size}`
      this.reporter.add('MEMBER_SIZE', place, text)
      return
    }
    const message = this.message(place, member.content)
    if (message === undefined) return
    const expected = nameFault(member.name, message)
    if (expected !== undefined) {
      const text = `expected ${short(expected)}, found ${quote(member.name)}`
      this.reporter.add('LOG_NAME', place, text)
    }
    this.device(place, message.serialHex)
    this.prove(place, message)
    const { body } = message
    if (body.kind === 'transaction' && body.step === 'Finish') this.summary.transactions += 1
    const { counter, time } = message
    this.log.push({ place, counter, time: { format: time.format, moment: time.moment }, body })
  }

  private message(place: string, content: Buffer): LogMessage | undefined {
    try {
      return readLogMessage(content)
    } catch (error) {
      if (!(error instanceof DerFault)) throw error
      this.reporter.add('LOG_FORM', place, `expected ${error.message}`)
      return undefined
    }
  }

  private device(place: string, serialHex: string): void {
    if (this.serialHex === '') {
      this.serialHex = serialHex
      if (!this.summary.devices.includes(serialHex)) this.summary.devices.push(serialHex)
    } else if (this.serialHex !== serialHex) {
      const text = `expected the device ${this.serialHex}, found ${serialHex}`
      this.reporter.add('DEVICE_CHANGED', place, text)
    }
  }

  private noKey(place: string, serialHex: string, isForeign: boolean): void {
    if (this.unproven.has(serialHex)) return
    this.unproven.add(serialHex)
    if (isForeign) {
      const text = `expected a key that a given certificate covers, found ${serialHex}`
      this.reporter.add('CERTIFICATE_DISTRUSTED', place, text)
      return
    }
    const text = `expected ${serialHex.toUpperCase()}_X509, found no certificate of that key`
    this.reporter.add('CERTIFICATE_MISSING', place, text)
  }

  private prove(place: string, message: LogMessage): void {
    const { algorithm, serialHex, signed, signature, time } = message
    const { first, trust, options } = this.context
    const key = first.certificates.get(this.archive)?.key(serialHex)
    if (key === undefined || (trust.isGiven && !key.isTrusted)) {
      this.noKey(place, serialHex, key !== undefined)
      return
    }
    if (time.moment < key.validFrom || time.moment > key.validTo) {
      const period = `${iso(key.validFrom)} to ${iso(key.validTo)}`
      const text = `expected a time from ${period}, found ${iso(time.moment)}`
      this.reporter.add('CERTIFICATE_PERIOD', place, text)
    }
    if (algorithm?.hash === undefined) {
      const found = algorithm?.name ?? 'another OID'
      this.reporter.add('ALGORITHM', place, `expected plain ECDSA, found ${found}`)
      return
    }
    if (signatureHolds(signed, signature, { key, hash: algorithm.hash })) {
      this.summary.proven += 1
      options.proven?.(message, place)
    } else {
      const text = `expected an ${algorithm.name} signature of this message, found another`
      this.reporter.add('SIGNATURE_INVALID', place, text)
    }
  }
}

interface SecondContext {
  first: FirstPass
  trust: Trust
  options: TarOptions
}

async function eachMember<End>(
  members: AsyncGenerator<Member, End>,
  take: (member: Member) => void,
): Promise<End> {
  for (;;) {
    const next = await members.next()
    if (next.done === true) return next.value
    take(next.value)
  }
}

function archiveName(archive: number): string {
  return archive === 1 ? '' : `TAR ${archive}`
}

function placeOf({ archive, name }: Member): string {
  return archive === 1 ? name : `TAR ${archive}: ${name}`
}
