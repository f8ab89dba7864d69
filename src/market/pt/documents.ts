// Signs a document, moves its series on, and writes the row from which the books are exported.

import { DeviceError } from '../../device/device.js'
import {
  type BookDocument,
  type Issuer,
  isAnonymous,
  type Totals,
  UNKNOWN,
} from '../../device/pt/document.js'
import { codeText, excerptOf, signedText } from '../../device/pt/payload.js'
import { checkSigned } from '../../device/pt/signature.js'
import type { PtDevice, PtIdentity } from '../../device/pt/unit.js'
import type { Signature } from '../../model/receipt.js'
import type { Unit } from '../contract.js'
import { addRow, formats, textItem as item, saying } from '../kit/draft.js'
import { firstThatCan } from '../kit/first-unit.js'
import type { Refusal } from '../kit/refusal.js'
import { timeLeft } from '../kit/steps.js'
import { type Chain, documents, kindOf, slotOf, types } from './cases.js'
import { userId } from './customer.js'
import { localDay, localText, type PtDraft } from './draft.js'
import { type Original, paperText } from './history.js'
import type { Series } from './queue.js'
import { isWorkingChain, type Reading } from './reading.js'
import { ensureSeries } from './series.js'
import { captions, refuse, text, texts } from './text.js'

export interface Wanted {
  reading: Reading
  chain: Chain
  original: Original | undefined
}

/** A unit that fails moves nothing: no number, no chain, never an unsigned document. */
export async function makeDocument(
  draft: PtDraft,
  wanted: Wanted,
): Promise<BookDocument | Refusal> {
  const made = await firstThatCan(draft.input.units, (unit) => attempt(draft, wanted, unit))
  if (typeof made !== 'string') return made
  const series = draft.state.series[wanted.chain]
  const reason = made || 'the queue has no signing unit'
  if (series?.code === '') return refuse('SeriesWithoutCode', [series.name, reason])
  return refuse('SigningUnit', [reason])
}

async function attempt(
  draft: PtDraft,
  { reading, chain, original }: Wanted,
  unit: Unit<PtDevice>,
): Promise<BookDocument> {
  const { state, input, settings } = draft
  const limit = () => ({ timeoutMs: timeLeft(draft, unit) })
  const identity = await unit.device.identity(limit())
  const known = state.issuer?.nif ?? identity.nif
  if (known !== identity.nif) {
    throw new DeviceError(`it is of the issuer ${identity.nif}, the documents are of ${known}`)
  }
  const series = await ensureSeries(draft, chain, unit)
  const { publicKey } = identity
  const keys = state.keys.includes(publicKey) ? state.keys : [...state.keys, publicKey]
  const version = keys.indexOf(publicKey) + 1
  const local = localText(input.moment, settings)
  const entry = local < series.lastEntry ? series.lastEntry : local
  const { paper, totals } = reading
  const { type } = documents[slotOf(chain)]
  const next = series.number + 1
  const number = `${type} ${series.name}/${next}`
  const { receiptMoment } = input.receipt.request
  const date = paper === undefined ? entry.slice(0, 10) : localDay(receiptMoment, settings)
  const signed = { date, entry, number, gross: totals.gross }
  const data = Buffer.from(signedText(signed, series.lastHash))
  // before the call: the last step of a script takes the script away
  const isScripted = unit.scu.faultScript !== null
  const signature = await unit.device.sign(data, limit())
  // a unit with a fault script may answer wrongly; without one it is right by construction
  checkSigned(signature, { publicKey, data: isScripted ? data : undefined })
  const hash = signature.toString('base64')
  const moved: Series = { ...series, number: next, lastHash: hash, lastEntry: entry }
  const [issuer, scuId] = [issuerOf(draft, identity), unit.scu.id]
  draft.state = { ...state, keys, issuer, scuId, series: { ...state.series, [chain]: moved } }
  draft.identification = `${draft.identification}${number}`
  const control = paper === undefined ? `${version}` : `${version}-FTM ${paperText(paper)}`
  const made: BookDocument = {
    ...{ number, atcud: `${series.code}-${next}`, type },
    ...{ hash, control, date, entry, region: settings.region, totals, lines: reading.lines },
    source: paper === undefined ? 'P' : 'M',
    user: userId(input.receipt.request.user ?? ''),
    ...{ customer: reading.customer, payments: reading.payments },
    previous: original === undefined ? null : { number: original.number, date: original.date },
  }
  addRow(draft, { kind: chain, number: next, scuId, content: made })
  return made
}

/** Who sells, as the books name it; what nobody has entered is unknown. */
function issuerOf({ input: { seller } }: PtDraft, identity: PtIdentity): Issuer {
  const { company, outlet } = seller ?? { company: undefined, outlet: undefined }
  const named = (value: string | null | undefined) => value?.trim() || UNKNOWN
  const postalCode = outlet?.postalCode ?? company?.postalCode ?? ''
  return {
    nif: identity.nif,
    certificate: identity.certificateNumber,
    name: named(company?.name).slice(0, 100),
    address: named(outlet?.address ?? company?.street).slice(0, 210),
    city: named(outlet?.city ?? company?.city).slice(0, 50),
    postalCode: /^\d{4}-\d{3}$/.test(postalCode) ? postalCode : '0000-000',
  }
}

// --------------------------------------------------------------------------------- what is printed

/** In the order in which certified programs print them. */
export function signaturesOf(
  draft: PtDraft,
  made: BookDocument,
  { reading, chain }: Wanted,
): Signature[] {
  const { type, hash } = made
  const { paper } = reading
  const issuer = draft.state.issuer
  const code = codeText({
    ...{ ...made, ...made.totals, nif: issuer?.nif ?? '', certificate: issuer?.certificate ?? '' },
    ...{ taxes: taxesOf(made.totals, made), further: { S: draft.settings['qr-text'] } },
  })
  const certified = text('certification', excerptOf(hash), issuer?.certificate ?? '')
  const isInvoice = documents[slotOf(chain)].table === 'SalesInvoices'
  const unless = (isLeft: boolean, data: string) => textItem(isLeft ? '' : data)
  return saying(
    item(types.hash, captions.hash, hash),
    item(types.certification, captions.line, certified),
    item(types.atcud, '', text('atcud', made.atcud)),
    { ...item(types.qr, '', code), format: formats.qr },
    unless(type === 'RG', texts.taxIncluded),
    ...referenceOf(made),
    textItem(paper === undefined ? '' : text('recovered', paperText(paper))),
    unless(!isInvoice || !isAnonymous(made.customer), texts.anonymous),
    unless(!isWorkingChain(chain), texts.noInvoice),
    unless(kindOf(chain) !== 'F', texts.training),
  )
}

const taxesOf = ({ rates }: Totals, { region, type }: BookDocument) =>
  type === 'RG' ? {} : { [region]: rates }

function referenceOf({ type, previous }: BookDocument): Signature[] {
  if (previous === null) return []
  const { number } = previous
  if (type === 'NC') return [item(types.reference, text('refunded', number), texts.refund)]
  return type === 'FS' || type === 'FT'
    ? [item(types.reference, '', text('refers', number))]
    : [textItem(text('origin', number))]
}

export const textItem = (data: string): Signature => item(types.text, '', data)
