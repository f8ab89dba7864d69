// What an Italian receipt says on a page. There are words of version 2 only.
import type { ToldItem } from '../../case/traits.js'
import { pageOfVersion2 } from '../kit/page.js'
import { bits, caseRules, types } from './cases.js'
import { captions, texts } from './text.js'

const DETAILS: ReadonlySet<bigint> = new Set([types.sha])

const named = ({ caption, data }: ToldItem): string => `${caption} ${data}`.replaceAll('\n', ' ')

export const page = pageOfVersion2({
  smallBusinessLaw: 'art. 1, commi 54-89, legge 190/2014',
  vatOfRate: (rate, at) => caseRules.vatOfRate(rate, at),
  details: DETAILS,
  lawMark: (item) => {
    if (item.data === texts.training) return item.data
    return item.caption === captions.document ? named(item) : undefined
  },
  titleOf: (items) => {
    const sale = items.find(({ data }) => data === texts.sale)
    return sale === undefined ? undefined : named(sale)
  },
  headOf: (items) => {
    const of = (name: string) => items.find(({ caption }) => caption === name)?.data ?? ''
    const [z, doc] = [of(captions.z), of(captions.doc)]
    const number = doc === '' ? z : `${z}-${doc}`
    return [
      { label: 'RT', value: of(captions.serial) },
      { label: 'Documento n.', value: number },
    ].filter(({ value }) => value !== '')
  },
  outOfService: bits.outOfService,
})
