// What a verifier of the market says about a file in memory.
import { lookInto } from '../../src/verify/archive.js'
import type { FileVerifier, Finding, VerifyOptions } from '../../src/verify/contract.js'
import { expectGerman } from './german-findings.js'

export interface Verdict {
  findings: Finding[]
  notices: Finding[]
  summary: object
}

/** The file in pieces of this size. That nothing is trusted has its own tests and is left out. */
export async function verdictOf(
  verifier: FileVerifier,
  bytes: Buffer,
  { pieceSize = 8192, ...options }: VerifyOptions & { pieceSize?: number } = {},
): Promise<Verdict> {
  const all: Finding[] = []
  const sink = {
    add: (finding: Finding) => {
      expectGerman(verifier, finding)
      if (finding.code !== 'CERTIFICATE_UNTRUSTED') all.push(finding)
    },
    clear: () => {
      all.length = 0
    },
  }
  const summary = await verifier.verify(inPieces(bytes, pieceSize), options, sink)
  return {
    findings: all.filter(({ notice }) => notice !== true),
    notices: all.filter(({ notice }) => notice === true),
    summary,
  }
}

/** The bytes as a verifier asks for them: all, or a part. */
export function inPieces(bytes: Buffer, pieceSize = 8192) {
  return async function* read(range?: { start: number; end: number }) {
    const part = range === undefined ? bytes : bytes.subarray(range.start, range.end)
    for (let at = 0; at < part.length; at += pieceSize) yield part.subarray(at, at + pieceSize)
  }
}

/** Whether the verifier takes these bytes for a file of its kind. */
export async function isRecognised(verifier: FileVerifier, bytes: Buffer): Promise<boolean> {
  return verifier.recognises(await lookInto(bytes.subarray(0, 1024), inPieces(bytes)))
}

/** `CODE place` of each: what tests compare. */
export function brief(findings: Finding[]): string[] {
  return findings.map(({ code, receipt }) => `${code} ${receipt}`.trim())
}
