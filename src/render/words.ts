// The words of shown receipts in the languages that there are.
import { german, type Words } from './words/de.js'
import { english } from './words/en.js'
import { spanish } from './words/es.js'
import { french } from './words/fr.js'
import { italian } from './words/it.js'

export type { Words }

export const LANGUAGES = ['de', 'en', 'fr', 'it', 'es'] as const
export type Language = (typeof LANGUAGES)[number]

const TABLE: Record<Language, Words> = {
  de: german,
  en: english,
  fr: french,
  it: italian,
  es: spanish,
}

export function wordsOf(language: Language): Words {
  return TABLE[language]
}

const COUNTRIES: Record<string, Language> = {
  ...{ AT: 'de', CH: 'de', DE: 'de', LI: 'de' },
  ...{ FR: 'fr', MC: 'fr', IT: 'it', SM: 'it', ES: 'es' },
}

/** Of a country's receipts when the reader has no wish. */
export function languageOf(country: string): Language {
  return COUNTRIES[country] ?? 'en'
}

/** Numbers and dates as the readers of a language write them. */
export const LOCALES: Record<Language, string> = {
  de: 'de-AT',
  en: 'en-GB',
  fr: 'fr-FR',
  it: 'it-IT',
  es: 'es-ES',
}
