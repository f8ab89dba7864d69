// The rules of a country as its file (rules.json) lists them: code → words, and the wire name of
// the member at fault where there is one. Places in the words are filled from the left.
import type { Fault } from '../contract.js'
import { filled, type Refusal, ruleFault } from './refusal.js'

/** Another member than the one of the table, and which of its items, from 0 on. */
export interface Place {
  field?: string
  index?: number
}

/** Texts by their names, with their places filled from the left. */
export const textsOf =
  <T extends Readonly<Record<string, string>>>(texts: T) =>
  (name: keyof T & string, ...values: string[]): string =>
    filled(texts[name] ?? '', values)

/** As some countries word them: without a code, and without the place. */
export function plainRulesOf<T extends Readonly<Record<string, readonly string[]>>>(table: T) {
  const broken = (rule: keyof T & string, ...values: string[]): Fault => {
    const [text = '', member] = table[rule] ?? []
    const message = filled(text, values)
    return member === undefined ? { message } : { message, member }
  }
  const refuse = (...given: Parameters<typeof broken>): Refusal => ({
    kind: 'refusal',
    faults: [broken(...given)],
  })
  return { broken, refuse }
}

export function rulesOf<T extends Readonly<Record<string, readonly string[]>>>(table: T) {
  const broken = (
    rule: keyof T & string,
    values: readonly string[] = [],
    place: Place | number = {},
  ): Fault => {
    const [text = '', member] = table[rule] ?? []
    const { field, index } = typeof place === 'number' ? { field: undefined, index: place } : place
    return ruleFault({ rule, text, values, member: field ?? member, index })
  }
  const refuse = (...given: Parameters<typeof broken>): Refusal => ({
    kind: 'refusal',
    faults: [broken(...given)],
  })
  return { broken, refuse }
}
