// Verifies an exported file: recognises its kind, streams it to the verifier of its market, keeps
// what is found. A kind of file is a row of the table. Called by the command line.
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { fail } from '../../errors.js'
import type {
  ByteRange,
  FileVerifier,
  Finding,
  FindingSink,
  VerifyOptions,
} from '../../market/market.js'

export interface VerifyInput extends VerifyOptions {
  /** The kinds of files that can be verified, in the order in which they are tried. */
  verifiers: readonly FileVerifier[]
  /** So many findings are kept, the rest is counted. */
  keep?: number
}

export interface VerifyResult {
  /** True when nothing is wrong; notices do not count. */
  ok: boolean
  findings: Finding[]
  /** Lawful, but other verifiers complain about it. */
  notices: Finding[]
  /** Name of the verifier that recognised the file; null when none did. */
  kind: string | null
  summary: (object & { durationMs: number }) | null
}

const KEEP = 1000
const HEAD_BYTES = 1024
/** Large pieces: fewer turns of the event loop; still nothing against the memory. */
const PIECE_BYTES = 256 * 1024

/**
 * Verifies one file. What is wrong in the file is a finding. Throws FiscalError REQUEST_INVALID
 * when the file cannot be read and FIELD_INVALID when an option is wrong.
 */
export async function verifyFile(path: string, input: VerifyInput): Promise<VerifyResult> {
  const head = await headOf(path)
  const kind = input.verifiers.find((verifier) => verifier.recognises(head))
  if (kind === undefined) return unknownFile(input.verifiers)
  const kept = new Kept(input.keep ?? KEEP)
  const started = performance.now()
  const summary = await kind.verify((range) => pieces(path, range), input, kept)
  const durationMs = Math.round(performance.now() - started)
  const all = kept.close()
  const findings = all.filter((finding) => finding.notice !== true)
  return {
    ok: findings.length === 0,
    findings,
    notices: all.filter((finding) => finding.notice === true),
    kind: kind.name,
    summary: { ...summary, durationMs },
  }
}

function unknownFile(verifiers: readonly FileVerifier[]): VerifyResult {
  const known = verifiers.map((verifier) => verifier.name).join(', ')
  const text = `expected one of ${known}, found a file that begins otherwise`
  const findings = [{ code: 'FILE_UNKNOWN', receipt: '', text }]
  return { ok: false, findings, notices: [], kind: null, summary: null }
}

async function headOf(path: string): Promise<Buffer> {
  try {
    const file = await open(path)
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (error) {
    throw fail('REQUEST_INVALID', { reason: `${path} cannot be read: ${reasonOf(error)}.` })
  }
}

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
}

function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return REASONS[code] ?? message
}

async function* pieces(path: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
  if (range !== undefined && range.end <= range.start) return
  // the stream's own `end` is inclusive
  const part = range === undefined ? {} : { start: range.start, end: range.end - 1 }
  yield* createReadStream(path, { highWaterMark: PIECE_BYTES, ...part })
}

/** The first findings, and how many there were. */
class Kept implements FindingSink {
  private readonly findings: Finding[] = []
  private readonly limit: number
  private more = 0

  constructor(limit: number) {
    this.limit = limit
  }

  add(finding: Finding): void {
    if (this.findings.length < this.limit) this.findings.push(finding)
    else this.more += 1
  }

  clear(): void {
    this.findings.length = 0
    this.more = 0
  }

  close(): Finding[] {
    if (this.more > 0) {
      const text = `${this.more} more findings are not listed`
      this.findings.push({ code: 'MORE_FINDINGS', receipt: '', text })
    }
    return this.findings
  }
}
