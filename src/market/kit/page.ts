// What receipts say on a page where a country has words of version 2 only: what is the same in all.
import { type PageRules, PLAIN_CHARGE, PLAIN_PAY, receiptTraits } from '../../case/traits.js'
import { wordOf } from '../../case/word.js'

type Own = Pick<
  PageRules,
  'smallBusinessLaw' | 'vatOfRate' | 'lawMark' | 'titleOf' | 'headOf' | 'namesOperator'
>

export interface PageOfVersion2 extends Own {
  /** Types of signatures that are shown folded. */
  details: ReadonlySet<bigint>
  /** The bit of the state that says that no unit signs. */
  outOfService: bigint
}

export const pageOfVersion2 = ({ details, outOfService, ...own }: PageOfVersion2): PageRules => ({
  ...own,
  receiptOf: () => receiptTraits(wordOf(0n)),
  chargeOf: () => PLAIN_CHARGE,
  payOf: () => PLAIN_PAY,
  signatureStyle: (type) =>
    details.has(type) ? { label: 'signature', detail: true, moment: false } : undefined,
  codeText: (data) => data,
  outageOf: () => undefined,
  keepsPaper: (state) => (state & outOfService) !== 0n,
})
