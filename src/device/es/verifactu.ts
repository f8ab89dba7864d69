// Messages of the web service SistemaFacturacion (AEAT, SOAP 1.1, document/literal): written, and
// their answers read. Orden HAC/1177/2024, schemas SuministroLR, RespuestaSuministro, ConsultaLR.
import { find, parseXml, type XmlElement } from '../../lib/xml-read.js'
import { element, type XmlTree } from '../../lib/xml-write.js'
import { DeviceError, DeviceRefusal } from '../device.js'
import type { EsCall, EsReply } from './unit.js'

const WS =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/' +
  'dep/aplicaciones/es/aeat/tike/cont/ws/'
export const NS = {
  soap: 'http://schemas.xmlsoap.org/soap/envelope/',
  lr: `${WS}SuministroLR.xsd`,
  si: `${WS}SuministroInformacion.xsd`,
  answer: `${WS}RespuestaSuministro.xsd`,
  query: `${WS}ConsultaLR.xsd`,
  found: `${WS}RespuestaConsultaLR.xsd`,
  events: `${WS}EventosSIF.xsd`,
} as const

export const SERVICE_PATH = '/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP'
/** Records of one request. */
export const MOST_RECORDS = 1000

export interface Issuer {
  nif: string
  name: string
}

export interface InvoiceId {
  nif: string
  number: string
  /** `15-06-2026` */
  date: string
}

const person = ({ name, nif }: Issuer): XmlTree => ({ 'sum1:NombreRazon': name, 'sum1:NIF': nif })

/** `records`: complete elements RegistroAlta and RegistroAnulacion, exactly as they were made. */
export function submission(
  issuer: Issuer,
  records: readonly string[],
  { isIncident }: { isIncident: boolean },
): string {
  const header: XmlTree = { 'sum1:ObligadoEmision': person(issuer) }
  if (isIncident) header['sum1:RemisionVoluntaria'] = { 'sum1:Incidencia': 'S' }
  const parts = records.map((record) => `<sum:RegistroFactura>${record}</sum:RegistroFactura>`)
  return envelope(
    `<sum:RegFactuSistemaFacturacion xmlns:sum="${NS.lr}" xmlns:sum1="${NS.si}">` +
      `${element('sum:Cabecera', header)}${parts.join('')}</sum:RegFactuSistemaFacturacion>`,
  )
}

/** Everything of an issuer with one date of issue, or one number of it. */
export function query(
  issuer: Issuer,
  { date, number, after }: { date: string; number?: string; after?: InvoiceId },
): string {
  const [, month = '', year = ''] = date.split('-')
  const filter: XmlTree = {
    'con:PeriodoImputacion': { 'sum1:Ejercicio': year, 'sum1:Periodo': month },
  }
  if (number !== undefined) filter['con:NumSerieFactura'] = number
  filter['con:FechaExpedicionFactura'] = { 'sum1:FechaExpedicionFactura': date }
  if (after !== undefined) {
    filter['con:ClavePaginacion'] = {
      'sum1:IDEmisorFactura': after.nif,
      'sum1:NumSerieFactura': after.number,
      'sum1:FechaExpedicionFactura': after.date,
    }
  }
  const header: XmlTree = { 'sum1:IDVersion': '1.0', 'sum1:ObligadoEmision': person(issuer) }
  return envelope(
    element('con:ConsultaFactuSistemaFacturacion', {
      ...{ '@xmlns:con': NS.query, '@xmlns:sum1': NS.si },
      ...{ 'con:Cabecera': header, 'con:FiltroConsulta': filter },
    }),
  )
}

function envelope(body: string): string {
  return (
    `<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="${NS.soap}">` +
    `<soapenv:Header/><soapenv:Body>${body}</soapenv:Body></soapenv:Envelope>`
  )
}

export function soapCall(body: string): EsCall {
  return {
    path: SERVICE_PATH,
    type: 'text/xml; charset=utf-8',
    body,
    headers: { soapaction: '""' },
  }
}

// ---------------------------------------------------------------------------------- its answers

export type RecordState = 'Correcto' | 'AceptadoConErrores' | 'Incorrecto'

export interface Line {
  id: InvoiceId
  operation: string
  state: RecordState
  code: string
  text: string
  /** What is known of it, where the authority has it already. */
  duplicate: string
}

export interface Submitted {
  /** EstadoEnvio. */
  state: 'Correcto' | 'ParcialmenteCorrecto' | 'Incorrecto'
  csv: string
  waitSeconds: number
  lines: readonly Line[]
}

/** The whole request was refused: nothing of it was taken. */
export class RequestRefused extends DeviceRefusal {
  override name = 'RequestRefused'
  readonly code: string

  constructor(code: string, text: string) {
    super(text)
    this.code = code
  }
}

/** Throws RequestRefused for a fault, DeviceError for what is no answer. */
export function submittedIn(reply: EsReply): Submitted {
  const body = bodyOf(reply, 'RespuestaRegFactuSistemaFacturacion')
  const state = textOf(body, 'EstadoEnvio')
  if (state !== 'Correcto' && state !== 'ParcialmenteCorrecto' && state !== 'Incorrecto') {
    throw new DeviceError(`the authority answers with the state "${state.slice(0, 40)}"`)
  }
  const lines = body.children.filter(({ name }) => name === 'RespuestaLinea').map(lineOf)
  const waitSeconds = Number.parseInt(textOf(body, 'TiempoEsperaEnvio') || '0', 10)
  return { state, csv: textOf(body, 'CSV'), waitSeconds, lines }
}

function lineOf(line: XmlElement): Line {
  const state = textOf(line, 'EstadoRegistro')
  if (state !== 'Correcto' && state !== 'AceptadoConErrores' && state !== 'Incorrecto') {
    throw new DeviceError(`the authority knows the record as "${state.slice(0, 40)}"`)
  }
  const duplicate = find(line, 'RegistroDuplicado')
  return {
    ...{ id: idOf(line), operation: textOf(line, 'TipoOperacion'), state },
    ...{
      code: ownText(line, 'CodigoErrorRegistro'),
      text: ownText(line, 'DescripcionErrorRegistro'),
    },
    duplicate: duplicate === undefined ? '' : textOf(duplicate, 'EstadoRegistroDuplicado'),
  }
}

function idOf(of: XmlElement): InvoiceId {
  const id = find(of, 'IDFactura') ?? of
  const [nif, number, date] = ['IDEmisorFactura', 'NumSerieFactura', 'FechaExpedicionFactura'].map(
    (name) => textOf(id, name) || textOf(id, `${name}Anulada`),
  )
  return { nif: nif ?? '', number: number ?? '', date: date ?? '' }
}

export interface Known {
  id: InvoiceId
  huella: string
  /** Correcta, AceptadaConErrores, Anulada. */
  state: string
  code: string
  text: string
}

export interface Page {
  found: readonly Known[]
  /** Where the next page begins. */
  after: InvoiceId | undefined
}

/** Throws as submittedIn. */
export function foundIn(reply: EsReply): Page {
  const body = bodyOf(reply, 'RespuestaConsultaFactuSistemaFacturacion')
  const rows = body.children.filter(
    ({ name }) => name === 'RegistroRespuestaConsultaFactuSistemaFacturacion',
  )
  const found = rows.map((row): Known => {
    const state = row.children.find(({ name }) => name === 'EstadoRegistro') ?? row
    const data = find(row, 'DatosRegistroFacturacion') ?? row
    return {
      ...{
        id: idOf(row),
        huella: ownText(data, 'Huella'),
        state: ownText(state, 'EstadoRegistro'),
      },
      code: ownText(state, 'CodigoErrorRegistro'),
      text: ownText(state, 'DescripcionErrorRegistro'),
    }
  })
  const next = body.children.find(({ name }) => name === 'ClavePaginacion')
  const isMore = textOf(body, 'IndicadorPaginacion') === 'S'
  return { found, after: isMore && next !== undefined ? idOf(next) : undefined }
}

function bodyOf({ status, text }: EsReply, name: string): XmlElement {
  let root: XmlElement | undefined
  try {
    root = parseXml(text.replace(/^\ufeff/, ''))
  } catch {
    root = undefined
  }
  const fault = root && find(root, 'Fault')
  if (fault !== undefined) throw refusalOf(fault)
  const body = root && find(root, name)
  if (body !== undefined && status === 200) return body
  throw new DeviceError(`HTTP Error: (${status}) ${text.slice(0, 200)}`)
}

/** Codes after which the same records may be sent again: nothing is wrong with them. */
const TECHNICAL: ReadonlySet<string> = new Set([
  '102',
  '103',
  '4108',
  '4110',
  '4111',
  '4128',
  '3500',
  '3501',
])

function refusalOf(fault: XmlElement): DeviceError {
  const text = textOf(fault, 'faultstring').trim()
  const code = /Codigo\[(\d+)\]/.exec(text)?.[1] ?? ''
  const kind = textOf(fault, 'faultcode').trim()
  const message = `SOAP Error: ${kind}${code === '' ? '' : `(${code})`}: ${text}`
  if (code === '' || TECHNICAL.has(code)) return new DeviceError(message)
  return new RequestRefused(code, message)
}

export const textOf = (root: XmlElement, name: string): string => find(root, name)?.text ?? ''

const ownText = ({ children }: XmlElement, name: string): string =>
  children.find((child) => child.name === name)?.text ?? ''
