// What somebody may have meant by a word that nobody knows.
import { closest, distance } from 'fastest-levenshtein'

/** A third of the letters may be wrong, at least two. */
const WRONG_PART = 3
const LEAST = 2

/** Undefined: nothing is near enough. */
export function meant(word: string, known: readonly string[]): string | undefined {
  if (word === '' || known.length === 0) return undefined
  const lower = word.toLowerCase()
  const found = closest(lower, known)
  const most = Math.max(LEAST, Math.floor(found.length / WRONG_PART))
  // of a word that short anything would be near
  return lower.length > 1 && distance(lower, found) <= most ? found : undefined
}
