// What a French receipt says on a page: the words of version 0.
import type { SignatureStyle, ToldAmount, ToldItem } from '../../case/traits.js'
import type { Tagging } from '../../case/word.js'
import { Decimal } from '../../lib/decimal.js'
import { JsonNumber, objectIn } from '../../lib/json.js'
import { textIn } from '../../model/json-members.js'
import { membersIn } from '../kit/jws.js'
import { documentBy, markedBy, omitting, pageOfVersion0 } from '../kit/page.js'
import { payTraits } from '../kit/v0-cases.js'
import {
  type ChargeBucket,
  chargeBucket,
  documents,
  receiptFlags,
  type SignatureName,
  signatureTypes,
  stateBits,
  vatOfRate,
} from './cases.js'
import lists from './lists.json' with { type: 'json' }
import { captions } from './text.js'
import { type BlockMember, perpetualName } from './totals.js'

/** V of version 2. */
const vats: Readonly<Record<ChargeBucket, number>> = lists.vats
/** Debit and credit cards of others. */
const CARDS = [0x04, 0x05]

const marked = markedBy('caption', [captions.provisional, captions.noProof, captions.training])

const TOTALS = ['shift', 'day', 'month', 'year', 'archive', 'perpetual'] as const

/** What they are called on paper, in this order. */
const TOLD = lists.totalsOnPaper as [member: BlockMember, name: string][]

function amounts(data: string): ToldAmount[] | undefined {
  const members = objectIn(data)
  if (members === undefined) return undefined
  const told = TOLD.flatMap(([member, name]) => {
    const value = members.get(member) ?? members.get(perpetualName(member))
    const amount = value instanceof JsonNumber ? Decimal.parse(value.text) : undefined
    if (amount === undefined || (name !== '' && amount.isZero)) return []
    return [{ name, amount }]
  })
  // without a total the rest says nothing
  return told[0]?.name === '' ? told : undefined
}

function signatureStyle(type: bigint): SignatureStyle | undefined {
  const is = (tagging: Tagging) => (name: SignatureName) => signatureTypes[tagging][name] === type
  const found = TOTALS.find((name) => is('v0')(name) || is('v2')(name))
  return found && { label: `${found}Totals`, detail: false, as: amounts }
}

/** Numbers of the outlet and of the certificate stand in the signed document alone. */
function headOf(items: readonly ToldItem[]): [label: string, value: string][] {
  const document = items.find(({ data }) => data.startsWith('eyJ'))
  return [['SIRET', textIn(membersIn(document?.data ?? ''), 'siret')]]
}

export const page = pageOfVersion0({
  smallBusinessLaw: 'art. 293 B du CGI',
  documents,
  flags: { training: receiptFlags.training, void: receiptFlags.void, late: receiptFlags.failed },
  vatOf: (code, rate) => vats[chargeBucket(code, rate)],
  payOf: (word) => payTraits({ ...word, flags: 0 }, CARDS),
  vatOfRate,
  signatureStyle,
  toldBy: documentBy({
    mark: (item) => (item.caption === captions.duplicate ? item.data : marked(item)),
    head: headOf,
  }),
  omits: omitting([], { tableCheck: ['tax', 'payments'] }),
  keepsPaper: (state) => (state & BigInt(stateBits.outOfService)) !== 0n,
})
