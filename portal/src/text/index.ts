// The language of the page: the person's, else that of the browser. Of one alone the texts are
// loaded, as two files: the frame with the first pages, and what else pages do.
import { createContext, useContext, useEffect, useState } from 'react'
import { OPERATIONS } from '../generated/operations.js'
import type { en } from './en.js'
import type { pages } from './pages/en.js'

export type Text = typeof en & typeof pages

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

export const Speech = createContext<Speaking | null>(null)
export const useText = (): Text => useSpeech().t

export function useSpeech(): Speaking {
  const speaking = useContext(Speech)
  if (speaking === null) throw new Error('texts are loaded before what shows them')
  return speaking
}

export function chosenLanguage(wished: string | null | undefined): Language {
  const all = [wished ?? '', ...navigator.languages].map((one) => one.slice(0, 2).toLowerCase())
  return all.flatMap((one) => LANGUAGES.filter((known) => known === one))[0] ?? 'en'
}

/** 40 % longer, with brackets: what does not fit, and what is in no table, is seen. */
const IS_LONGER = new URLSearchParams(location.search).has('pseudo')

export async function textOf(language: Language): Promise<Text> {
  const text = await tableOf(language)
  return IS_LONGER ? (longer(text) as Text) : text
}

const TABLES: Record<Language, () => Promise<readonly [typeof en, typeof pages]>> = {
  de: () =>
    both(
      import('./de.js').then(({ de }) => de),
      import('./pages/de.js'),
    ),
  en: () =>
    both(
      import('./en.js').then(({ en }) => en),
      import('./pages/en.js'),
    ),
  fr: () =>
    both(
      import('./fr.js').then(({ fr }) => fr),
      import('./pages/fr.js'),
    ),
}

/** Neither waits for the other. */
async function both(first: Promise<typeof en>, rest: Promise<{ pages: typeof pages }>) {
  const [frame, more] = await Promise.all([first, rest])
  return [frame, more.pages] as const
}

async function tableOf(language: Language): Promise<Text> {
  const [frame, more] = await TABLES[language]()
  return { ...frame, ...more }
}

type Titles = Readonly<Record<string, string | undefined>>
/** Loaded by pages that show them. */
const TITLES: Partial<Record<Language, () => Promise<{ titles: Titles }>>> = {
  de: () => import('./titles/de.js'),
  fr: () => import('./titles/fr.js'),
}
const ENGLISH: Readonly<Record<string, { title: string }>> = OPERATIONS

/** What an operation is called; those of a program before this one have no title any more. */
export function useTitles(): (operation: string) => string {
  const { language } = useSpeech()
  const [loaded, setLoaded] = useState<Titles>({})
  useEffect(() => {
    let isOver = false
    void TITLES[language]?.().then(({ titles }) => {
      if (!isOver) setLoaded(titles)
    })
    return () => {
      isOver = true
    }
  }, [language])
  return (operation) => {
    const title = loaded[operation] ?? ENGLISH[operation]?.title ?? operation
    return IS_LONGER ? String(longer(title)) : title
  }
}

function longer(value: unknown): unknown {
  if (typeof value === 'string') return `[${value}${'~'.repeat(Math.ceil(value.length * 0.4))}]`
  if (typeof value === 'function') {
    return (...args: unknown[]) => longer(Reflect.apply(value, undefined, args))
  }
  if (Array.isArray(value)) return value.map(longer)
  return Object.fromEntries(Object.entries(Object(value)).map(([key, one]) => [key, longer(one)]))
}
