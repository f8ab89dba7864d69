// What a Spanish receipt says on a page. There are words of version 2 only.
import type { ToldItem } from '../../case/traits.js'
import { pageOfVersion2 } from '../kit/page.js'
import { caseRules, OUT_OF_SERVICE, types } from './cases.js'
import { captions, texts } from './text.js'

const MARKS: ReadonlySet<string> = new Set([texts.cancelled, texts.copy])
const DETAILS: ReadonlySet<bigint> = new Set([types.signature, types.huella])

/** Members of the address in the QR code, of both systems. */
function addressIn(items: readonly ToldItem[]): URLSearchParams {
  const code = items.find(({ data }) => /^https:\/\/\S+[?&](?:numserie|nf)=/.test(data))?.data ?? ''
  return new URLSearchParams(code.slice(code.indexOf('?') + 1))
}

/** Who issued it, and its number. */
function headOf(items: readonly ToldItem[]): { label: string; value: string }[] {
  const code = addressIn(items)
  const of = (name: string) => code.get(name) ?? ''
  const number = of('numserie') || [of('s'), of('nf')].filter((one) => one !== '').join('-')
  // what cancels another has no code
  const cancelled = items.find(({ caption }) => caption === captions.cancelled)?.data ?? ''
  const nif = of('nif') || (/^TBAI-([^-]+)-/.exec(of('id'))?.[1] ?? cancelled)
  return [
    { label: 'NIF', value: nif },
    { label: 'Factura n.º', value: number },
  ].filter(({ value }) => value !== '')
}

export const page = pageOfVersion2({
  smallBusinessLaw: 'artículo 20 de la Ley 37/1992',
  vatOfRate: (rate, at) => caseRules.vatOfRate(rate, at),
  details: DETAILS,
  lawMark: ({ data }) => (MARKS.has(data) ? data : undefined),
  headOf,
  outOfService: OUT_OF_SERVICE,
})
