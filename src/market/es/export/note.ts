// What the log of events says of an export (NO VERI*FACTU): which records or events were given out.

import type { EsDevice } from '../../../device/es/unit.js'
import { two } from '../../../lib/amounts.js'
import { Decimal } from '../../../lib/decimal.js'
import type { XmlTree } from '../../../lib/xml-write.js'
import type { Ticks } from '../../../model/export-source.js'
import type { OutboxWorker, Unit } from '../../contract.js'
import { marketRow } from '../../kit/draft.js'
import { each } from '../../kit/receipt-range.js'
import { isUsed } from '../../kit/unit-mode.js'
import { stampOf } from '../draft.js'
import { behind, type Event, eventOf, systemOf } from '../events.js'
import { type EsState, esState, type QueueConfiguration } from '../queue.js'
import { EVENTS, RECORDS, type StoredEvent, type StoredRecord } from '../rows.js'

/** Types of journals: records, and the log itself. */
const TYPES: Readonly<Record<string, '08' | '09'>> = {
  ...{ '0x4553200000000001': '08', '0x4553200000001001': '08', '0x4553200000000003': '09' },
}
const TIMEOUT_MS = 30_000

export const noteExport: OutboxWorker = async (work) => {
  const { payload, source, tools } = work
  const state = esState.parse(JSON.parse(source.state))
  const settings = source.queue.configuration as QueueConfiguration
  const type = TYPES[String(payload.type)]
  const { issuer, events } = state
  if (type === undefined || settings.verifiable || state.kind !== 'VeriFactu' || issuer === null) {
    return
  }
  const range = { from: BigInt(String(payload.from)), to: BigInt(String(payload.to)) }
  const given = await (type === '08' ? recordsOf : eventsOf)(work.source, range)
  const unit = work.units.find(({ scu }) => isUsed(scu)) as Unit<EsDevice> | undefined
  if (given === undefined) return
  if (unit === undefined) throw new Error('there is no signing unit')
  const at = tools.now()
  const event: Event = {
    ...{ type, issuer, moment: stampOf(at, settings), before: events.last },
    system: systemOf(source.queue.id, settings),
    exported: given.tree,
  }
  const { xml, huella } = eventOf(event)
  const limit = { timeoutMs: TIMEOUT_MS }
  const signed = await unit.device.sign({ xml, policy: 'VeriFactu', at }, limit)
  const content: StoredEvent = { type, moment: event.moment, huella, xml: signed }
  const row = { kind: EVENTS, number: events.count + 1, content, scuId: unit.scu.id }
  const note = { itemId: given.itemId, journal: [marketRow(work, row)], actions: [] }
  await work.write([note], (now: EsState) => {
    // a receipt has written another one meanwhile: this one is made anew behind it
    if (now.events.count !== events.count) throw new Error('the log of events has moved on')
    return { ...now, events: behind(now.events, content, at) }
  })
}

interface Given {
  tree: XmlTree
  /** Of the newest of them. */
  itemId: string
}
type Source = Parameters<OutboxWorker>[0]['source']

/** Nothing stops being kept here. */
const KEPT = 'N'

/** Undefined: there was nothing in it. */
async function recordsOf(source: Source, range: Ticks): Promise<Given | undefined> {
  let [first, last]: (StoredRecord | undefined)[] = []
  let [itemId, issued, cancelled] = ['', 0, 0]
  let [tax, total] = [Decimal.ZERO, Decimal.ZERO]
  for await (const { content, queueItemId } of each(source.marketRows({ kind: RECORDS, range }))) {
    last = JSON.parse(content) as StoredRecord
    first ??= last
    itemId = queueItemId
    if (last.operation === 'Alta') {
      issued += 1
      tax = tax.plus(amountIn(last, 'CuotaTotal'))
      total = total.plus(amountIn(last, 'ImporteTotal'))
    } else cancelled += 1
  }
  if (first === undefined || last === undefined) return undefined
  const tree = {
    'ev:FechaHoraHusoInicioPeriodoExport': first.generated,
    'ev:FechaHoraHusoFinPeriodoExport': last.generated,
    'ev:RegistroFacturacionInicialPeriodo': recordId(first),
    'ev:RegistroFacturacionFinalPeriodo': recordId(last),
    'ev:NumeroDeRegistrosFacturacionAltaExportados': String(issued),
    'ev:SumaCuotaTotalAlta': two(tax),
    'ev:SumaImporteTotalAlta': two(total),
    'ev:NumeroDeRegistrosFacturacionAnulacionExportados': String(cancelled),
    'ev:RegistrosFacturacionExportadosDejanDeConservarse': KEPT,
  }
  return { tree: { 'ev:ExportacionRegFacturacionPeriodo': tree }, itemId }
}

const recordId = ({ nif, number, date, mark }: StoredRecord): XmlTree => ({
  ...{ 'ev:IDEmisorFactura': nif, 'ev:NumSerieFactura': number },
  ...{ 'ev:FechaExpedicionFactura': date, 'ev:Huella': mark },
})

const amountIn = ({ xml }: StoredRecord, name: string): Decimal =>
  Decimal.of(new RegExp(`<(?:\\w+:)?${name}>([^<]+)<`).exec(xml)?.[1] ?? '0')

async function eventsOf(source: Source, range: Ticks): Promise<Given | undefined> {
  let [first, last]: (StoredEvent | undefined)[] = []
  let [itemId, count] = ['', 0]
  for await (const { content, queueItemId } of each(source.marketRows({ kind: EVENTS, range }))) {
    last = JSON.parse(content) as StoredEvent
    first ??= last
    itemId = queueItemId
    count += 1
  }
  if (first === undefined || last === undefined) return undefined
  const tree = {
    'ev:FechaHoraHusoInicioPeriodoExport': first.moment,
    'ev:FechaHoraHusoFinPeriodoExport': last.moment,
    'ev:RegistroEventoInicialPeriodo': eventId(first),
    'ev:RegistroEventoFinalPeriodo': eventId(last),
    'ev:NumeroDeRegEventoExportados': String(count),
    'ev:RegEventoExportadosDejanDeConservarse': KEPT,
  }
  return { tree: { 'ev:ExportacionRegEventoPeriodo': tree }, itemId }
}

const eventId = ({ type, moment, huella }: StoredEvent): XmlTree => ({
  ...{ 'ev:TipoEvento': type, 'ev:FechaHoraHusoEvento': moment, 'ev:HuellaEvento': huella },
})
