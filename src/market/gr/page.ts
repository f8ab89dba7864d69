// What a Greek receipt says on a page. There are words of version 2 only.
import {
  type PageRules,
  PLAIN_CHARGE,
  PLAIN_PAY,
  receiptTraits,
  type ToldItem,
} from '../../case/traits.js'
import { wordOf } from '../../case/word.js'
import { caseRules, OUT_OF_SERVICE, types } from './cases.js'
import { captions, texts } from './text.js'

const MARKS: ReadonlySet<string> = new Set([texts.order, texts.authorityCutOff])
const DETAILS: ReadonlySet<bigint> = new Set([types.code, types.uid])

/** Who issued it, and its number. */
function headOf(items: readonly ToldItem[]): { label: string; value: string }[] {
  const of = (name: string) => items.find(({ caption }) => caption === name)?.data ?? ''
  const [vat = '', , , , series = '', aa = ''] = of(captions.document).split('|')
  return [
    { label: 'ΑΦΜ', value: vat },
    { label: 'Αριθμός παραστατικού', value: aa === '' ? '' : `${series}-${aa}` },
    { label: 'Μ.ΑΡ.Κ.', value: of(captions.mark) },
  ].filter(({ value }) => value !== '')
}

export const page: PageRules = {
  smallBusinessLaw: 'άρθρο 44 του Κώδικα ΦΠΑ',
  receiptOf: () => receiptTraits(wordOf(0n)),
  chargeOf: () => PLAIN_CHARGE,
  payOf: () => PLAIN_PAY,
  vatOfRate: (rate, at) => caseRules.vatOfRate(rate, at),
  signatureStyle: (type) =>
    DETAILS.has(type) ? { label: 'signature', detail: true, moment: false } : undefined,
  lawMark: ({ data }) => (MARKS.has(data) ? data : undefined),
  headOf,
  codeText: (data) => data,
  outageOf: () => undefined,
  keepsPaper: (state) => (state & OUT_OF_SERVICE) !== 0n,
}
