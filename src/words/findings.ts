// What verifiers hold and find, told in other languages: rules by their codes, and sentences by the
// shape of the English one. A JSON file per country.
import { readFileSync } from 'node:fs'
import { type Told, type Translate, translators } from '../lib/phrases.js'
import type french from './findings/fr.json'
import type portuguese from './findings/pt.json'

interface Files {
  fr: typeof french
  pt: typeof portuguese
}

export interface FindingWords<R> {
  /** Code → what must hold. Codes are stable: scripts compare them. */
  rules: R
  /** Undefined: there is no phrase for it. */
  wording: { fr: Translate; de: Translate }
}

/** A quoted name or value of the file alone is told as it is. */
const QUOTED = /^"(?:\\.|[^"\\])*"$/

export function findingWords<C extends keyof Files>(country: C): FindingWords<Files[C]['rules']> {
  const file = new URL(`findings/${country}.json`, import.meta.url)
  const { rules, findings } = JSON.parse(readFileSync(file, 'utf8')) as Files[C]
  const { fr, de } = translators(findings as unknown as Told[])
  const plain = (to: Translate) => (text: string) => (QUOTED.test(text) ? text : to(text))
  return { rules, wording: { fr: plain(fr), de: plain(de) } }
}
