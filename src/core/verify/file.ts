// Verifies an exported file: recognises its kind, streams it to the verifier of its market, keeps
// what is found. A kind of file is a row of the table. Called by the command line.
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { fail } from '../../errors.js'
import { type Dep7Options, type Dep7Summary, verifyDep7 } from '../../market/at/verify.js'
import type { Finding } from '../../market/market.js'

/** What is given beside the file; a verifier takes what its kind of file needs. */
export interface VerifyOptions extends Dep7Options {
  /** So many findings are kept, the rest is counted. */
  keep?: number
}

export interface VerifyResult {
  /** True when nothing at all was found. */
  ok: boolean
  findings: Finding[]
  /** Name of the row that recognised the file; null when none did. */
  kind: string | null
  summary: (Dep7Summary & { durationMs: number }) | null
}

interface FileKind {
  name: string
  /** Looks at the first bytes. */
  is(head: Buffer): boolean
  verify(path: string, options: VerifyOptions, kept: Kept): Promise<Dep7Summary>
}

/** In the order in which they are tried. */
const fileKinds: readonly FileKind[] = [
  { name: 'DEP7', is: (head) => /^(?:\ufeff)?\s*\{/.test(head.toString('utf8')), verify: dep7 },
]

const KEEP = 1000
const HEAD_BYTES = 1024
/** Large pieces: fewer turns of the event loop; still nothing against the memory. */
const PIECE_BYTES = 256 * 1024

/**
 * Verifies one file. What is wrong in the file is a finding. Throws FiscalError REQUEST_INVALID
 * when the file cannot be read and FIELD_INVALID when an option is wrong.
 */
export async function verifyFile(path: string, options: VerifyOptions = {}): Promise<VerifyResult> {
  const head = await headOf(path)
  const kind = fileKinds.find((row) => row.is(head))
  if (kind === undefined) {
    const known = fileKinds.map((row) => row.name).join(', ')
    const text = `expected one of ${known}, found a file that begins otherwise`
    return {
      ok: false,
      findings: [{ code: 'FILE_UNKNOWN', receipt: '', text }],
      kind: null,
      summary: null,
    }
  }
  const kept = new Kept(options.keep ?? KEEP)
  const started = performance.now()
  const summary = await kind.verify(path, options, kept)
  const durationMs = Math.round(performance.now() - started)
  const findings = kept.close()
  return {
    ok: findings.length === 0,
    findings,
    kind: kind.name,
    summary: { ...summary, durationMs },
  }
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
    throw fail('REQUEST_INVALID', { reason: `${path} cannot be read: ${reasonOf(error)}` })
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * A certificate may stand behind its receipts, which is legal JSON although no writer does it. The
 * verifier reads only once, so such a file is read again with the certificates that were found.
 */
async function dep7(path: string, options: VerifyOptions, kept: Kept): Promise<Dep7Summary> {
  const report = (finding: Finding) => kept.add(finding)
  const first = await verifyDep7(pieces(path), options, report)
  if (first.lateCertificates.length === 0) return first
  kept.clear()
  const certificates = [...(options.certificates ?? []), ...first.lateCertificates]
  return verifyDep7(pieces(path), { ...options, certificates }, report)
}

function pieces(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path, { highWaterMark: PIECE_BYTES })
}

/** The first findings, and how many there were. */
class Kept {
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
