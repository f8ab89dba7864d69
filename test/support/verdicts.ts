// What a verifier of the market says about a file in memory. Called by test/market/de/verify.
import type { FileVerifier, Finding } from '../../src/market/market.js'

export interface Verdict {
  findings: Finding[]
  notices: Finding[]
  summary: object
}

/** The file in pieces of this size. */
export async function verdictOf(
  verifier: FileVerifier,
  bytes: Buffer,
  pieceSize = 8192,
): Promise<Verdict> {
  const all: Finding[] = []
  const sink = {
    add: (finding: Finding) => {
      all.push(finding)
    },
    clear: () => {
      all.length = 0
    },
  }
  async function* read(range?: { start: number; end: number }) {
    const part = range === undefined ? bytes : bytes.subarray(range.start, range.end)
    for (let at = 0; at < part.length; at += pieceSize) yield part.subarray(at, at + pieceSize)
  }
  const summary = await verifier.verify(read, {}, sink)
  return {
    findings: all.filter(({ notice }) => notice !== true),
    notices: all.filter(({ notice }) => notice === true),
    summary,
  }
}

/** `CODE place` of each: what tests compare. */
export function brief(findings: Finding[]): string[] {
  return findings.map(({ code, receipt }) => `${code} ${receipt}`.trim())
}
