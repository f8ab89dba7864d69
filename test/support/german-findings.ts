// That every finding a test provokes is told in German as a whole: no English word of it is left.
import type { FileVerifier, Finding } from '../../src/verify/contract.js'

const WORDS = [
  ...['expected', 'found', 'the', 'none', 'of', 'with', 'and', 'or', 'another', 'other', 'before'],
  ...['after', 'its', 'is', 'it', 'not', 'end', 'bad', 'invalid', 'unexpected', 'missing', 'a'],
  ...['than', 'given', 'too', 'data', 'file', 'error', 'to', 'be', 'from', 'this', 'that', 'no'],
  ...['again', 'both', 'must'],
]
const ENGLISH = new RegExp(`\\b(${WORDS.join('|')})\\b`, 'i')

/**
 * Names and values of a file stand in quotes; members and columns keep their names, and a chaining
 * value may spell a word between `+` and `/`.
 */
const quoted = (text: string) =>
  text.replace(/"(?:\\.|[^"\\])*"/g, '""').replace(/[A-Za-z0-9+/]{11}=/g, '')

/** Throws when a German text has English left. */
export function expectGerman(verifier: FileVerifier, { code, text }: Finding): void {
  const told = verifier.wording?.de?.(text) ?? text
  const left = ENGLISH.exec(quoted(told))
  if (left !== null) throw new Error(`${code} is half English ("${left[0]}"): ${text} -> ${told}`)
}
