// What a Portuguese receipt says on a page. There are words of version 2 only.
import type { ToldItem } from '../../case/traits.js'
import { isAnonymous } from '../../device/pt/document.js'
import { markedBy, pageOfVersion2 } from '../kit/page.js'
import { caseRules, OUT_OF_SERVICE, types } from './cases.js'
import { designations, texts } from './text.js'

/** Members of the QR code (AT, version 1): letter, colon, value, a star between two. */
function codeMembers(items: readonly ToldItem[]): ReadonlyMap<string, string> {
  const code = items.find(({ data }) => /^A:\d{9}\*B:/.test(data))?.data ?? ''
  const members = [...code.matchAll(/(?:^|\*)([^:*]*):([^*]*)/g)]
  return new Map(members.map(([, letter = '', value = '']) => [letter, value]))
}

/** Who issued it, what it is and its number, and for whom. */
function headOf(items: readonly ToldItem[]): [label: string, value: string][] {
  const code = codeMembers(items)
  const of = (letter: string) => code.get(letter) ?? ''
  return [
    ['NIF', of('A')],
    [designations[of('D')] ?? of('D'), of('G')],
    ['NIF do cliente', isAnonymous({ nif: of('B') }) ? '' : of('B')],
  ]
}

/** An invoice is none when it is called a receipt. */
function titleOf(items: readonly ToldItem[]): string | undefined {
  return designations[codeMembers(items).get('D') ?? '']
}

export const page = pageOfVersion2({
  smallBusinessLaw: 'Isento artigo 53.º do CIVA',
  cases: caseRules,
  details: [types.hash],
  mark: markedBy('data', [texts.noInvoice, texts.training, texts.duplicate, texts.voided]),
  ...{ title: titleOf, head: headOf, omits: [] },
  outOfService: OUT_OF_SERVICE,
})
