// Every text that Greece puts on a receipt, and every rule that it can refuse one for.
import { plainRulesOf, textsOf } from '../kit/rules.js'
import lists from './lists.json' with { type: 'json' }
import rules from './rules.json' with { type: 'json' }

export const { texts, captions } = lists
export const text = textsOf(texts)

export type Rule = keyof typeof rules
export const { refuse, firstOf } = plainRulesOf(rules)
