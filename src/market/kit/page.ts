// What receipts say on a page, as far as countries have it in common: those with the tables of
// version 0, and those with words of version 2 only.
import type { CaseRules } from '../../case/rules.js'
import {
  type DocumentKind,
  type PageRules,
  PLAIN_CHARGE,
  PLAIN_PAY,
  receiptTraits,
  type ToldItem,
} from '../../case/traits.js'
import { wordOf } from '../../case/word.js'
import type { Decimal } from '../../lib/decimal.js'
import {
  chargeTraits,
  type Flag,
  payTraits,
  receiptTraits as receiptTraitsOfV0,
} from './v0-cases.js'

/** What the law wants the document to be named by: items that say it in this member. */
export const markedBy =
  (member: keyof ToldItem, marks: readonly string[]): NonNullable<PageRules['lawMark']> =>
  (item) =>
    marks.includes(item[member]) ? item[member] : undefined

/** Label and value; those without a value are left out. */
type Head = (items: readonly ToldItem[]) => readonly (readonly [label: string, value: string])[]

const headBy =
  (headOf: Head): NonNullable<PageRules['headOf']> =>
  (items) =>
    headOf(items).flatMap(([label, value]) => (value === '' ? [] : [{ label, value }]))

/** What the item with this caption says; '' : there is none. */
export const saidUnder = (items: readonly ToldItem[], name: string): string =>
  items.find(({ caption }) => caption === name)?.data ?? ''

const PLAIN = {
  signatureStyle: () => undefined,
  codeText: (data: string) => data,
  outageOf: () => undefined,
} as const satisfies Partial<PageRules>

type Needed = 'smallBusinessLaw' | 'vatOfRate' | 'lawMark' | 'keepsPaper'
type OfVersion0 = Pick<PageRules, Needed> & Omit<Partial<PageRules>, Needed | 'headOf'>

export type PageOfVersion0 = OfVersion0 & {
  /** By code, and the flags that there are. */
  documents: Readonly<Record<number, DocumentKind>>
  flags: Readonly<Partial<Record<Flag, number>>>
  /** V of version 2. */
  vatOf(code: number, rate: Decimal): number
  headOf?: Head
}

export function pageOfVersion0(page: PageOfVersion0): PageRules {
  const { documents, flags, vatOf, headOf, ...own } = page
  return {
    receiptOf: receiptTraitsOfV0(documents, flags),
    chargeOf: ({ word: { code }, rate }) => chargeTraits(code, vatOf(code, rate)),
    payOf: (word) => payTraits(word),
    ...{ ...PLAIN, ...own, ...(headOf && { headOf: headBy(headOf) }) },
  }
}

type OfVersion2 = Pick<PageRules, 'smallBusinessLaw' | 'titleOf' | 'namesOperator' | 'lawMark'>

export interface PageOfVersion2 extends OfVersion2 {
  cases: CaseRules
  /** Types of signatures that are shown folded. */
  details: readonly bigint[]
  /** Texts that the law wants the document to be named by; `lawMark`: another rule. */
  marks: readonly string[]
  headOf: Head
  /** The bit of the state that says that no unit signs. */
  outOfService: bigint
}

export function pageOfVersion2(page: PageOfVersion2): PageRules {
  const { cases, details, marks, headOf, outOfService, ...own } = page
  return {
    ...{ ...PLAIN, ...own, headOf: headBy(headOf) },
    vatOfRate: (rate, at) => cases.vatOfRate(rate, at),
    lawMark: page.lawMark ?? markedBy('data', marks),
    receiptOf: () => receiptTraits(wordOf(0n)),
    chargeOf: () => PLAIN_CHARGE,
    payOf: () => PLAIN_PAY,
    signatureStyle: (type) =>
      details.includes(type) ? { label: 'signature', detail: true, moment: false } : undefined,
    keepsPaper: (state) => (state & outOfService) !== 0n,
  }
}
