// What a Greek receipt says on a page. There are words of version 2 only.
import type { ToldItem } from '../../case/traits.js'
import { pageOfVersion2 } from '../kit/page.js'
import { caseRules, OUT_OF_SERVICE, types } from './cases.js'
import { captions, texts } from './text.js'

const MARKS: ReadonlySet<string> = new Set([texts.order, texts.authorityCutOff])
const DETAILS: ReadonlySet<bigint> = new Set([types.code, types.uid])

/** MARKs of the documents that it refers to, which have no caption. */
const related = (items: readonly ToldItem[]): string =>
  items.find(({ caption, data }) => caption === '' && /^\d{15}(\D+\d{15})*$/.test(data))?.data ?? ''

/** Who issued it, and its number. */
function headOf(items: readonly ToldItem[]): { label: string; value: string }[] {
  const of = (name: string) => items.find(({ caption }) => caption === name)?.data ?? ''
  const [vat = '', , , , series = '', aa = ''] = of(captions.document).split('|')
  return [
    { label: 'ΑΦΜ', value: vat },
    { label: 'Αριθμός παραστατικού', value: aa === '' ? '' : `${series}-${aa}` },
    { label: 'Μ.ΑΡ.Κ.', value: of(captions.mark) },
    { label: 'Σχετικό Μ.ΑΡ.Κ.', value: related(items) },
  ].filter(({ value }) => value !== '')
}

export const page = pageOfVersion2({
  smallBusinessLaw: 'άρθρο 44 του Κώδικα ΦΠΑ',
  vatOfRate: (rate, at) => caseRules.vatOfRate(rate, at),
  details: DETAILS,
  lawMark: ({ data }) => (MARKS.has(data) ? data : undefined),
  headOf,
  outOfService: OUT_OF_SERVICE,
})
