// The web service of the AEAT for records of VeriFactu, emulated: it reads the message that a
// program sends, checks it against the schemas and the rules, and keeps a register of invoices.
import { createHash } from 'node:crypto'
import { NS } from '../../device/es/verifactu.js'
import { parseXml, type XmlElement } from '../../lib/xml-read.js'
import { element, type XmlTree } from '../../lib/xml-write.js'
import { shapeFault } from '../shape.js'
import {
  type Id,
  isThere,
  type Known,
  keyOf,
  put,
  type Register,
  recentOf,
  remember,
} from './register.js'
import { brokenRules, child, own, remarks, sortable } from './rules.js'
import { shapes } from './schema.js'
import { isTaxNumber } from './tax-number.js'

export interface Asked {
  method: string
  body: string | undefined
  now: Date
}

export interface Settings {
  /** TiempoEsperaEnvio. */
  waitSeconds: number
  /** How many invoices are remembered with all that is known of them. */
  most: number
}

export interface Served {
  status: number
  text: string
}

const MOST_RECORDS = 1000

/** `register` moves where something was taken. */
export function serve(register: Register, asked: Asked, settings: Settings): Served {
  if (asked.method !== 'POST') return fault('4135', 'Método no permitido.')
  if (asked.body === undefined) return fault('4119', 'La codificación no es UTF-8.')
  let root: XmlElement
  try {
    root = parseXml(asked.body)
  } catch {
    const isTwice = asked.body.split('<?xml').length > 2
    return isTwice
      ? fault('102', 'Error interno en el servidor.')
      : fault('4103', 'Error al parsear el XML.')
  }
  const message = child(root, 'Body')?.children[0]
  if (root.name !== 'Envelope' || root.uri !== NS.soap || message === undefined) {
    return fault('4102', 'El XML no cumple el esquema: sobre SOAP.')
  }
  if (message.name === 'ConsultaFactuSistemaFacturacion')
    return answerQuery(register, message, asked)
  if (message.name !== 'RegFactuSistemaFacturacion' || message.uri !== NS.lr) {
    return fault('4118', `Operación desconocida: ${message.name}`)
  }
  return take(register, message, { ...asked, ...settings })
}

const lrTypes: ReadonlySet<string> = new Set(['request', 'row'])
const uriOf = (type: string, name: string): string | undefined => {
  if (name === 'Signature') return 'http://www.w3.org/2000/09/xmldsig#'
  if (type === 'query' || type === 'filter') return NS.query
  if (type === 'row') return NS.si
  return lrTypes.has(type) ? NS.lr : NS.si
}

type Taking = Asked & Settings

function take(register: Register, message: XmlElement, taking: Taking): Served {
  const header = child(message, 'Cabecera')
  const rows = message.children.filter(({ name }) => name === 'RegistroFactura')
  if (rows.length > MOST_RECORDS) return fault('4113', 'Más de 1.000 registros.')
  const wrong = shapeFault(message, 'request', { shapes, uriOf })
  if (wrong !== undefined) return fault('4102', `El XML no cumple el esquema: ${wrong}`)
  const issuer = header && child(header, 'ObligadoEmision')
  if (header === undefined || issuer === undefined) return fault('4136', 'Falta la cabecera.')
  if (!isTaxNumber(own(issuer, 'NIF'))) return fault('4116', 'NIF del obligado no identificado.')
  if (child(header, 'RemisionRequerimiento') !== undefined) {
    return fault('4120', 'RemisionRequerimiento no se admite en este servicio.')
  }
  register.requests += 1
  const csv = csvOf(register.requests, taking.body ?? '')
  const voluntary = child(header, 'RemisionVoluntaria')
  const isIncident = voluntary !== undefined && own(voluntary, 'Incidencia') === 'S'
  const lines = rows.map((row) => {
    const record = row.children[0] as XmlElement
    return takeOne(register, record, { ...taking, csv, isIncident, issuer: own(issuer, 'NIF') })
  })
  return answer(header, lines, { csv, ...taking })
}

interface One extends Taking {
  csv: string
  isIncident: boolean
  issuer: string
}

interface Line {
  record: XmlElement
  id: Id
  state: 'Correcto' | 'AceptadoConErrores' | 'Incorrecto'
  code: number | undefined
  duplicate: Known['state'] | undefined
}

function idOf(record: XmlElement): Id {
  const id = child(record, 'IDFactura') ?? record
  const suffix = record.name === 'RegistroAlta' ? '' : 'Anulada'
  return {
    nif: own(id, `IDEmisorFactura${suffix}`),
    number: own(id, `NumSerieFactura${suffix}`),
    date: own(id, `FechaExpedicionFactura${suffix}`),
  }
}

function takeOne(register: Register, record: XmlElement, one: One): Line {
  const id = idOf(record)
  const input = { record, issuer: one.issuer, now: one.now }
  const [broken] = brokenRules(input)
  const refuse = (code: number, duplicate?: Known['state']): Line => ({
    ...{ record, id, state: 'Incorrecto', code, duplicate },
  })
  if (broken !== undefined) return refuse(broken)
  const isAlta = record.name === 'RegistroAlta'
  const state = stateOf(register, id)
  const isRepair = own(record, 'Subsanacion') === 'S'
  if (isAlta && state !== undefined && !isRepair) return refuse(3000, state)
  if (isAlta && isRepair && state === undefined && own(record, 'RechazoPrevio') !== 'X') {
    return refuse(3002)
  }
  if (!isAlta && state === undefined && own(record, 'SinRegistroPrevio') !== 'S')
    return refuse(3002)
  if (!isAlta && state === 'Anulada') return refuse(3001, state)
  const [code] = [...chainRemarks(register, record, one), ...remarks(input)]
  const kept = isAlta ? (code === undefined ? 'Correcta' : 'AceptadaConErrores') : 'Anulada'
  put(register.there, id)
  if (!isAlta) put(register.cancelled, id)
  const before = recentOf(register, id)
  const huella = isAlta ? own(record, 'Huella') : (before?.huella ?? '')
  const told = {
    key: keyOf(id),
    ...id,
    huella,
    state: kept,
    code: String(code ?? ''),
    csv: one.csv,
  }
  remember(register, told as Known, one.most)
  register.chains[chainOf(record, one.issuer)] = own(record, 'Huella')
  return {
    record,
    id,
    state: code === undefined ? 'Correcto' : 'AceptadoConErrores',
    code,
    duplicate: undefined,
  }
}

function stateOf(register: Register, id: Id): Known['state'] | undefined {
  if (isThere(register.cancelled, id)) return 'Anulada'
  if (!isThere(register.there, id)) return undefined
  return recentOf(register, id)?.state ?? 'Correcta'
}

const chainOf = (record: XmlElement, issuer: string): string =>
  `${issuer}|${own(child(record, 'SistemaInformatico') ?? record, 'NumeroInstalacion')}`

const CLOCK_MS = 240_000

function chainRemarks(register: Register, record: XmlElement, { now, issuer }: One): number[] {
  const link = child(record, 'Encadenamiento')?.children[0]
  const before = link?.name === 'RegistroAnterior' ? own(link, 'Huella') : ''
  const huella = own(record, 'Huella')
  const known = register.chains[chainOf(record, issuer)]
  const generated = Date.parse(own(record, 'FechaHoraHusoGenRegistro'))
  return [
    ...(huellaOf(record, before) === huella ? [] : [2000]),
    ...(link?.name === 'RegistroAnterior' && !/^[0-9A-F]{64}$/.test(before) ? [2003] : []),
    ...(generated > now.getTime() + CLOCK_MS ? [2004] : []),
    ...(link?.name === 'PrimerRegistro' && known !== undefined ? [2007] : []),
    ...(before !== '' && before === huella ? [2008] : []),
  ]
}

/** The fingerprint as the document of the AEAT says it, from the texts of the record. */
export function huellaOf(record: XmlElement, before: string): string {
  const { nif, number, date } = idOf(record)
  const suffix = record.name === 'RegistroAlta' ? '' : 'Anulada'
  const fields = [
    `IDEmisorFactura${suffix}=${nif}`,
    `NumSerieFactura${suffix}=${number}`,
    `FechaExpedicionFactura${suffix}=${date}`,
    ...(suffix === ''
      ? ['TipoFactura', 'CuotaTotal', 'ImporteTotal'].map((name) => `${name}=${own(record, name)}`)
      : []),
    `Huella=${before}`,
    `FechaHoraHusoGenRegistro=${own(record, 'FechaHoraHusoGenRegistro')}`,
  ]
  return createHash('sha256').update(fields.join('&'), 'utf8').digest('hex').toUpperCase()
}

const CSV_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/** `A-` and 14 letters and digits. */
function csvOf(count: number, body: string): string {
  const hash = createHash('sha256').update(`${count}|${body}`).digest()
  const letters = [...hash.subarray(0, 14)].map((byte) => CSV_LETTERS[byte % CSV_LETTERS.length])
  return `A-${letters.join('')}`
}

// ---------------------------------------------------------------------------------- what is said

const TEXTS: Readonly<Record<number, string>> = {
  1108: 'El NIF del emisor no coincide con el de la cabecera.',
  1112: 'La fecha de expedición es posterior a la actual.',
  1150: 'El importe de una factura simplificada supera 3.000 euros.',
  1189: 'Falta el destinatario.',
  1198: 'Con calificación S2 el tipo y la cuota deben ser 0.',
  2000: 'La huella no es correcta.',
  2004: 'La fecha de generación difiere de la hora de la AEAT.',
  2005: 'El importe total no coincide con el desglose.',
  2006: 'La cuota total no coincide con el desglose.',
  2007: 'No es el primer registro de la instalación.',
  3000: 'Registro de facturación duplicado.',
  3001: 'El registro de facturación ya ha sido dado de baja.',
  3002: 'No existe el registro de facturación.',
}

const textOf = (code: number): string => TEXTS[code] ?? `Error ${code}.`

const idTree = ({ nif, number, date }: Id): XmlTree => ({
  'tik:IDEmisorFactura': nif,
  'tik:NumSerieFactura': number,
  'tik:FechaExpedicionFactura': date,
})

function answer(
  header: XmlElement,
  lines: readonly Line[],
  { csv, waitSeconds, now }: Settings & { csv: string; now: Date },
): Served {
  const taken = lines.filter(({ state }) => state !== 'Incorrecto')
  const isAll = lines.every(({ state }) => state === 'Correcto')
  const state = isAll ? 'Correcto' : taken.length === 0 ? 'Incorrecto' : 'ParcialmenteCorrecto'
  const issuer = child(header, 'ObligadoEmision') ?? header
  const nif = own(issuer, 'NIF')
  const body: XmlTree = { '@xmlns:tikR': NS.answer, '@xmlns:tik': NS.si }
  if (taken.length > 0) {
    body['tikR:CSV'] = csv
    body['tikR:DatosPresentacion'] = {
      'tik:NIFPresentador': nif,
      'tik:TimestampPresentacion': now.toISOString(),
    }
  }
  body['tikR:Cabecera'] = {
    'tik:ObligadoEmision': { 'tik:NombreRazon': own(issuer, 'NombreRazon'), 'tik:NIF': nif },
  }
  body['tikR:TiempoEsperaEnvio'] = String(waitSeconds)
  body['tikR:EstadoEnvio'] = state
  body['tikR:RespuestaLinea'] = lines.map(lineTree)
  return envelope({ 'tikR:RespuestaRegFactuSistemaFacturacion': body })
}

function lineTree({ record, id, state, code, duplicate }: Line): XmlTree {
  const operation: XmlTree = {
    'tik:TipoOperacion': record.name === 'RegistroAlta' ? 'Alta' : 'Anulacion',
  }
  for (const name of ['Subsanacion', 'RechazoPrevio', 'SinRegistroPrevio']) {
    const value = own(record, name)
    if (value !== '') operation[`tik:${name}`] = value
  }
  const line: XmlTree = { 'tikR:IDFactura': idTree(id), 'tikR:Operacion': operation }
  line['tikR:EstadoRegistro'] = state
  if (code !== undefined) {
    line['tikR:CodigoErrorRegistro'] = String(code)
    line['tikR:DescripcionErrorRegistro'] = textOf(code)
  }
  if (duplicate !== undefined) {
    line['tikR:RegistroDuplicado'] = {
      'tik:IdPeticionRegistroDuplicado': '1',
      'tik:EstadoRegistroDuplicado': duplicate,
    }
  }
  return line
}

const PAGE = 10_000

function answerQuery(register: Register, message: XmlElement, { now }: Asked): Served {
  const wrong = shapeFault(message, 'query', { shapes, uriOf })
  if (wrong !== undefined) return fault('4102', `El XML no cumple el esquema: ${wrong}`)
  const [header, filter] = ['Cabecera', 'FiltroConsulta'].map((name) => child(message, name))
  const issuer = header && child(header, 'ObligadoEmision')
  if (header === undefined || filter === undefined || issuer === undefined) {
    return fault('4136', 'Falta la cabecera.')
  }
  const dates = child(filter, 'FechaExpedicionFactura')
  const date = dates && own(dates, 'FechaExpedicionFactura')
  const period = child(filter, 'PeriodoImputacion') ?? filter
  const month = `${own(period, 'Ejercicio')}-${own(period, 'Periodo')}`
  const number = own(filter, 'NumSerieFactura')
  const after = child(filter, 'ClavePaginacion')
  const all = register.recent.filter(
    (one) =>
      one.nif === own(issuer, 'NIF') &&
      sortable(one.date).startsWith(month) &&
      (date === undefined || one.date === date) &&
      (number === '' || one.number === number),
  )
  const begin = after === undefined ? 0 : 1 + all.findIndex((one) => one.key === keyOf(idIn(after)))
  const found = all.slice(begin, begin + PAGE)
  const isMore = all.length > begin + PAGE
  const last = found.at(-1)
  const body: XmlTree = {
    ...{ '@xmlns:tikC': NS.found, '@xmlns:tik': NS.si },
    'tikC:Cabecera': {
      'tik:IDVersion': '1.0',
      'tik:ObligadoEmision': {
        ...{ 'tik:NombreRazon': own(issuer, 'NombreRazon'), 'tik:NIF': own(issuer, 'NIF') },
      },
    },
    'tikC:PeriodoImputacion': {
      ...{ 'tikC:Ejercicio': own(period, 'Ejercicio'), 'tikC:Periodo': own(period, 'Periodo') },
    },
    'tikC:IndicadorPaginacion': isMore ? 'S' : 'N',
    'tikC:ResultadoConsulta': found.length > 0 ? 'ConDatos' : 'SinDatos',
    'tikC:RegistroRespuestaConsultaFactuSistemaFacturacion': found.map((one) =>
      knownTree(one, now),
    ),
  }
  if (isMore && last !== undefined) body['tikC:ClavePaginacion'] = idTree(last)
  return envelope({ 'tikC:RespuestaConsultaFactuSistemaFacturacion': body })
}

const idIn = (of: XmlElement): Id => ({
  nif: own(of, 'IDEmisorFactura'),
  number: own(of, 'NumSerieFactura'),
  date: own(of, 'FechaExpedicionFactura'),
})

function knownTree(one: Known, now: Date): XmlTree {
  const state: XmlTree = {
    'tikC:TimestampUltimaModificacion': now.toISOString(),
    'tikC:EstadoRegistro': one.state,
  }
  if (one.code !== '') state['tikC:CodigoErrorRegistro'] = one.code
  return {
    'tikC:IDFactura': idTree(one),
    'tikC:DatosRegistroFacturacion': { 'tikC:TipoHuella': '01', 'tikC:Huella': one.huella },
    'tikC:EstadoRegistro': state,
  }
}

function fault(code: string, text: string): Served {
  const body = { faultcode: 'env:Client', faultstring: `Codigo[${code}].${text}` }
  return envelope({ 'env:Fault': body })
}

function envelope(body: XmlTree): Served {
  const text = element('env:Envelope', { '@xmlns:env': NS.soap, 'env:Body': body })
  return { status: 200, text: `<?xml version="1.0" encoding="UTF-8"?>${text}` }
}
