// What an Italian receipt says on a page. There are words of version 2 only.
import { type PageRules, PLAIN_CHARGE, PLAIN_PAY, receiptTraits } from '../../case/traits.js'
import { wordOf } from '../../case/word.js'
import { bits, caseRules, types } from './cases.js'
import { captions, texts } from './text.js'

const DETAILS: ReadonlySet<bigint> = new Set([types.sha])

export const page: PageRules = {
  smallBusinessLaw: 'art. 1, commi 54-89, legge 190/2014',
  receiptOf: () => receiptTraits(wordOf(0n)),
  chargeOf: () => PLAIN_CHARGE,
  payOf: () => PLAIN_PAY,
  vatOfRate: (rate, at) => caseRules.vatOfRate(rate, at),
  signatureStyle: (type) =>
    DETAILS.has(type) ? { label: 'signature', detail: true, moment: false } : undefined,
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
  codeText: (data) => data,
  outageOf: () => undefined,
  keepsPaper: (state) => (state & bits.outOfService) !== 0n,
}
