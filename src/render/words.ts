// The words of shown receipts, and how readers of a language write numbers and dates.
import { type ReceiptLanguage, type ReceiptWords, WORDS } from '../words/words.js'

export type { ReceiptLanguage as Language, ReceiptWords as Words }

export function wordsOf(language: ReceiptLanguage): ReceiptWords {
  return WORDS[language].receipt
}

const COUNTRIES: Record<string, ReceiptLanguage> = {
  ...{ AT: 'de', CH: 'de', DE: 'de', LI: 'de' },
  ...{ FR: 'fr', MC: 'fr', IT: 'it', SM: 'it', ES: 'es', PT: 'pt', GR: 'el' },
}

/** Of a country's receipts when the reader has no wish. */
export function languageOf(country: string): ReceiptLanguage {
  return COUNTRIES[country] ?? 'en'
}

/** Numbers and dates as the readers of a language write them. */
export const LOCALES: Record<ReceiptLanguage, string> = {
  de: 'de-AT',
  en: 'en-GB',
  fr: 'fr-FR',
  it: 'it-IT',
  es: 'es-ES',
  pt: 'pt-PT',
  el: 'el-GR',
}
