// The log of events of a register that is not verifiable at once (NO VERI*FACTU): begin and end of
// operation, exports, and a summary of what was recorded (RD 1007/2023, art. 9; EventosSIF.xsd).
import { DeviceError } from '../../device/device.js'
import { type Issuer, NS } from '../../device/es/verifactu.js'
import { two } from '../../lib/amounts.js'
import { Decimal } from '../../lib/decimal.js'
import { element, type XmlTree } from '../../lib/xml-write.js'
import { addRow } from '../kit/draft.js'
import { type Refusal, refuse as refuseWith } from '../kit/refusal.js'
import type { Totals } from './amounts.js'
import { type EsDraft, stampOf } from './draft.js'
import { type EsState, NO_SUMMARY, type QueueConfiguration } from './queue.js'
import { EVENTS, type StoredEvent, type StoredRecord } from './rows.js'
import { huellaOf, SYSTEM, type System, systemTree } from './verifactu.js'

/** 01 begin and 02 end of operation, 08 records and 09 events given out, 10 summary. */
export type EventType = '01' | '02' | '08' | '09' | '10'

export interface Event {
  type: EventType
  system: System
  issuer: Issuer
  moment: string
  before: { type: string; moment: string; huella: string } | null
  /** What a summary sums up. */
  summary?: Summary
  /** What an export gave out. */
  exported?: XmlTree
}

type Summary = typeof NO_SUMMARY & { counts: Readonly<Record<string, number>> }

export function eventHuella({ type, system, issuer, moment, before }: Event): string {
  return huellaOf([
    ['NIF', system.producer.nif],
    ['ID', ''],
    ['IdSistemaInformatico', SYSTEM.id],
    ['Version', system.version],
    ['NumeroInstalacion', system.installation],
    ['NIF', issuer.nif],
    ['TipoEvento', type],
    ['HuellaEvento', before?.huella ?? ''],
    ['FechaHoraHusoGenEvento', moment],
  ])
}

/** Before it is signed. */
export function eventOf(event: Event): { xml: string; huella: string } {
  const { type, system, issuer, moment, before, summary, exported } = event
  const huella = eventHuella(event)
  const content: XmlTree = {
    'ev:SistemaInformatico': systemTree(system, 'ev:'),
    'ev:ObligadoEmision': { 'ev:NombreRazon': issuer.name, 'ev:NIF': issuer.nif },
    'ev:FechaHoraHusoGenEvento': moment,
    'ev:TipoEvento': type,
  }
  if (summary !== undefined) {
    content['ev:DatosPropiosEvento'] = { 'ev:ResumenEventos': summaryTree(summary) }
  }
  if (exported !== undefined) content['ev:DatosPropiosEvento'] = exported
  content['ev:Encadenamiento'] =
    before === null
      ? { 'ev:PrimerEvento': 'S' }
      : {
          'ev:EventoAnterior': {
            'ev:TipoEvento': before.type,
            'ev:FechaHoraHusoGenEvento': before.moment,
            'ev:HuellaEvento': before.huella,
          },
        }
  content['ev:TipoHuella'] = '01'
  content['ev:HuellaEvento'] = huella
  const members = { '@xmlns:ev': NS.events, 'ev:IDVersion': '1.0', 'ev:Evento': content }
  return { xml: element('ev:RegistroEvento', members), huella }
}

function summaryTree({ counts, issued, cancelled, tax, total }: Summary): XmlTree {
  return {
    'ev:TipoEvento': Object.entries(counts).map(([type, count]) => ({
      'ev:TipoEvento': type,
      'ev:NumeroDeEventos': String(count),
    })),
    'ev:NumeroDeRegistrosFacturacionAltaGenerados': String(issued),
    'ev:SumaCuotaTotalAlta': tax,
    'ev:SumaImporteTotalAlta': total,
    'ev:NumeroDeRegistrosFacturacionAnulacionGenerados': String(cancelled),
  }
}

const isLogged = ({ settings, state, unit }: EsDraft): boolean =>
  !settings.verifiable && (state.kind ?? unit?.identity.kind) === 'VeriFactu'

/** Nothing where records are sent at once. */
export async function noteEvent(draft: EsDraft, type: EventType): Promise<Refusal | undefined> {
  const { unit, input, settings } = draft
  if (!isLogged(draft)) return undefined
  if (unit === undefined) return refuseWith(draft.silence)
  const { events, issuer } = draft.state
  const nif = issuer?.nif ?? (unit.identity.nif || settings['producer.nif'])
  const name = issuer?.name ?? (unit.identity.name || settings['producer.name'])
  const moment = stampOf(input.moment, settings)
  const event: Event = {
    ...{ type, issuer: { nif, name }, moment, before: events.last, system: systemFor(draft) },
    ...(type === '10' && { summary: events.summary }),
  }
  const { xml, huella } = eventOf(event)
  try {
    const limit = { timeoutMs: settings['scu-timeout-ms'] - input.tools.elapsedMs() }
    const signed = await unit.device.sign({ xml, policy: 'VeriFactu', at: input.moment }, limit)
    const content: StoredEvent = { type, moment, huella, xml: signed }
    draft.state = { ...draft.state, events: behind(events, content, input.moment) }
    const number = draft.state.events.count
    addRow(draft, { kind: EVENTS, number, content, scuId: unit.scu.id })
    return undefined
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
    return refuseWith(error.message)
  }
}

type Log = EsState['events']

/** The log with one event more. */
export function behind(events: Log, { type, moment, huella }: StoredEvent, at: Date): Log {
  const counts = { ...events.summary.counts, [type]: (events.summary.counts[type] ?? 0) + 1 }
  // a summary is the first event of the time that it begins
  const fresh = { ...NO_SUMMARY, since: at.getTime(), counts: { [type]: 1 } }
  const running = { ...events.summary, counts, since: events.summary.since || fresh.since }
  const summary = type === '10' ? fresh : running
  return { count: events.count + 1, last: { type, moment, huella }, summary }
}

/** Known only here: the interval of the law is not public where this was written. */
const SUMMARY_MS = 6 * 3_600_000

/** Sums up what was recorded in the last hours of operation; a unit that fails is asked again. */
export async function summarize(draft: EsDraft): Promise<void> {
  const { since } = draft.state.events.summary
  if (!isLogged(draft) || since === 0) return
  if (draft.input.moment.getTime() - since < SUMMARY_MS) return
  await noteEvent(draft, '10')
}

export function countRecord(
  draft: EsDraft,
  operation: StoredRecord['operation'],
  totals: Totals,
): void {
  const { events } = draft.state
  const { issued, cancelled, tax, total, ...rest } = events.summary
  const isIssued = operation === 'Alta'
  const sum = (one: string, other: string) => two(Decimal.of(one).plus(Decimal.of(other)))
  const summary = {
    ...rest,
    ...{ issued: issued + (isIssued ? 1 : 0), cancelled: cancelled + (isIssued ? 0 : 1) },
    ...{ tax: isIssued ? sum(tax, totals.tax) : tax },
    ...{ total: isIssued ? sum(total, totals.total) : total },
  }
  draft.state = { ...draft.state, events: { ...events, summary } }
}

const systemFor = ({ input, settings }: EsDraft): System => systemOf(input.queue.id, settings)

export const systemOf = (queueId: string, settings: QueueConfiguration): System => ({
  producer: { nif: settings['producer.nif'], name: settings['producer.name'] },
  version: '1.0',
  installation: queueId,
  onlyVerifactu: false,
  severalIssuers: settings['several-issuers'],
})
