// Sentences for people in the languages that we speak: refusals by their code, and the
// confirmations of operations.
import type { ErrorDetails, FiscalError } from '../errors.js'
import type { Language } from '../lib/language.js'
import { accessMessages } from './messages/access.js'
import { conflictMessages } from './messages/conflicts.js'
import { faultSentences } from './messages/faults.js'
import { fileMessages } from './messages/files.js'
import { missingMessages } from './messages/missing.js'
import { registrationSentences } from './messages/registration.js'
import { salesSentences } from './messages/sales.js'
import { sentences as plainSentences } from './messages/sentences.js'
import { stockSentences } from './messages/stock.js'
import type { Sentence } from './messages/translation.js'

/** A new area of refusals adds its table here. */
const refusals: Readonly<Record<string, Readonly<Partial<Record<Language, string>>>>> = {
  ...accessMessages,
  ...conflictMessages,
  ...missingMessages,
  ...fileMessages,
}

const sentences = {
  ...{ ...plainSentences, ...faultSentences, ...stockSentences, ...salesSentences },
  ...registrationSentences,
}

export type SentenceKey = keyof typeof sentences

/** The refusal in this language; one without translation in English. */
export function messageOf(refusal: FiscalError, language: Language): string {
  const text = refusals[refusal.code]?.[language]
  return text === undefined ? refusal.message : filled(text, refusal.details)
}

export function sentenceOf(
  key: SentenceKey,
  language: Language,
  details: ErrorDetails = {},
): string {
  const sentence: Sentence = sentences[key]
  return filled(sentence[language], details)
}

/** Codes that are translated; for the test that looks for missing ones. */
export const translatedCodes: readonly string[] = Object.keys(refusals)

function filled(text: string, details: ErrorDetails): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(details[name] ?? ''))
}
