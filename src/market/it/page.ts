// What an Italian receipt says on a page. There are words of version 2 only.
import type { ToldItem } from '../../case/traits.js'
import { pageOfVersion2, saidUnder } from '../kit/page.js'
import { bits, caseRules, types } from './cases.js'
import { captions, texts } from './text.js'

const named = ({ caption, data }: ToldItem): string => `${caption} ${data}`.replaceAll('\n', ' ')

export const page = pageOfVersion2({
  smallBusinessLaw: 'art. 1, commi 54-89, legge 190/2014',
  cases: caseRules,
  details: [types.sha],
  mark: (item) => {
    if (item.data === texts.training) return item.data
    return item.caption === captions.document ? named(item) : undefined
  },
  title: (items) => {
    const sale = items.find(({ data }) => data === texts.sale)
    return sale === undefined ? undefined : named(sale)
  },
  head: (items) => {
    const [z = '', doc = ''] = [captions.z, captions.doc].map((name) => saidUnder(items, name))
    return [
      ['RT', saidUnder(items, captions.serial)],
      ['Documento n.', doc === '' ? z : `${z}-${doc}`],
    ]
  },
  omits: ['operator'],
  outOfService: bits.outOfService,
})
