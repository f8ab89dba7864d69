// Makes the record of an invoice or of its cancellation, moves chain and number on, tells the
// authority where it lies in this server, and lists what is printed.
import { DeviceError } from '../../device/device.js'
import { qrBases } from '../../device/es/policies.js'
import { fileIn } from '../../device/es/ticketbai.js'
import type { EsDevice, EsIdentity } from '../../device/es/unit.js'
import type { Issuer } from '../../device/es/verifactu.js'
import type { Signature } from '../../model/receipt.js'
import type { Unit } from '../contract.js'
import { addRow } from '../kit/draft.js'
import { printedIn } from '../kit/earlier.js'
import { type Refusal, refuse as refuseWith } from '../kit/refusal.js'
import { timeLeft } from '../kit/steps.js'
import { unanswered } from '../kit/transmission.js'
import { totalsOf } from './amounts.js'
import { formats, receiptCases, type Series, taxes, types } from './cases.js'
import { isNif, plainNif } from './customer.js'
import { dayOf, type EsDraft, stampOf, timeOf } from './draft.js'
import { countRecord } from './events.js'
import { type Original, replaces, requestIn } from './history.js'
import type { LastRecord } from './queue.js'
import type { Reading } from './reading.js'
import { OUTCOMES, RECORDS, type StoredOutcome, type StoredRecord } from './rows.js'
import { captions, refuse, texts } from './text.js'
import {
  cancellationOf,
  codeOf,
  correctionOf,
  type File,
  type FileId,
  fileAgain,
  fileOf,
  linkOf,
  qrOf,
  signatureIn,
} from './ticketbai.js'
import { FULL, requestOf, SEND, sendRecords } from './transmit.js'
import { altaOf, anulacionOf, type Invoice, qrAddress, type System } from './verifactu.js'

/** Of the part of the program that makes records; a new one is told in the records from then on. */
export const VERSION = '1.0'

export type Found = Unit<EsDevice> & { identity: EsIdentity }

export interface Wanted {
  reading: Reading
  series: Series
  original: Original | undefined
  unit: Found
}

/** Its own record and what is printed of it. */
interface Made {
  record: StoredRecord
  signatures: Signature[]
}

const NOBODY: Issuer = { nif: 'B12345674', name: 'FISKALWERK EMULATION' }
/** The unit's settings say it, or the master data; the sandbox signs for nobody as well. */
function issuerOf({ input }: EsDraft, { nif, name }: EsIdentity): Issuer | undefined {
  const { company } = input.seller ?? {}
  const entered = [company?.vatId ?? '', company?.taxId ?? '', company?.taxNumber ?? '']
  const own = nif === '' ? entered.map(plainNif).find(isNif) : nif
  if (own === undefined) return input.tools.sandbox ? NOBODY : undefined
  const named = name.trim() || company?.name.trim() || own
  return { nif: own, name: named.slice(0, 120) }
}

export const systemOf = ({ input, settings }: EsDraft): System => ({
  producer: { nif: settings['producer.nif'], name: settings['producer.name'] },
  version: VERSION,
  installation: input.queue.id,
  onlyVerifactu: settings.verifiable,
  severalIssuers: settings['several-issuers'],
})

/** A unit that fails moves nothing: no number, no chain. */
export async function makeRecord(draft: EsDraft, wanted: Wanted): Promise<Refusal | undefined> {
  const { state } = draft
  const { identity, scu } = wanted.unit
  if (state.kind !== null && state.kind !== identity.kind) {
    return refuse('KindOfQueueIsFixed', [state.kind, identity.kind])
  }
  const fault = fileFault(wanted)
  if (fault !== undefined) return fault
  const issuer = issuerOf(draft, identity)
  if (issuer === undefined) return refuse('IssuerMissing', [scu.id])
  draft.state = { ...state, kind: identity.kind, issuer, scuId: scu.id }
  try {
    const maker = identity.kind === 'VeriFactu' ? agencyRecord : provinceRecord
    const made = await maker(draft, wanted, issuer)
    if (!keepsNumber(wanted.reading)) countUp(draft, wanted.series)
    return await keep(draft, wanted, made)
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
    draft.state = state
    return refuse('SigningUnit', [error.message])
  }
}

/** A correction has place and number of the file that was sent. */
function fileFault({ reading, original, unit }: Wanted): Refusal | undefined {
  if (reading.repairs === undefined || unit.identity.kind === 'VeriFactu') return undefined
  const isSent = original !== undefined && requestIn(original) !== ''
  return isSent ? undefined : refuse('PreviousReceiptType', [reading.previous])
}

/** A cancellation, and a record that is corrected. */
const keepsNumber = ({ voids, repairs }: Reading): boolean => voids || repairs !== undefined

const numberOf = ({ state }: EsDraft, series: Series): FileId => ({
  ...{ series: state[series].name, number: String(state[series].number + 1), date: '' },
})

function countUp(draft: EsDraft, series: Series): void {
  const { input, state } = draft
  const { name, number } = state[series]
  const moment = input.receipt.request.receiptMoment.toISOString()
  const next = { name, number: number + 1, moment, itemId: input.receipt.id }
  draft.state = { ...state, [series]: next }
  draft.identification += `${name}-${number + 1}`
}

/** `FWABC0000-12` → series and number, at the last of - and /. */
function idOf({ number, date }: Pick<Original, 'number' | 'date'>): FileId {
  const at = Math.max(number.lastIndexOf('-'), number.lastIndexOf('/'))
  return { series: number.slice(0, Math.max(0, at)), number: number.slice(at + 1), date }
}

const item = (caption: string, data: string, [format, type]: readonly [bigint, bigint]) => ({
  ...{ caption, data, format, type },
})

const CODES: ReadonlySet<bigint> = new Set([types.code, types.qr])

// --------------------------------------------------------------------------------------- VeriFactu

async function agencyRecord(
  draft: EsDraft,
  { reading, series, original, unit }: Wanted,
  issuer: Issuer,
): Promise<Made> {
  const { input, state, settings } = draft
  const generated = stampOf(input.moment, settings)
  const own = numberOf(draft, series)
  const today = dayOf(input.receipt.request.receiptMoment, settings)
  const before = original && { nif: issuer.nif, number: original.number, date: original.date }
  const id =
    keepsNumber(reading) && before !== undefined
      ? before
      : { nif: issuer.nif, number: `${own.series}-${own.number}`, date: today }
  const chained = { id, issuer, before: state.last, system: systemOf(draft), generated }
  const refers = original !== undefined && (reading.refunds || replaces(reading, original))
  const invoice: Invoice = {
    ...{ ...chained, type: typeOf(reading, series, original), customer: reading.customer },
    ...{ original: refers ? before : undefined, tax: taxes[unit.identity.regime] },
    ...{ description: descriptionOf(reading), totals: totalsOf(reading.lines, false) },
    repairs: reading.repairs,
  }
  const plain = reading.voids ? anulacionOf(chained) : altaOf(invoice)
  const xml = settings.verifiable
    ? plain.xml
    : await unit.device.sign(
        { xml: plain.xml, policy: 'VeriFactu', at: input.moment },
        { timeoutMs: timeLeft(draft, unit) },
      )
  const record: StoredRecord = {
    ...{ kind: 'VeriFactu', operation: reading.voids ? 'Anulacion' : 'Alta', nif: issuer.nif },
    ...{ name: issuer.name, series: '', number: id.number, date: id.date, mark: plain.huella },
    ...{ generated, xml, late: reading.late, epigraph: '' },
  }
  if (!settings.verifiable) countRecord(draft, record.operation, invoice.totals)
  const caption = reading.voids ? captions.cancelled : captions.issuer
  const signatures = [
    item(captions.huella, plain.huella, [formats.text, types.huella]),
    item(caption, issuer.nif, [formats.text, types.nif]),
  ]
  if (reading.voids) return { record, signatures }
  const told = { amount: invoice.totals.total, isVerifiable: settings.verifiable }
  const address = qrAddress(unit.identity.qrBase, id, told)
  signatures.push(item(captions.qr, address, [formats.qrOnTop, types.qr]))
  // the field knows this item without the letters of the country
  if (settings.verifiable) {
    signatures.push(item('', texts.verifiable, [formats.textOnTop, 0n]))
  }
  return { record, signatures }
}

function typeOf(reading: Reading, series: Series, original: Original | undefined): Invoice['type'] {
  if (reading.refunds) return series === 'full' ? 'R1' : 'R5'
  if (series === 'simplified') return 'F2'
  return original !== undefined && replaces(reading, original) ? 'F3' : 'F1'
}

const descriptionOf = ({ lines }: Reading): string =>
  lines.map(({ text }) => text).join(', ') || texts.sale

// --------------------------------------------------------------------------------------- TicketBAI

async function provinceRecord(
  draft: EsDraft,
  { reading, series, original, unit }: Wanted,
  issuer: Issuer,
): Promise<Made> {
  const { input, state, settings } = draft
  const { receiptMoment } = input.receipt.request
  const isOld = keepsNumber(reading) && original !== undefined
  const id: FileId = isOld
    ? idOf(original)
    : { ...numberOf(draft, series), date: dayOf(receiptMoment, settings) }
  const software = {
    producer: { nif: settings['producer.nif'], name: settings['producer.name'] },
    ...{ version: VERSION, licence: unit.identity.licence, device: input.queue.identification },
  }
  const isReplacing = original !== undefined && replaces(reading, original)
  const refers = original !== undefined && (reading.refunds || isReplacing)
  const totals = totalsOf(reading.lines, reading.customer?.other !== undefined)
  const isSale = reading.code === receiptCases.sale
  const file: File = {
    ...{ issuer, id, time: timeOf(receiptMoment, settings), replaces: isReplacing, totals },
    ...{ isSimplified: series === 'simplified', customer: reading.customer },
    refund: reading.refunds ? (series === 'full' ? 'R1' : 'R5') : undefined,
    original: refers ? idOf(original) : undefined,
    description: series === 'full' ? 'Factura' : isSale ? 'Factura Simplificada' : texts.sale,
    ...{ lines: reading.lines, before: state.last, software },
  }
  const { kind } = unit.identity
  const first = reading.repairs && original && fileIn(requestIn(original))
  const isRefused = reading.repairs !== 'N'
  const isBook = kind === 'Bizkaia'
  const repaired = isBook && isRefused ? 'Repeticion' : 'Correccion'
  const xml = reading.voids
    ? cancellationOf(issuer, id, software)
    : first === undefined
      ? fileOf(file)
      : isBook
        ? fileAgain(file, first)
        : correctionOf(file, { first, isRefused })
  const signed = await unit.device.sign(
    { xml, policy: kind, at: input.moment },
    { timeoutMs: timeLeft(draft, unit) },
  )
  const signature = signatureIn(signed)
  const record: StoredRecord = {
    operation: reading.voids ? 'Anulacion' : first === undefined ? 'Alta' : repaired,
    ...{ kind, nif: issuer.nif, xml: signed },
    ...{ name: issuer.name, ...id, mark: linkOf(signature), late: reading.late },
    ...{ generated: stampOf(input.moment, settings), epigraph: settings.epigraph },
  }
  const value = item(captions.signature, signature, [formats.base64, types.signature])
  if (reading.voids) return { record, signatures: [value] }
  // code and QR code stay those of the file that was sent, where the correction is none itself
  if (first !== undefined && original !== undefined && !isBook) {
    const own = printedIn(original.response).filter(({ type }) => CODES.has(type))
    return { record, signatures: [...own, value] }
  }
  const code = codeOf(issuer.nif, id.date, signature)
  const base = unit.identity.qrBase || qrBases[kind].test
  const address = qrOf(base, code, { ...id, total: totals.total })
  const signatures = [
    item('', code, [formats.text, types.code]),
    item('', address, [formats.qr, types.qr]),
    value,
  ]
  return { record, signatures }
}

// -------------------------------------------------------------------------------- what is stored

async function keep(
  draft: EsDraft,
  { unit, reading, original }: Wanted,
  { record, signatures }: Made,
): Promise<Refusal | undefined> {
  const { state } = draft
  const number = state.records + 1
  // cancellations of TicketBAI stand beside the chain
  const isLink = record.kind === 'VeriFactu' || record.operation === 'Alta'
  const { nif, series, date, mark, generated } = record
  const last: LastRecord = { nif, series, number: record.number, date, mark, generated }
  draft.state = { ...state, records: number, last: isLink ? last : state.last }
  if (keepsNumber(reading) && original !== undefined) draft.identification += original.number
  const told = await tell(draft, unit, { record, number })
  const request = requestOf(record, told?.isIncident ?? false)
  draft.stateData = stateDataOf({ request, response: told?.response ?? '' }, original)
  const isRefused = told?.state === 'Incorrecto'
  if (isRefused && record.kind !== 'VeriFactu') {
    // it was never received: number and link are free again
    return refuseWith(told.text)
  }
  const scuId = unit.scu.id
  addRow(draft, { kind: RECORDS, number, content: record, scuId })
  if (told !== undefined) {
    addRow(draft, { kind: OUTCOMES, number, content: told, scuId })
  }
  if (isRefused) return refuseWith(`${told.state}(${told.code}): ${told.text}`)
  draft.signatures.push(...signatures)
  if (told?.state === 'AceptadoConErrores') {
    draft.signatures.push(item(captions.warning(told.code), told.text, [formats.text, types.note]))
  }
  return undefined
}

interface Numbered {
  record: StoredRecord
  number: number
}

/** The answer of an authority that lies in this server; undefined: it is told later, or never. */
async function tell(
  draft: EsDraft,
  unit: Found,
  { record, number }: Numbered,
): Promise<StoredOutcome | undefined> {
  const { state, settings, input } = draft
  const { transmission } = state
  if (!settings.verifiable && record.kind === 'VeriFactu') {
    draft.state = { ...state, transmission: { ...transmission, sent: number } }
    return undefined
  }
  const isNext = transmission.sent === number - 1 && transmission.stopped === ''
  const key = number - transmission.sent >= 1000 ? FULL : 'records'
  const later = { kind: SEND, key, payload: {} }
  if (!unit.identity.isDirect || !isNext) {
    draft.outbox.push(later)
    return undefined
  }
  try {
    const sending = {
      device: unit.device,
      timeoutMs: timeLeft(draft, unit),
      isIncident: record.late,
    }
    const [outcome] = (await sendRecords([record], sending)).outcomes
    draft.state = { ...state, transmission: { ...transmission, sent: number } }
    return outcome
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
    draft.state = { ...state, transmission: unanswered(transmission, number, input.moment) }
    draft.outbox.push(later)
    return undefined
  }
}

/** `ES.GovernmentAPI` as the field knows it, and what was referred to, byte for byte. */
function stateDataOf(
  { request, response }: { request: string; response: string },
  original: Original | undefined,
): string {
  const api = JSON.stringify({ Request: request, Response: response, Version: 'V0' })
  const before =
    original === undefined
      ? ''
      : `,"ftPreviousReceiptReference":[{"ReceiptRequest":${original.request},` +
        `"ReceiptResponse":${original.response}}]`
  return `{"ES":{"GovernmentAPI":${api}}${before}}`
}
