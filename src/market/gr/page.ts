// What a Greek receipt says on a page. There are words of version 2 only.
import type { ToldItem } from '../../case/traits.js'
import { markedBy, pageOfVersion2, saidUnder } from '../kit/page.js'
import { caseRules, OUT_OF_SERVICE, types } from './cases.js'
import { captions, texts } from './text.js'

/** MARKs of the documents that it refers to, which have no caption. */
const related = (items: readonly ToldItem[]): string =>
  items.find(({ caption, data }) => caption === '' && /^\d{15}(\D+\d{15})*$/.test(data))?.data ?? ''

/** Who issued it, and its number. */
function headOf(items: readonly ToldItem[]): [label: string, value: string][] {
  const [vat = '', , , , series = '', aa = ''] = saidUnder(items, captions.document).split('|')
  return [
    ['ΑΦΜ', vat],
    ['Αριθμός παραστατικού', aa === '' ? '' : `${series}-${aa}`],
    ['Μ.ΑΡ.Κ.', saidUnder(items, captions.mark)],
    ['Σχετικό Μ.ΑΡ.Κ.', related(items)],
  ]
}

export const page = pageOfVersion2({
  smallBusinessLaw: 'άρθρο 44 του Κώδικα ΦΠΑ',
  cases: caseRules,
  details: [types.code, types.uid],
  mark: markedBy('data', [texts.order, texts.authorityCutOff]),
  ...{ head: headOf, omits: ['operator'] },
  outOfService: OUT_OF_SERVICE,
})
