// Records on their way to the authority of their territory: how they are sent, and what its answers
// mean. While a receipt is made, or after it was stored.

import { DeviceError } from '../../device/device.js'
import type { FileKind } from '../../device/es/policies.js'
import * as basque from '../../device/es/ticketbai.js'
import type { EsDevice, EsKind, Province } from '../../device/es/unit.js'
import {
  foundIn,
  type InvoiceId,
  type Issuer,
  type Line,
  MOST_RECORDS,
  query,
  soapCall,
  submission,
  submittedIn,
} from '../../device/es/verifactu.js'
import type { StoredMarketRow } from '../../model/journal.js'
import type { OutboxWork, Unit } from '../contract.js'
import { marketRow } from '../kit/draft.js'
import { reported, unitOf } from '../kit/steps.js'
import { type Answered, type Courier, type Cursor, keptIn, sending } from '../kit/transmission.js'
import { type EsState, esState } from './queue.js'
import { OUTCOMES, RECORDS, type StoredOutcome, type StoredRecord } from './rows.js'

export interface Sending {
  device: EsDevice
  timeoutMs: number
  isIncident: boolean
}

/** One request, and what came of each of its records. Throws DeviceError. */
export function sendRecords(
  records: readonly StoredRecord[],
  sending: Sending,
): Promise<Answered<StoredOutcome>> {
  const kind = records[0]?.kind ?? 'VeriFactu'
  return kind === 'VeriFactu' ? sendToAgency(records, sending) : sendToProvince(records, sending)
}

/** What is sent for a record by itself. */
export function requestOf(record: StoredRecord, isIncident: boolean): string {
  const { kind, name, nif, xml } = record
  // a signed record is kept, and sent to nobody (NO VERI*FACTU)
  if (kind === 'VeriFactu' && xml.includes('<ds:Signature')) return xml
  if (kind === 'VeriFactu') return submission({ nif, name }, [xml], { isIncident })
  return kind === 'Bizkaia' ? basque.lroe(bookOf([record])) : xml
}

// --------------------------------------------------------------------------------------- VeriFactu

const issuerOf = ({ nif, name }: StoredRecord): Issuer => ({ nif, name })

async function sendToAgency(
  records: readonly StoredRecord[],
  { device, timeoutMs, isIncident }: Sending,
): Promise<Answered<StoredOutcome>> {
  const [first] = records
  if (first === undefined) return { outcomes: [], waitMs: 0 }
  const xml = records.map((record) => record.xml)
  const body = submission(issuerOf(first), xml, { isIncident })
  const reply = await device.call(soapCall(body), { timeoutMs })
  const { csv, waitSeconds, lines } = submittedIn(reply)
  if (lines.length !== records.length) {
    throw new DeviceError(`the answer has ${lines.length} lines for ${records.length} records`)
  }
  const outcomes = records.map((record, at) => {
    const line = lines[at]
    if (line === undefined || line.id.number !== record.number) {
      throw new DeviceError(`the answer says nothing of ${record.number}`)
    }
    return { ...outcomeOf(record, line), csv, isIncident, response: lineAlone(reply.text, at) }
  })
  return { outcomes, waitMs: waitSeconds * 1000 }
}

const DUPLICATE = '3000'

/** The same record once more is no error: its first answer got lost. */
function outcomeOf({ kind }: StoredRecord, { state, code, text, duplicate }: Line) {
  if (state === 'Incorrecto' && code === DUPLICATE && /^Corre|^Acep/.test(duplicate)) {
    const known = duplicate.startsWith('Corre') ? 'Correcto' : 'AceptadoConErrores'
    return { kind, state: known, code, text } as const
  }
  return { kind, state, code, text }
}

/** An answer with one of its lines only. */
function lineAlone(text: string, wanted: number): string {
  let at = -1
  return text.replace(/<(\w+:)?RespuestaLinea>[\s\S]*?<\/\1?RespuestaLinea>/g, (line) => {
    at += 1
    return at === wanted ? line : ''
  })
}

/** Those from the first one on that are there. */
async function findAtAgency(
  records: readonly StoredRecord[],
  device: EsDevice,
): Promise<StoredOutcome[]> {
  const [first] = records
  if (first === undefined) return []
  const known = new Map<string, Awaited<ReturnType<typeof pageOf>>['found'][number]>()
  for (const date of new Set(records.map((record) => record.date))) {
    let after: InvoiceId | undefined
    do {
      const page = await pageOf(device, issuerOf(first), { date, ...(after && { after }) })
      for (const one of page.found) known.set(`${one.id.number}|${one.id.date}`, one)
      after = page.after
    } while (after !== undefined)
  }
  const outcomes: StoredOutcome[] = []
  for (const record of records) {
    const found = known.get(`${record.number}|${record.date}`)
    const isThere =
      found !== undefined &&
      (record.operation === 'Alta' ? found.huella === record.mark : found.state === 'Anulada')
    if (!isThere) break
    const state = found.state === 'AceptadaConErrores' ? 'AceptadoConErrores' : 'Correcto'
    const { code, text } = found
    const asked = { csv: '', isIncident: false, response: '' }
    outcomes.push({ kind: record.kind, state, code, text, ...asked })
  }
  return outcomes
}

const OUTBOX_TIMEOUT_MS = 30_000

async function pageOf(device: EsDevice, issuer: Issuer, asked: Parameters<typeof query>[1]) {
  const limit = { timeoutMs: OUTBOX_TIMEOUT_MS }
  return foundIn(await device.call(soapCall(query(issuer, asked)), limit))
}

// --------------------------------------------------------------------------------------- TicketBAI

const FILES: Readonly<Record<StoredRecord['operation'], FileKind>> = {
  ...{ Alta: 'issue', Anulacion: 'cancel', Correccion: 'correct', Repeticion: 'issue' },
}

const bookOf = (records: readonly StoredRecord[]): basque.Book => ({
  issuer: { nif: records[0]?.nif ?? '', name: records[0]?.name ?? '' },
  year: records[0]?.date.slice(-4) ?? '',
  what: FILES[records[0]?.operation ?? 'Alta'],
  files: records.map(({ xml }) => xml),
  epigraph: records[0]?.epigraph ?? '',
})

async function sendToProvince(
  records: readonly StoredRecord[],
  { device, timeoutMs, isIncident }: Sending,
): Promise<Answered<StoredOutcome>> {
  const province = records[0]?.kind as Province
  const book = bookOf(records)
  const reply = await device.call(basque.callOf(province, book), { timeoutMs })
  const told = basque.answerOf(province, reply, book)
  const outcomes = told.map(({ isTaken, warnings, code, text, csv }) => {
    const state = !isTaken ? 'Incorrecto' : warnings ? 'AceptadoConErrores' : 'Correcto'
    const rest = { code, text, csv, isIncident, response: reply.text }
    return { kind: province, state, ...rest } as const
  })
  return { outcomes, waitMs: 0 }
}

// ------------------------------------------------------------------------- after it was stored

export const SEND = 'send'
/** Beside the usual one, where so many have gathered that nobody waits any longer. */
export const FULL = 'full'

const recordIn = ({ content }: StoredMarketRow) => JSON.parse(content) as StoredRecord

export const workSend = sending(esState, (work, { kind }) => ({
  kept: keptIn<EsState>(),
  courier: courierOf(work, unitOf<EsDevice>(work), kind ?? 'VeriFactu'),
}))

/** Of a book in one request; other provinces take one file at a time. */
const MOST_OF_BOOK = 100

function courierOf(
  work: OutboxWork,
  { scu, device }: Unit<EsDevice>,
  kind: EsKind,
): Courier<StoredOutcome> {
  const most = kind === 'VeriFactu' ? MOST_RECORDS : kind === 'Bizkaia' ? MOST_OF_BOOK : 1
  const isIncident = (row: StoredMarketRow, { incident }: Cursor) =>
    row.number <= incident || recordIn(row).late
  return {
    ...{ chain: RECORDS, most },
    together: (rows, cursor) => {
      const key = (row: StoredMarketRow) => {
        const { nif, operation, date } = recordIn(row)
        const book = kind === 'VeriFactu' ? '' : `${operation} ${date.slice(-4)}`
        return `${nif} ${isIncident(row, cursor)} ${book}`
      }
      const [first] = rows
      const end = rows.findIndex((row) => first !== undefined && key(row) !== key(first))
      return end < 0 ? rows.length : end
    },
    send: (rows, cursor) => {
      const [first] = rows
      const flagged = first !== undefined && isIncident(first, cursor)
      const sending = { device, timeoutMs: OUTBOX_TIMEOUT_MS, isIncident: flagged }
      return sendRecords(rows.map(recordIn), sending)
    },
    ...(kind === 'VeriFactu' && {
      find: (rows: readonly StoredMarketRow[]) => findAtAgency(rows.map(recordIn), device),
    }),
    note: (row, outcome) => {
      const { queueItemId: itemId, number } = row
      const content = outcome satisfies StoredOutcome
      const told = marketRow(work, { kind: OUTCOMES, number, scuId: scu.id, content })
      const isRefused = outcome.state === 'Incorrecto'
      const message = `${recordIn(row).number}: ${outcome.code} ${outcome.text}`
      const actions = isRefused ? [reported(work, { type: 'RecordRefused', message })] : []
      return { itemId, journal: [told], actions }
    },
  }
}
