// Every text that Portugal puts on a receipt, and every rule that it can refuse one for.
import { rulesOf, textsOf } from '../kit/rules.js'
import lists from './lists.json' with { type: 'json' }
import rules from './rules.json' with { type: 'json' }

export const { texts } = lists

export const text = textsOf(texts)

/** What the law wants a document to be called on paper (Despacho 8632/2014). */
export const designations: Readonly<Record<string, string>> = lists.designations

export const captions = { hash: 'Hash', line: '-----' } as const

export type Rule = keyof typeof rules
export const { broken, refuse, faultsOf, firstOf } = rulesOf(rules)
