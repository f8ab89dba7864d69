// The DSFinV-K of a queue as the checker of stored data gets it, judged by the independent
// verifier.
import type { ByteRange, Finding } from '../../model/verdict.js'
import { dsfinvkFile } from '../../verify/de/files.js'

/** The verifier reads parts of the archive, so all of it is in memory meanwhile. */
export async function judgeExport(file: AsyncIterable<string | Uint8Array>): Promise<Finding[]> {
  const pieces: Buffer[] = []
  for await (const piece of file) {
    pieces.push(typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece))
  }
  const whole = Buffer.concat(pieces)
  if (whole.length === 0) return []
  let findings: Finding[] = []
  await dsfinvkFile.verify(
    (range) => part(whole, range),
    {},
    {
      add: (finding) => findings.push(finding),
      clear: () => {
        findings = []
      },
    },
  )
  return findings.filter((finding) => finding.notice !== true && !isOutside(finding))
}

async function* part(whole: Buffer, range?: ByteRange): AsyncGenerator<Uint8Array> {
  yield range === undefined ? whole : whole.subarray(range.start, range.end)
}

/**
 * Master data that nobody has given, and orders that are longer than their column, are no fault of
 * what is stored.
 */
function isOutside({ code }: Finding): boolean {
  return code === 'FIELD_MANDATORY' || code === 'TSE_CUT'
}
