// Sentences in another language, found by the shape of the English one: gettext for texts that are
// already put together. Used for the findings of the verifiers.

/** English and other sentence; `{}` stands for what varies, in the same order in both. */
export type Phrase = readonly [english: string, other: string]

/** The same in two other languages. */
export type Told = readonly [english: string, french: string, german: string]

/** Undefined where no phrase fits. */
export type Translate = (text: string) => string | undefined

interface Compiled {
  shape: RegExp
  parts: readonly string[]
}

/**
 * The translation, undefined when no phrase fits. What varies is translated itself where a phrase
 * fits it; quoted texts of a file stay as they are.
 */
export function translator(phrases: readonly Phrase[]): Translate {
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

/** A translator into each language of a table. */
export function translators(told: readonly Told[]): { fr: Translate; de: Translate } {
  return {
    fr: translator(told.map(([english, french]) => [english, french])),
    de: translator(told.map(([english, , german]) => [english, german])),
  }
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
