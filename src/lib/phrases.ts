// Sentences in another language, found by the shape of the English one: gettext for texts that are
// already put together. Used for the findings of the verifiers.

/** English and other sentence; `{}` stands for what varies, in the same order in both. */
export type Phrase = readonly [english: string, other: string]

interface Compiled {
  shape: RegExp
  parts: readonly string[]
}

/**
 * The translation, undefined when no phrase fits. What varies is translated itself where a phrase
 * fits it; quoted texts of a file stay as they are.
 */
export function translator(phrases: readonly Phrase[]): (text: string) => string | undefined {
  const compiled = phrases.map(compile)
  const translate = (text: string, depth = 0): string | undefined => {
    if (depth > DEPTH) return undefined
    for (const { shape, parts } of compiled) {
      const found = shape.exec(text)
      if (found === null) continue
      const values = found.slice(1).map((value) => part(value, depth))
      return parts.map((piece, at) => piece + (values[at] ?? '')).join('')
    }
    return undefined
  }
  const part = (value: string, depth: number): string =>
    value.startsWith('"') ? value : (translate(value, depth + 1) ?? value)
  return (text) => translate(text)
}

/** Sentences hold parts, and parts hold words; nothing goes deeper. */
const DEPTH = 5

function compile([english, other]: Phrase): Compiled {
  const source = english
    .split('{}')
    .map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('([^]*?)')
  return { shape: new RegExp(`^${source}$`), parts: other.split('{}') }
}
