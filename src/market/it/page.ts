// What an Italian receipt says on a page. There are words of version 2 only.
import { pageOfVersion2 } from '../kit/page.js'
import { bits, caseRules, types } from './cases.js'
import { captions, texts } from './text.js'

const DETAILS: ReadonlySet<bigint> = new Set([types.sha])

export const page = pageOfVersion2({
  smallBusinessLaw: 'art. 1, commi 54-89, legge 190/2014',
  vatOfRate: (rate, at) => caseRules.vatOfRate(rate, at),
  details: DETAILS,
  lawMark: ({ caption, data }) => {
    if (data === texts.training) return data
    return caption === captions.document ? `${caption} ${data}`.replaceAll('\n', ' ') : undefined
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
