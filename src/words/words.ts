// The sentences of every language, one JSON file each; test/words.test.ts compares the files.
import { readFileSync } from 'node:fs'
import type { ErrorCode } from '../errors.js'
import { LANGUAGES, type Language } from '../lib/language.js'
import type english from './en.json'

/** What every file has; English refusals stand in src/errors.ts. */
export type Words = Readonly<typeof english> & {
  readonly refusals?: Readonly<Partial<Record<ErrorCode, string>>>
}

export type ReceiptWords = Words['receipt']
export type SentenceKey = keyof Words['sentences']

const fileOf = (language: Language): Words =>
  JSON.parse(readFileSync(new URL(`${language}.json`, import.meta.url), 'utf8'))

export const WORDS = Object.fromEntries(
  LANGUAGES.map((language) => [language, fileOf(language)]),
) as Readonly<Record<Language, Words>>

/** What receipts, and the messages that bring them, are written in: all of them. */
export const RECEIPT_LANGUAGES = LANGUAGES
export type ReceiptLanguage = (typeof RECEIPT_LANGUAGES)[number]

export function isReceiptLanguage(text: string): text is ReceiptLanguage {
  return RECEIPT_LANGUAGES.some((one) => one === text)
}

/**
 * Puts values into the places of a text, `{company}`. A value is never looked at for places again;
 * no spaces stay around one that is empty.
 */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  const whole = text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
  return whole.replace(/ +/g, ' ').replace(/ (?=[.,]|$)/g, '')
}
