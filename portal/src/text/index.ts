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

const spokenTexts = new Map<Language, Text>()

/** What was loaded already: it is shown without waiting. */
export const knownText = (language: Language): Text | undefined => spokenTexts.get(language)

export async function textOf(language: Language): Promise<Text> {
  const known = spokenTexts.get(language)
  if (known !== undefined) return known
  const table = await tableOf(language)
  const text = IS_LONGER ? (longer(table) as Text) : table
  spokenTexts.set(language, text)
  return text
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

type Spoken = Readonly<Record<string, string | undefined>>
type Tables = Partial<Record<Language, () => Promise<Spoken>>>
/** Loaded by the pages that show them; the English ones come from the documents. */
const TITLES: Tables = {
  de: () => import('./titles/de.js').then(({ titles }) => titles),
  fr: () => import('./titles/fr.js').then(({ titles }) => titles),
}
const EVENTS: Tables = {
  de: () => import('./events/de.js').then(({ events }) => events),
  fr: () => import('./events/fr.js').then(({ events }) => events),
}
const ENGLISH: Readonly<Record<string, { title: string }>> = OPERATIONS

/** Empty until they are there, and in English. */
function useLoaded(tables: Tables): Spoken {
  const { language } = useSpeech()
  const [loaded, setLoaded] = useState<Spoken>({})
  useEffect(() => {
    let isOver = false
    const setUnlessOver = (table: Spoken) => {
      if (!isOver) setLoaded(table)
    }
    setUnlessOver({})
    void tables[language]?.().then(setUnlessOver)
    return () => {
      isOver = true
    }
  }, [language, tables])
  return loaded
}

const spoken = (text: string): string => (IS_LONGER ? String(longer(text)) : text)

/** What an operation is called; those of a program before this one have no title any more. */
export function useTitles(): (operation: string) => string {
  const loaded = useLoaded(TITLES)
  return (operation) => spoken(loaded[operation] ?? ENGLISH[operation]?.title ?? operation)
}

/** What a type of event says, by what the document says of it in English. */
export function useEventTexts(): (type: string, english: string) => Sentence {
  const loaded = useLoaded(EVENTS)
  const { language } = useSpeech()
  return (type, english) => {
    const own = loaded[type]
    return own === undefined
      ? { text: spoken(english), lang: 'en' }
      : { text: spoken(own), lang: language }
  }
}

export interface Sentence {
  text: string
  lang: Language
}

function longer(value: unknown): unknown {
  if (typeof value === 'string') return `[${value}${'~'.repeat(Math.ceil(value.length * 0.4))}]`
  if (typeof value === 'function') {
    return (...args: unknown[]) => longer(Reflect.apply(value, undefined, args))
  }
  if (Array.isArray(value)) return value.map(longer)
  return Object.fromEntries(Object.entries(Object(value)).map(([key, one]) => [key, longer(one)]))
}
