// The independent verifier of DEP7 exports (RKSV § 7, Annex), written from the law: it shares no
// code with the signing side, only its own folder and node:crypto. Called by core/verify.
import type { FileVerifier, Finding } from '../market.js'
import type { GivenKeys } from './verify/certificates.js'
import { DepReader, type DepSink } from './verify/dep-reader.js'
import { JsonFault } from './verify/json-events.js'
import { Keyring, type UsedCertificate } from './verify/keyring.js'
import { type Reading, readReceipt } from './verify/reading.js'
import { Reporter } from './verify/reporter.js'
import { Sequence } from './verify/sequence.js'
import { TurnoverCheck } from './verify/turnover.js'

export type { ContainerEntry, GivenKeys } from './verify/certificates.js'
export { type RuleCode, rules } from './verify/rules.js'

export interface Dep7Options {
  /** AES key of the cash register, base64 of 32 bytes; without it counters are not checked. */
  key?: string
  /** Certificates or public keys that the file does not carry itself. */
  certificates?: GivenKeys
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
  try {
    for await (const chunk of input) verifier.write(chunk)
    verifier.end()
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    verifier.stop(error)
  }
  return verifier.summary()
}

/**
 * A DEP7 as a file. A certificate may stand behind its receipts, which is legal JSON although no
 * writer does it; such a file is read again with the certificates that were found.
 */
export const dep7File: FileVerifier = {
  name: 'DEP7',
  recognises: (head) => /^(?:\ufeff)?\s*\{/.test(head.toString('utf8')),
  verify: async (read, options, sink) => {
    const report = (finding: Finding) => sink.add(finding)
    const first = await verifyDep7(read(), options, report)
    if (first.lateCertificates.length === 0) return first
    sink.clear()
    const certificates = [...(options.certificates ?? []), ...first.lateCertificates]
    return verifyDep7(read(), { ...options, certificates }, report)
  },
}

class Dep7Verifier implements DepSink {
  private readonly reporter: Reporter
  private readonly keyring: Keyring
  private readonly turnover: TurnoverCheck | undefined
  private readonly sequence: Sequence
  private readonly reader: DepReader
  private batch: Reading[] = []
  private position = 0
  private firstOfGroup = true
  private signed = 0
  private failed = 0

  constructor(options: Dep7Options, report: (finding: Finding) => void) {
    this.reporter = new Reporter(report)
    this.keyring = new Keyring(options.certificates ?? [], this.reporter)
    this.turnover = options.key === undefined ? undefined : new TurnoverCheck(options.key)
    this.sequence = new Sequence(this.reporter, this.turnover)
    this.reader = new DepReader(this, this.reporter)
  }

  write(chunk: Uint8Array): void {
    this.reader.write(chunk)
  }

  end(): void {
    this.reader.end()
    this.finish()
    if (this.position === 0) this.reporter.file('NO_RECEIPTS', 'expected receipts, found none')
    this.reporter.flush()
  }

  /** The text stops being JSON: what was read is judged, what follows is not known. */
  stop(fault: JsonFault): void {
    this.finish()
    this.reporter.flush()
    const read = `${this.position} receipts were read before`
    this.reporter.file('JSON_BROKEN', `expected JSON in UTF-8: ${fault.message}; ${read}`)
  }

  summary(): Dep7Summary {
    return {
      groups: this.reader.groups,
      receipts: this.position,
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
