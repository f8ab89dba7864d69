// What receipts say on a page, as far as countries have it in common: those with the tables of
// version 0, and those with words of version 2 only.
import type { CaseRules } from '../../case/rules.js'
import {
  type DocumentKind,
  type PagePart,
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

/** What an item says over the receipt; undefined: it is an item like others. */
type Mark = (item: ToldItem) => string | undefined

/** What the law wants the document to be named by: items that say it in this member. */
export const markedBy =
  (member: keyof ToldItem, marks: readonly string[]): Mark =>
  (item) =>
    marks.includes(item[member]) ? item[member] : undefined

interface OfDocument {
  mark: Mark
  title?(items: readonly ToldItem[]): string | undefined
  /** Label and value; those without a value are left out. */
  head?(items: readonly ToldItem[]): readonly (readonly [label: string, value: string])[]
}

/** What items say about a document: the marks that every country has, a title and a head. */
export const documentBy =
  ({ mark, title, head }: OfDocument): PageRules['toldBy'] =>
  (items) => ({
    marks: items.flatMap((item) => {
      const text = mark(item)
      return text === undefined ? [] : [{ text, item }]
    }),
    title: title?.(items),
    head: (head?.(items) ?? []).flatMap(([label, value]) =>
      value === '' ? [] : [{ label, value }],
    ),
  })

/** These parts are on no document; `more`: and these on one of that kind. */
export const omitting =
  (
    parts: readonly PagePart[],
    more: Readonly<Partial<Record<DocumentKind, readonly PagePart[]>>> = {},
  ): PageRules['omits'] =>
  (document) =>
    new Set([...parts, ...(more[document] ?? [])])

/** What the item with this caption says; '' : there is none. */
export const saidUnder = (items: readonly ToldItem[], name: string): string =>
  items.find(({ caption }) => caption === name)?.data ?? ''

const PLAIN = {
  signatureStyle: () => undefined,
  codeText: (data: string) => data,
  outageOf: () => undefined,
} as const satisfies Partial<PageRules>

type Said = 'smallBusinessLaw' | 'toldBy' | 'omits'
type Needed = Said | 'vatOfRate' | 'keepsPaper'
type OfVersion0 = Pick<PageRules, Needed> & Partial<PageRules>

export type PageOfVersion0 = OfVersion0 & {
  /** By code, and the flags that there are. */
  documents: Readonly<Record<number, DocumentKind>>
  flags: Readonly<Partial<Record<Flag, number>>>
  /** V of version 2. */
  vatOf(code: number, rate: Decimal): number
}

export function pageOfVersion0(page: PageOfVersion0): PageRules {
  const { documents, flags, vatOf, ...own } = page
  return {
    receiptOf: receiptTraitsOfV0(documents, flags),
    chargeOf: ({ word: { code }, rate }) => chargeTraits(code, vatOf(code, rate)),
    payOf: (word) => payTraits(word),
    ...{ ...PLAIN, ...own },
  }
}

export interface PageOfVersion2 extends Pick<PageRules, 'smallBusinessLaw'>, OfDocument {
  cases: CaseRules
  /** On no document. */
  omits: readonly PagePart[]
  /** Types of signatures that are shown folded. */
  details: readonly bigint[]
  /** The bit of the state that says that no unit signs. */
  outOfService: bigint
}

export function pageOfVersion2(page: PageOfVersion2): PageRules {
  const { cases, details, outOfService, smallBusinessLaw, omits, ...told } = page
  return {
    ...{ ...PLAIN, smallBusinessLaw, toldBy: documentBy(told), omits: omitting(omits) },
    vatOfRate: (rate, at) => cases.vatOfRate(rate, at),
    receiptOf: () => receiptTraits(wordOf(0n)),
    chargeOf: () => PLAIN_CHARGE,
    payOf: () => PLAIN_PAY,
    signatureStyle: (type) =>
      details.includes(type) ? { label: 'signature', detail: true, as: 'data' } : undefined,
    keepsPaper: (state) => (state & outOfService) !== 0n,
  }
}
