// What a Spanish receipt says on a page. There are words of version 2 only.
import type { ToldItem } from '../../case/traits.js'
import { markedBy, pageOfVersion2, saidUnder } from '../kit/page.js'
import { caseRules, OUT_OF_SERVICE, types } from './cases.js'
import { captions, texts } from './text.js'

/** Members of the address in the QR code, of both systems. */
function addressIn(items: readonly ToldItem[]): URLSearchParams {
  const code = items.find(({ data }) => /^https:\/\/\S+[?&](?:numserie|nf)=/.test(data))?.data ?? ''
  return new URLSearchParams(code.slice(code.indexOf('?') + 1))
}

/** Who issued it, and its number. */
function headOf(items: readonly ToldItem[]): [label: string, value: string][] {
  const code = addressIn(items)
  const of = (name: string) => code.get(name) ?? ''
  const number = of('numserie') || [of('s'), of('nf')].filter((one) => one !== '').join('-')
  // what cancels another has no code
  const cancelled = saidUnder(items, captions.cancelled)
  const nif = of('nif') || (/^TBAI-([^-]+)-/.exec(of('id'))?.[1] ?? cancelled)
  return [
    ['NIF', nif],
    ['Factura n.º', number],
  ]
}

export const page = pageOfVersion2({
  smallBusinessLaw: 'artículo 20 de la Ley 37/1992',
  cases: caseRules,
  details: [types.signature, types.huella],
  mark: markedBy('data', [texts.cancelled, texts.copy]),
  ...{ head: headOf, omits: ['operator'] },
  outOfService: OUT_OF_SERVICE,
})
