// What a first view of an address needs, named in its document: the browser fetches all of it at
// once, instead of one script finding the next.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chooseLanguage } from '../../render/accept.js'

/** As scripts/portal-build.mjs writes it. */
interface FirstFiles {
  /** Of each page; the one that fits best comes first. */
  pages: readonly { path: string; files: readonly string[] }[]
  /** By language. */
  texts: Readonly<Record<string, readonly string[]>>
}

/** Who is logged in is what every page asks first. */
const SESSION = '<link rel="preload" as="fetch" crossorigin href="/portal/session/session">'

const linkTo = (file: string): string =>
  `<link rel="modulepreload" crossorigin href="/portal/${file}">`

/** `operators/:operatorId` below the portal. */
const pattern = (path: string): RegExp =>
  new RegExp(`^/portal${path === '' ? '' : '/'}${path.replace(/:\w+/g, '[^/]+')}/?$`)

/** For the head of a document; `address` has no query. */
export type FirstLinks = (address: string, languages: string | undefined) => string

export function firstLinksOf(folder: string): FirstLinks {
  const { pages, texts } = JSON.parse(
    readFileSync(join(folder, 'first.json'), 'utf8'),
  ) as FirstFiles
  const ofPages = pages.map(({ path, files }) => ({
    ...{ fits: pattern(path), links: files.map(linkTo).join('') },
  }))
  const ofTexts = new Map(
    Object.entries(texts).map(([language, files]) => [language, files.map(linkTo).join('')]),
  )
  const spoken = [...ofTexts.keys()]
  return (address, languages) => {
    const language = chooseLanguage(spoken, languages) ?? 'en'
    const page = ofPages.find(({ fits }) => fits.test(address))
    return SESSION + (ofTexts.get(language) ?? '') + (page?.links ?? '')
  }
}
