// The document of a receipt: its number, its identity, what the authority says, what is printed.
import { type Sent, sendInvoice, transmittedAfter } from '../../device/gr/calls.js'
import { documentOf } from '../../device/gr/document.js'
import * as mydata from '../../device/gr/mydata.js'
import { renumbered, sameSale, underNumberOf } from '../../device/gr/whole.js'
import type { Signature } from '../../model/receipt.js'
import { shownBy } from '../kit/audit.js'
import { onlyOne } from '../kit/counted.js'
import * as drafts from '../kit/draft.js'
import { type Refusal, refuse as refuseWith } from '../kit/refusal.js'
import { heard, timeLeft } from '../kit/steps.js'
import { unanswered } from '../kit/transmission.js'
import { answers, formatsOf, types } from './cases.js'
import { dayOf, type FoundUnit, type GrDraft } from './draft.js'
import * as orphans from './orphans.js'
import type { Reading } from './reading.js'
import { type LateMark, OUTCOMES, outcomeOf, RECORDS, type StoredRecord } from './rows.js'
import { captions, refuse, text, texts } from './text.js'
import { SEND } from './transmit.js'

/** MARKs of the receipts that it refers to. */
export function marksOf({ input: { previous } }: GrDraft, references: readonly string[]) {
  const marks: string[] = []
  for (const reference of references) {
    const receipt = onlyOne({ previous }, reference)
    if (typeof receipt === 'string') return refuse('previous', reference)
    const shown = shownBy(receipt.response).items.find(({ type }) => type === String(types.mark))
    const late = drafts.newestOf<LateMark>(previous, reference)
    const mark = shown?.data ?? (late?.reference === reference ? late.mark : undefined)
    if (mark === undefined) return refuse('noMark')
    marks.push(mark)
  }
  return marks
}

/** VAT number of who issues; '' : nobody says it. */
export const issuerOf = ({ input }: GrDraft, { identity }: FoundUnit): string =>
  identity.vat || (input.seller?.company.vatId ?? '').replace(/\D/g, '')

/** A document that is refused gives its number back. */
export async function makeDocument(
  draft: GrDraft,
  reading: Reading,
  unit: FoundUnit,
): Promise<Refusal | undefined> {
  const { input, state } = draft
  const { identity } = unit
  const vat = issuerOf(draft, unit)
  if (vat === '') return refuse('vatId')
  if (identity.receiptBase === '') return refuse('receiptBase')
  if (state.series === '') return refuse('counter', input.queue.id)
  const { paper, header, marks: foreign } = reading.said
  if (paper?.series === state.series) return refuse('paperSeries', state.series)
  if (paper !== undefined && paper.vat !== vat) return refuse('paperVat', paper.vat, vat)
  const found = marksOf(draft, reading.references)
  if ('kind' in found) return found
  const marks = [...found, ...foreign]
  const { receiptMoment, area, receiptReference } = input.receipt.request
  const place = input.seller?.outlet?.locationId ?? ''
  const id = {
    ...{ vat, date: dayOf(receiptMoment), branch: /^\d{1,9}$/.test(place) ? place : '0' },
    ...{ type: reading.type, variation: String(header.invoiceVariationType ?? '') },
    ...{ series: paper?.series ?? state.series, aa: paper?.aa ?? String(state.number + 1) },
  }
  const url = `${identity.receiptBase}/${input.queue.id}/${input.receipt.id}`
  const about = { ...id, marks, url, table: area?.trim() ?? '', author: identity.provider.id }
  const xml = documentOf(reading, { ...about, sender: input.seller?.company })
  // one that was written by hand on another day is late for the loss of the device
  const isLate = reading.late || (paper !== undefined && id.date !== dayOf(input.moment))
  const failure = isLate ? lateKind(unit, 1) : 0
  const told = { uid: mydata.uidOf(id), reference: receiptReference ?? '', xml, failure } as const
  const record: StoredRecord = { ...id, ...told }
  const made = await tell(draft, { unit, record, url })
  if ('kind' in made) return made
  draft.signatures.push(...printed({ reading, unit, marks }, made))
  return undefined
}

interface Wanted {
  unit: FoundUnit
  record: StoredRecord
  url: string
}

/** What is printed of it. */
interface Made extends Pick<Wanted, 'record' | 'url'> {
  told: Pick<mydata.Told, 'members'>
  /** '' : nothing has failed. */
  failureText: string
}

/** transmissionFailure: a program of the merchant has one number for both. */
const lateKind = ({ identity }: FoundUnit, provider: 1 | 2): 1 | 2 | 3 =>
  identity.channel === 'erp' ? 3 : provider

async function tell(draft: GrDraft, wanted: Wanted): Promise<Made | Refusal> {
  const { state } = draft
  const { transmission, records } = state
  const before = orphans.leftFor(state.left, wanted.record)
  if (before !== undefined) {
    // sent by a process that died, and in the books since then
    const { aa, uid } = before
    const record = renumbered(wanted.record, { aa, uid })
    draft.identification += `${record.series}-${record.aa}`
    state.left = orphans.leftAfter(state.left, { gone: [before] })
    const told = mydata.transmittedBefore(before, record.uid)
    return { record, url: before.url, told, failureText: '' }
  }
  // order is kept: behind documents that wait, this one waits as well
  if (transmission.sent < records) return later(draft, wanted, transmission.asked)
  const answer = await heard(tellNow(draft, wanted))
  if (answer !== undefined) return answer
  silent(draft)
  return later(draft, wanted, records + 1)
}

/** Throws DeviceError where the authority is silent, DeviceRefusal where it takes no message. */
async function tellNow(draft: GrDraft, wanted: Wanted): Promise<Made | Refusal> {
  const { unit, record } = wanted
  const sent = await sendInvoice(unit.device, mydata.invoiceOf(record), timeLeft(draft, unit))
  showExchange(draft, unit, sent)
  if (markIn(sent.told) !== '') return take(draft, wanted, sent.told)
  if (!mydata.isDuplicate(sent.told)) return refuseWith(errorText(sent.told))
  const after = { vat: record.vat, after: draft.state.lastMark, timeoutMs: timeLeft(draft, unit) }
  const all = [...(await transmittedAfter(unit.device, after)).values()]
  return taken(draft, wanted, { all, told: sent.told })
}

/** '' : it was not taken. */
const markIn = (told: mydata.Told): string =>
  told.isTaken ? mydata.memberIn(told, 'invoiceMark') : ''

/** Its number is used: by this very sale, of a process that died before it could say so, or not. */
async function taken(
  draft: GrDraft,
  wanted: Wanted,
  { all, told }: { all: mydata.Transmitted[]; told: mydata.Told },
): Promise<Made | Refusal> {
  const { record, unit, url } = wanted
  const known = all.find((one) => one.uid === record.uid && one.url === url)
  if (known !== undefined) return take(draft, wanted, mydata.transmittedBefore(known, record.uid))
  const orphan = underNumberOf(record, all)
  const same = orphan && sameSale(record, orphan)
  if (orphan !== undefined && same !== undefined) {
    return take(draft, { ...wanted, record: same }, mydata.transmittedBefore(orphan, record.uid))
  }
  const refusal = duplicate(draft, record, told)
  const { series, number } = draft.state
  if (record.series !== series || orphan === undefined) return refusal
  const by = { series, aa: String(number + 1), date: dayOf(draft.input.moment), url }
  const found = orphans.endOf(record, { orphan, all }, by)
  if (found === undefined) leave(draft, unit, orphan)
  else await settle(draft, unit, found)
  return refusal
}

/** It stands in the books, until the same sale comes again. */
function leave(draft: GrDraft, unit: FoundUnit, orphan: mydata.Transmitted): void {
  const record = orphans.leftRecord(orphan)
  book(draft, { unit, record }, mydata.transmittedBefore(orphan, record.uid))
  const { state } = draft
  state.left = orphans.leftAfter(state.left, { found: [orphans.leftOf(orphan)] })
  report(draft, 'DocumentLeft', text('left', orphan.mark, record.series, record.aa))
}

const report = (draft: GrDraft, type: string, message: string): void => {
  drafts.addAction(draft, { priority: drafts.priority.error, type, message })
}

/** Sent now, or after the receipt where the authority is silent. */
async function settle(draft: GrDraft, unit: FoundUnit, { record, known }: orphans.Settlement) {
  const send = async () =>
    (await sendInvoice(unit.device, mydata.invoiceOf(record), timeLeft(draft, unit))).told
  const told = known ? mydata.transmittedBefore(known, record.uid) : await heard(send())
  if (told === undefined) {
    silent(draft)
    keep(draft, unit, { ...record, failure: lateKind(unit, 2) })
  } else if ('kind' in told || markIn(told) === '') return
  else book(draft, { unit, record }, told)
  const { settles = '', series, aa } = record
  report(draft, 'DocumentSettled', text('settled', settles, series, aa))
}

function silent({ state, input }: GrDraft): void {
  state.transmission = unanswered(state.transmission, state.records + 1, input.moment)
}

export const errorText = ({ statusCode, errors }: mydata.Told): string =>
  JSON.stringify({ AADEError: statusCode, Errors: errors })

/** Its number is used there: the receipt fails, and the next one goes on behind it. */
function duplicate(draft: GrDraft, { aa, series }: StoredRecord, told: mydata.Told): Refusal {
  const { state } = draft
  // a number on paper was given by hand: nothing of the queue moves
  if (series !== state.series) return refuseWith(errorText(told))
  const code = told.errors[0]?.code ?? ''
  const message = text('counterBehind', aa, series, code, aa, `${Number(aa) + 1}`)
  report(draft, 'CounterBehind', message)
  state.number = Number(aa)
  return refuseWith(errorText(told))
}

/** Sent again later, as it is, with the mark of what has failed. */
function later(draft: GrDraft, { unit, record: plain, url }: Wanted, asked: number): Made {
  draft.state.transmission = { ...draft.state.transmission, asked }
  const failure = plain.failure || lateKind(unit, 2)
  const record = { ...plain, failure }
  keep(draft, unit, record)
  draft.outbox.push({ kind: SEND, key: 'documents', payload: {} })
  const failureText = failure === 1 ? texts.registerCutOff : texts.authorityCutOff
  return { record, url, told: { members: [[captions.uid, record.uid]] }, failureText }
}

function take(draft: GrDraft, { unit, record, url }: Wanted, told: mydata.Told): Made {
  book(draft, { unit, record }, told)
  return { record, url, told, failureText: record.failure === 0 ? '' : texts.registerCutOff }
}

function book(draft: GrDraft, { unit, record }: Omit<Wanted, 'url'>, told: mydata.Told): void {
  keep(draft, unit, record)
  const content = outcomeOf(told)
  const { state } = draft
  const number = state.records
  drafts.addRow(draft, { kind: OUTCOMES, number, content, scuId: unit.scu.id })
  state.lastMark = content.mark
  state.transmission = { ...state.transmission, sent: number, failures: 0, since: null }
}

function keep(draft: GrDraft, { scu: { id: scuId } }: FoundUnit, record: StoredRecord): void {
  const { input, state } = draft
  state.records += 1
  drafts.addRow(draft, { kind: RECORDS, number: state.records, content: record, scuId })
  draft.identification += `${record.series}-${record.aa}`
  if (record.series === state.series) state.number = Number(record.aa)
  const lastMoment = input.receipt.request.receiptMoment.toISOString()
  Object.assign(state, { scuId, lastMoment, lastItemId: input.receipt.id })
}

// --------------------------------------------------------------------------------- what is printed

const item = (name: keyof typeof types, caption: string, data: string): Signature => ({
  ...drafts.textItem(types[name], caption, data),
  format: drafts.formats[formatsOf[name] ?? 'text'],
})

type Beside = Pick<Wanted, 'unit'> & { reading: Reading; marks: readonly string[] }

function printed({ reading, unit: { identity }, marks }: Beside, made: Made): Signature[] {
  const { told, failureText, record, url } = made
  const { failure, vat, date, branch, type, series, aa } = record
  const [year, month, day] = date.split('-')
  const of = (name: string) => mydata.memberIn(told, name)
  const known = { mark: of('invoiceMark'), authenticationCode: of('authenticationCode') }
  const { paper } = reading.said
  const isConnected = record.xml.includes('<multipleConnectedMarks>')
  const number = [vat, `${day}/${month}/${year}`, branch, type, series, aa].join('|')
  return [
    ...drafts.saying(item('failure', text('failure', `${failure}`), failureText)),
    ...told.members.map(([name, data]) => item(answers[name] ?? 'hiddenOther', name, data)),
    item('receipt', captions.receipt, url),
    ...drafts.saying(
      // of the text that binds the receipt on paper
      item('paper', '', paper === undefined ? '' : `${identity.receiptBase}/${paper.hash}`),
      item('order', '', reading.type === '8.6' ? texts.order : ''),
    ),
    ...(isConnected ? [item('marks', '', marks.join(','))] : []),
    item('document', captions.document, number),
    item('provider', identity.provider.name, identity.provider.licence),
    item('xml', captions.xml, mydata.invoicesDoc([mydata.invoiceOf(record, known)])),
  ]
}

/** What was said and heard, for integrators in a sandbox. */
export function showExchange(draft: GrDraft, { identity }: FoundUnit, sent: Sent): void {
  if (!draft.input.tools.sandbox) return
  const GovernmentApi = {
    ...{ Protocol: 'mydata', ProtocolVersion: '1.0', Action: `${identity.base}${sent.name}` },
    ...{ ProtocolRequest: sent.request, ProtocolResponse: sent.response },
  }
  draft.stateData = JSON.stringify({ GR: { GovernmentApi } })
}
