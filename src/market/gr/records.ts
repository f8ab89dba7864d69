// The document of a receipt: its number, its identity, what the authority says, what is printed.
import { DeviceError, DeviceRefusal } from '../../device/device.js'
import { type Sent, sendOne, transmittedAfter } from '../../device/gr/calls.js'
import {
  invoicesDoc,
  isDuplicate,
  memberIn,
  type Told,
  type Transmitted,
  uidOf,
} from '../../device/gr/mydata.js'
import type { MarketRow } from '../../model/journal.js'
import type { Signature } from '../../model/receipt.js'
import { shownBy } from '../kit/audit.js'
import { addAction, priority } from '../kit/draft.js'
import { type Refusal, refuse as refuseWith } from '../kit/refusal.js'
import { marketRow } from '../kit/steps.js'
import { limitMs } from '../kit/unit-mode.js'
import { formats, types } from './cases.js'
import { documentOf } from './document.js'
import { dayOf, type FoundUnit, type GrDraft } from './draft.js'
import type { Reading } from './reading.js'
import { invoiceOf, type LateMark, OUTCOMES, RECORDS, type StoredRecord } from './rows.js'
import { captions, refuse, texts } from './text.js'
import { outcomeOf, SEND } from './transmit.js'

/** MARKs of the receipts that it refers to. */
export function marksOf({ input: { previous } }: GrDraft, references: readonly string[]) {
  const marks: string[] = []
  for (const reference of references) {
    const found = previous.referred.find((one) => one.reference === reference)?.receipts ?? []
    const [receipt] = found
    if (receipt === undefined || found.length > 1) return refuse('previous', reference)
    const shown = shownBy(receipt.response).items.find(({ type }) => type === String(types.mark))
    const late = previous.newest === undefined ? undefined : lateMark(previous.newest, reference)
    const mark = shown?.data ?? late
    if (mark === undefined) return refuse('noMark')
    marks.push(mark)
  }
  return marks
}

function lateMark(newest: string, reference: string): string | undefined {
  const late = JSON.parse(newest) as LateMark
  return late.reference === reference ? late.mark : undefined
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
  const marks = marksOf(draft, reading.references)
  if ('kind' in marks) return marks
  const { receiptMoment, area, receiptReference } = input.receipt.request
  const place = input.seller?.outlet?.locationId ?? ''
  const id = {
    ...{ vat, date: dayOf(receiptMoment), branch: /^\d{1,9}$/.test(place) ? place : '0' },
    ...{ type: reading.type, series: state.series, aa: String(state.number + 1), variation: '' },
  }
  const url = `${identity.receiptBase}/${input.queue.id}/${input.receipt.id}`
  const made = documentOf(reading, { ...id, marks, url, table: area?.trim() ?? '' })
  const failure = reading.late ? lateKind(unit, 1) : 0
  const record: StoredRecord = {
    ...{ ...id, uid: uidOf(id), reference: receiptReference ?? '', xml: made.xml, failure },
  }
  return tell(draft, { reading, unit, record, marks, url })
}

interface Wanted {
  reading: Reading
  unit: FoundUnit
  record: StoredRecord
  marks: readonly string[]
  url: string
}

/** transmissionFailure: a program of the merchant has one number for both. */
const lateKind = ({ identity }: FoundUnit, provider: 1 | 2): 1 | 2 | 3 =>
  identity.channel === 'erp' ? 3 : provider

async function tell(draft: GrDraft, wanted: Wanted): Promise<Refusal | undefined> {
  const { state, input } = draft
  const { transmission, records } = state
  const { unit, record } = wanted
  // order is kept: behind documents that wait, this one waits as well
  if (transmission.sent < records) return later(draft, wanted, transmission.asked)
  const timeoutMs = timeLeft(draft, unit)
  try {
    const request = invoicesDoc([invoiceOf(record)])
    const sent = await sendOne(unit.device, { name: 'SendInvoices', request }, timeoutMs)
    showExchange(draft, unit, sent)
    if (sent.told.isTaken && memberIn(sent.told, 'invoiceMark') !== '') {
      return take(draft, wanted, sent.told)
    }
    if (!isDuplicate(sent.told)) return refuseWith(errorText(sent.told))
    const asked = { vat: record.vat, after: state.lastMark, timeoutMs: timeLeft(draft, unit) }
    const known = (await transmittedAfter(unit.device, asked)).get(record.uid)
    // this very receipt, of a process that died before it could say so
    if (known?.url === wanted.url) return take(draft, wanted, toldOf(known, record.uid))
    return duplicate(draft, record, sent.told)
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
    if (error instanceof DeviceRefusal) return refuseWith(error.message)
    draft.state = {
      ...state,
      transmission: {
        ...{ ...transmission, failures: 1, incident: records + 1 },
        since: transmission.since ?? input.moment.getTime(),
      },
    }
    return later(draft, wanted, records + 1)
  }
}

const toldOf = (known: Transmitted, uid: string): Told => ({
  ...{ index: 1, isTaken: true, statusCode: 'Success', errors: [] },
  members: [
    ['invoiceUid', uid],
    ['invoiceMark', known.mark],
    ['authenticationCode', known.authenticationCode],
    ['qrUrl', known.qrUrl],
  ],
})

export const timeLeft = ({ input, settings }: GrDraft, { scu }: FoundUnit): number =>
  limitMs(scu, settings['scu-timeout-ms']) - input.tools.elapsedMs()

export const errorText = ({ statusCode, errors }: Told): string =>
  JSON.stringify({ AADEError: statusCode, Errors: errors })

/** Its number is used there: the receipt fails, and the next one goes on behind it. */
function duplicate(draft: GrDraft, { aa, series }: StoredRecord, told: Told): Refusal {
  const code = told.errors[0]?.code ?? ''
  addAction(draft, {
    ...{ priority: priority.error, type: 'CounterBehind' },
    message:
      `AADE rejected aa ${aa} in series '${series}' as a duplicate (${code}) — the invoice ` +
      `counter was behind AADE. The counter advanced to ${aa}; the next submission reserves aa ` +
      `${Number(aa) + 1}.`,
  })
  draft.state = { ...draft.state, number: Number(aa) }
  return refuseWith(errorText(told))
}

/** Sent again later, as it is, with the mark of what has failed. */
function later(draft: GrDraft, wanted: Wanted, asked: number): undefined {
  const { state } = draft
  draft.state = { ...state, transmission: { ...state.transmission, asked } }
  const failure = wanted.record.failure || lateKind(wanted.unit, 2)
  const record = { ...wanted.record, failure }
  keep(draft, wanted, record)
  draft.outbox.push({ kind: SEND, key: 'documents', payload: {} })
  const text = failure === 1 ? texts.registerCutOff : texts.authorityCutOff
  const told = { members: [[captions.uid, record.uid]] } as const
  print(draft, { ...wanted, record }, { told, failureText: text })
  return undefined
}

function take(draft: GrDraft, wanted: Wanted, told: Told): undefined {
  const { record, unit } = wanted
  keep(draft, wanted, record)
  const outcome = outcomeOf(told)
  const number = draft.state.records
  draft.journal.push(rowOf(draft, unit, { kind: OUTCOMES, number, content: outcome }))
  const { state } = draft
  const transmission = { ...state.transmission, sent: number, failures: 0, since: null }
  draft.state = { ...state, lastMark: outcome.mark, transmission }
  const failureText = record.failure === 0 ? '' : texts.registerCutOff
  print(draft, wanted, { told, failureText })
  return undefined
}

const rowOf = (
  { input: { tools } }: GrDraft,
  { scu }: FoundUnit,
  row: { kind: string; number: number; content: object },
): MarketRow => marketRow(tools, { ...row, scuId: scu.id })

function keep(draft: GrDraft, { unit }: Wanted, record: StoredRecord): void {
  const { input, state } = draft
  const number = state.records + 1
  draft.journal.push(rowOf(draft, unit, { kind: RECORDS, number, content: record }))
  draft.identification += `${record.series}-${record.aa}`
  draft.state = {
    ...{ ...state, number: Number(record.aa), records: number, scuId: unit.scu.id },
    ...{ lastMoment: input.receipt.request.receiptMoment.toISOString() },
    lastItemId: input.receipt.id,
  }
}

// --------------------------------------------------------------------------------- what is printed

const item = (type: bigint, caption: string, data: string): Signature => ({
  ...{ caption, data, format: formats.text, type },
})

const ANSWERS: Readonly<Record<string, (name: string, data: string) => Signature>> = {
  invoiceUid: (name, data) => item(types.uid, name, data),
  invoiceMark: (name, data) => item(types.mark, name, data),
  authenticationCode: (name, data) => item(types.code, name, data),
  qrUrl: (name, data) => ({ ...item(types.qr, name, data), format: formats.qr }),
}

interface Printed {
  told: Pick<Told, 'members'>
  /** '' : nothing has failed. */
  failureText: string
}

function print(draft: GrDraft, { reading, unit, record, marks, url }: Wanted, by: Printed): void {
  const { told, failureText } = by
  const { identity } = unit
  const { failure, vat, date, branch, type, series, aa } = record
  const [year, month, day] = date.split('-')
  const known = {
    mark: memberIn(told, 'invoiceMark'),
    authenticationCode: memberIn(told, 'authenticationCode'),
  }
  const answers = told.members.map(([name, data]) => {
    const make = ANSWERS[name]
    return make === undefined ? item(types.hiddenOther, name, data) : make(name, data)
  })
  const number = [vat, `${day}/${month}/${year}`, branch, type, series, aa].join('|')
  draft.signatures.push(
    ...(failureText === '' ? [] : [item(types.failure, captions.failure(failure), failureText)]),
    ...answers,
    { ...item(types.receipt, captions.receipt, url), format: formats.qr },
    ...(reading.type === '8.6' ? [item(types.order, '', texts.order)] : []),
    ...(record.xml.includes('<multipleConnectedMarks>')
      ? [item(types.marks, '', marks.join(','))]
      : []),
    item(types.document, captions.document, number),
    item(types.provider, identity.provider.name, identity.provider.licence),
    item(types.xml, captions.xml, invoiceOfDoc(record, known)),
  )
}

const invoiceOfDoc = (record: StoredRecord, known: Parameters<typeof invoiceOf>[1]): string =>
  invoicesDoc([invoiceOf(record, known)])

/** What was said and heard, for integrators in a sandbox. */
export function showExchange(draft: GrDraft, { identity }: FoundUnit, sent: Sent): void {
  if (!draft.input.tools.sandbox) return
  const GovernmentApi = {
    ...{ Protocol: 'mydata', ProtocolVersion: '1.0', Action: `${identity.base}${sent.name}` },
    ...{ ProtocolRequest: sent.request, ProtocolResponse: sent.response },
  }
  draft.stateData = JSON.stringify({ GR: { GovernmentApi } })
}
