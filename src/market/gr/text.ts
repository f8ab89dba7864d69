// Every text that Greece puts on a receipt, and every rule that it can refuse one for.
import { filled, type Refusal, refuse as refuseWith } from '../kit/refusal.js'
import { textsOf } from '../kit/rules.js'
import lists from './lists.json' with { type: 'json' }
import rules from './rules.json' with { type: 'json' }

export const { texts, captions } = lists
export const text = textsOf(texts)

export type Rule = keyof typeof rules

/** As the field words it: no code, and no place. */
export function refuse(rule: Rule, ...values: string[]): Refusal {
  const [text = '', member] = rules[rule]
  return refuseWith(filled(text, values), member)
}
