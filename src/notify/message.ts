// Sentences for people in the languages that we speak: refusals by their code, and the
// confirmations of operations.
import type { ErrorDetails, FiscalError } from '../errors.js'
import type { Language } from '../lib/language.js'
import { type SentenceKey, WORDS } from '../words/words.js'

export type { SentenceKey }

/** The refusal in this language; one without translation in English. */
export function messageOf(refusal: FiscalError, language: Language): string {
  const text = WORDS[language].refusals?.[refusal.code]
  return text === undefined ? refusal.message : filled(text, refusal.details)
}

export function sentenceOf(
  key: SentenceKey,
  language: Language,
  details: ErrorDetails = {},
): string {
  return filled(WORDS[language].sentences[key], details)
}

/** Spaces stay as they are: details are values that somebody has sent. */
function filled(text: string, details: ErrorDetails): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(details[name] ?? ''))
}
