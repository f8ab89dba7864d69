// Which of our languages a caller wants, from Accept-Language.

/** The languages that people are written to in. */
export const LANGUAGES = ['de', 'en', 'fr', 'it', 'es', 'pt', 'el'] as const
export type Language = (typeof LANGUAGES)[number]

export interface Culture {
  language: Language
  /** As it was asked for, e.g. `de-AT`; also tells which separator a list has. */
  name: string
}

export const ENGLISH: Culture = { language: 'en', name: 'en-US' }

export const isLanguage = (text: string): text is Language =>
  (LANGUAGES as readonly string[]).includes(text)

/** `de-AT` → language de; undefined for a language that we do not speak. */
export function cultureOf(name: string): Culture | undefined {
  const [language = '', region] = name.trim().split('-')
  const lower = language.toLowerCase()
  if (!isLanguage(lower)) return undefined
  return {
    language: lower,
    name: region === undefined ? lower : `${lower}-${region.toUpperCase()}`,
  }
}

/** The first of the languages asked for that we speak; undefined when there is none. */
export function acceptedCulture(header: string | undefined): Culture | undefined {
  const wishes = (header ?? '').split(',').map((part, position) => {
    const [name = '', ...parameters] = part.split(';')
    const quality = parameters.map((one) => /^\s*q\s*=\s*([\d.]+)/i.exec(one)?.[1]).find(Boolean)
    return { name, position, quality: quality === undefined ? 1 : Number(quality) }
  })
  return wishes
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality || a.position - b.position)
    .map(({ name }) => cultureOf(name))
    .find((culture) => culture !== undefined)
}
