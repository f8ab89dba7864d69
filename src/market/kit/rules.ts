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

type Table = Readonly<Record<string, readonly string[]>>
type RuleOf<T extends Table> = keyof T & string
/** Whether a rule is broken, which, and the values of its words. */
type Check<R> = readonly [isBroken: boolean, rule: R, ...values: string[]]

function checksOf<R extends string>(broken: (rule: R, values: string[]) => Fault) {
  const refusalOf = (fault: Fault): Refusal => ({ kind: 'refusal', faults: [fault] })
  const faultsOf = (...checks: readonly Check<R>[]): Fault[] =>
    checks.flatMap(([isBroken, rule, ...values]) => (isBroken ? broken(rule, values) : []))
  return {
    refusalOf,
    /** One for each rule that is broken. */
    faultsOf,
    /** Of the first one. */
    firstOf: (...checks: readonly Check<R>[]): Refusal | undefined => {
      const [first] = faultsOf(...checks)
      return first && refusalOf(first)
    },
  }
}

/** As some countries word them: without a code, and without the place. */
export function plainRulesOf<T extends Table>(table: T) {
  const broken = (rule: RuleOf<T>, ...values: string[]): Fault => {
    const [text = '', member] = table[rule] ?? []
    const message = filled(text, values)
    return member === undefined ? { message } : { message, member }
  }
  const checks = checksOf<RuleOf<T>>((rule, values) => broken(rule, ...values))
  const refuse = (...given: Parameters<typeof broken>): Refusal =>
    checks.refusalOf(broken(...given))
  return { broken, refuse, ...checks }
}

export function rulesOf<T extends Table>(table: T) {
  const broken = (
    rule: RuleOf<T>,
    values: readonly string[] = [],
    place: Place | number = {},
  ): Fault => {
    const [text = '', member] = table[rule] ?? []
    const { field, index } = typeof place === 'number' ? { field: undefined, index: place } : place
    return ruleFault({ rule, text, values, member: field ?? member, index })
  }
  const checks = checksOf<RuleOf<T>>(broken)
  const refuse = (...given: Parameters<typeof broken>): Refusal =>
    checks.refusalOf(broken(...given))
  return { broken, refuse, ...checks }
}
