// Every text that Greece puts on a receipt, and every rule that it can refuse one for.
import { filled, type Refusal, refuse as refuseWith } from '../kit/refusal.js'
import lists from './lists.json' with { type: 'json' }
import rules from './rules.json' with { type: 'json' }

interface Numbered {
  series: string
  aa: string
}

export const texts = {
  ...lists.texts,
  moved: (to: Numbered, from: Numbered) =>
    `${from.series}-${from.aa} is told as ${to.series}-${to.aa}: AADE has another document under ` +
    'its number, whose process died before it could store its receipt.',
} as const

export const captions = {
  ...lists.captions,
  failure: (kind: number) => `Transmission Failure_${kind}`,
} as const

export type Rule = keyof typeof rules

/** As the field words it: no code, and no place. */
export function refuse(rule: Rule, ...values: string[]): Refusal {
  const [text = '', member] = rules[rule]
  return refuseWith(filled(text, values), member)
}
