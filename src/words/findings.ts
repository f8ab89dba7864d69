// What verifiers hold and find: rules by their codes, each with the part of the verdict that it
// belongs to, and sentences in other languages by the shape of the English one. A JSON file per
// country.
import { readFileSync } from 'node:fs'
import { type Told, type Translate, translators } from '../lib/phrases.js'
import type spanish from './findings/es.json'
import type french from './findings/fr.json'
import type greek from './findings/gr.json'
import type italian from './findings/it.json'
import type portuguese from './findings/pt.json'

interface Files {
  es: typeof spanish
  fr: typeof french
  gr: typeof greek
  it: typeof italian
  pt: typeof portuguese
}

export type Country = keyof Files
export type CodeOf<C extends Country> = keyof Files[C]['rules'] & string

/**
 * What must hold, under its part of the verdict. What breaks the rule of a notice is lawful, or
 * cannot be decided from the file.
 */
type Rule = { log: string } | { content: string } | { notice: string }

interface File {
  rules: Readonly<Record<string, Rule>>
  /** Left out: findings are told in English. */
  findings?: readonly unknown[]
}

export interface FindingWords<Code extends string> {
  /** Code → what must hold. Codes are stable: scripts compare them. */
  rules: Readonly<Record<Code, string>>
  contentCodes: ReadonlySet<string>
  notices: ReadonlySet<string>
  /** Undefined: there is no phrase for it. */
  wording: { fr: Translate; de: Translate }
}

/** A quoted name or value of the file alone is told as it is. */
const QUOTED = /^"(?:\\.|[^"\\])*"$/

export function findingWords<C extends Country>(country: C): FindingWords<CodeOf<C>> {
  const path = new URL(`findings/${country}.json`, import.meta.url)
  const file: File = JSON.parse(readFileSync(path, 'utf8')) as Files[C]
  const told = Object.entries(file.rules).map(([code, rule]) => ({ code, rule }))
  const codesOf = (part: string) =>
    new Set(told.flatMap(({ code, rule }) => (part in rule ? [code] : [])))
  const { fr, de } = translators((file.findings ?? []) as Told[])
  const plain = (to: Translate) => (text: string) => (QUOTED.test(text) ? text : to(text))
  return {
    rules: Object.fromEntries(
      told.map(({ code, rule }) => [code, Object.values(rule)[0] ?? '']),
    ) as Record<CodeOf<C>, string>,
    contentCodes: codesOf('content'),
    notices: codesOf('notice'),
    wording: { fr: plain(fr), de: plain(de) },
  }
}
