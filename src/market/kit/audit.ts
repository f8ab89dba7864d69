// What auditors of stored rows have in common: the answer that was given, and one finding.
import { JsonObject, parseJson } from '../../lib/json.js'
import { objectsIn, textIn } from '../../model/json-members.js'
import type { Finding } from '../../model/verdict.js'

/** A finding where the two are not the same. */
export function expect(
  code: string,
  receipt: string,
  [expected, found]: [unknown, unknown],
): Finding[] {
  if (expected === found) return []
  return [{ code, receipt, text: `expected ${String(expected)}, found ${String(found)}` }]
}

/** Fingerprints of the certificates that rows name, each once. */
export function certificatesNamed() {
  const found = new Map<string, Buffer>()
  return {
    add: (print: Buffer | null): void => {
      if (print !== null) found.set(print.toString('hex'), print)
    },
    /** For a legal export; nothing where no row names one. */
    given: (): { certificates?: Buffer[] } =>
      found.size === 0 ? {} : { certificates: [...found.values()] },
  }
}

/** An entry of ftSignatures as it was answered, all members as text. */
export interface ShownItem {
  caption: string
  data: string
  /** ftSignatureFormat. */
  format: string
  /** ftSignatureType. */
  type: string
}

export interface Shown {
  items: ShownItem[]
  /** ftState; 0n where none can be read. */
  state: bigint
}

/** Of a stored answer; member names come in lower camel case and in PascalCase. */
export function shownBy(response: string): Shown {
  const answer = parseJson(response)
  if (!(answer instanceof JsonObject)) return { items: [], state: 0n }
  const items = objectsIn(answer, 'ftSignatures').map((one) => ({
    caption: textIn(one, 'caption'),
    data: textIn(one, 'data'),
    format: textIn(one, 'ftsignatureformat'),
    type: textIn(one, 'ftsignaturetype'),
  }))
  return { items, state: BigInt.asUintN(64, BigInt(textIn(answer, 'ftState') || '0')) }
}
