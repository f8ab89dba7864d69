// The language of the page: the person's, else that of the browser. One table is loaded.
import { createContext, useContext } from 'react'
import { en, type Text } from './en.js'

export type { Text } from './en.js'

export const LANGUAGES = ['de', 'en', 'fr'] as const
export type Language = (typeof LANGUAGES)[number]
export const LANGUAGE_NAMES: Record<Language, string> = {
  de: 'Deutsch',
  en: 'English',
  fr: 'Français',
}

export interface Speaking {
  language: Language
  t: Text
}

export const Speech = createContext<Speaking>({ language: 'en', t: en })
export const useSpeech = (): Speaking => useContext(Speech)
export const useText = (): Text => useContext(Speech).t

export function chosenLanguage(wished: string | null | undefined): Language {
  const all = [wished ?? '', ...navigator.languages].map((one) => one.slice(0, 2).toLowerCase())
  return all.flatMap((one) => LANGUAGES.filter((known) => known === one))[0] ?? 'en'
}

export async function textOf(language: Language): Promise<Text> {
  const text = await tableOf(language)
  // 40 % longer, with brackets: what does not fit, and what is in no table, is seen
  return new URLSearchParams(location.search).has('pseudo') ? (longer(text) as Text) : text
}

async function tableOf(language: Language): Promise<Text> {
  if (language === 'de') return (await import('./de.js')).de
  if (language === 'fr') return (await import('./fr.js')).fr
  return en
}

function longer(value: unknown): unknown {
  if (typeof value === 'string') return `[${value}${'~'.repeat(Math.ceil(value.length * 0.4))}]`
  if (typeof value === 'function') {
    return (...args: unknown[]) => longer(Reflect.apply(value, undefined, args))
  }
  if (Array.isArray(value)) return value.map(longer)
  return Object.fromEntries(Object.entries(Object(value)).map(([key, one]) => [key, longer(one)]))
}
