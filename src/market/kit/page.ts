// What receipts say on a page where a country has words of version 2 only: what is the same in all.
import type { CaseRules } from '../../case/rules.js'
import {
  type PageRules,
  PLAIN_CHARGE,
  PLAIN_PAY,
  receiptTraits,
  type ToldItem,
} from '../../case/traits.js'
import { wordOf } from '../../case/word.js'

type Own = Pick<PageRules, 'smallBusinessLaw' | 'titleOf' | 'namesOperator' | 'lawMark'>

export interface PageOfVersion2 extends Own {
  cases: CaseRules
  /** Types of signatures that are shown folded. */
  details: readonly bigint[]
  /** Texts that the law wants the document to be named by; `lawMark`: another rule. */
  marks: readonly string[]
  /** Label and value; those without a value are left out. */
  headOf(items: readonly ToldItem[]): readonly (readonly [label: string, value: string])[]
  /** The bit of the state that says that no unit signs. */
  outOfService: bigint
}

/** What the item with this caption says; '' : there is none. */
export const saidUnder = (items: readonly ToldItem[], name: string): string =>
  items.find(({ caption }) => caption === name)?.data ?? ''

export function pageOfVersion2(page: PageOfVersion2): PageRules {
  const { cases, details, marks, headOf, outOfService, ...own } = page
  const byText = ({ data }: ToldItem) => (marks.includes(data) ? data : undefined)
  return {
    ...own,
    vatOfRate: (rate, at) => cases.vatOfRate(rate, at),
    lawMark: page.lawMark ?? byText,
    headOf: (items) =>
      headOf(items).flatMap(([label, value]) => (value === '' ? [] : [{ label, value }])),
    receiptOf: () => receiptTraits(wordOf(0n)),
    chargeOf: () => PLAIN_CHARGE,
    payOf: () => PLAIN_PAY,
    signatureStyle: (type) =>
      details.includes(type) ? { label: 'signature', detail: true, moment: false } : undefined,
    codeText: (data) => data,
    outageOf: () => undefined,
    keepsPaper: (state) => (state & outOfService) !== 0n,
  }
}
