// Messages of the three Basque provinces: files of TicketBAI and the book LROE of Bizkaia on their
// way, and their answers read (ticketBaiResponse.xsd; Batuz, LROE 240 and 140).
import { gzipSync } from 'node:zlib'
import { find, type XmlElement } from '../../lib/xml-read.js'
import { element } from '../../lib/xml-write.js'
import { DeviceError } from '../device.js'
import { readXml } from '../remote.js'
import { type FileKind, paths } from './policies.js'
import type { EsCall, EsReply, Province } from './unit.js'
import { type Issuer, textOf } from './verifactu.js'

export const ISSUE = 'urn:ticketbai:emision'
export const CANCEL = 'urn:ticketbai:anulacion'
export const CORRECT = 'urn:ticketbai:zuzendu-alta'
const LROE = 'https://www.batuz.eus/fitxategiak/batuz/LROE/esquemas/'

/** Signed files of one kind and one year. */
export interface Book {
  issuer: Issuer
  year: string
  what: FileKind
  files: readonly string[]
  /** IAE code (model 140). */
  epigraph: string
}

/** Persons have another book than companies. */
export const modelOf = (nif: string): '240' | '140' => (/^[\dKLMXYZ]/.test(nif) ? '140' : '240')

const BOOKS = {
  '240': {
    issue: [
      'LROEPJ240FacturasEmitidasConSGAltaPeticion',
      'LROE_PJ_240_1_1_FacturasEmitidas_ConSG_AltaPeticion_V1_0_2.xsd',
    ],
    cancel: [
      'LROEPJ240FacturasEmitidasConSGAnulacionPeticion',
      'LROE_PJ_240_1_1_FacturasEmitidas_ConSG_AnulacionPeticion_V1_0_0.xsd',
    ],
    ...{ list: 'FacturasEmitidas', one: 'FacturaEmitida' },
  },
  '140': {
    issue: [
      'LROEPF140IngresosConFacturaConSGAltaPeticion',
      'LROE_PF_140_1_1_Ingresos_ConfacturaConSG_AltaPeticion_V1_0_2.xsd',
    ],
    cancel: [
      'LROEPF140IngresosConFacturaConSGAnulacionPeticion',
      'LROE_PF_140_1_1_Ingresos_ConfacturaConSG_AnulacionPeticion_V1_0_0.xsd',
    ],
    ...{ list: 'Ingresos', one: 'Ingreso' },
  },
} as const

/** A: new, AN: cancelled; M: a file that the book has, said rightly. */
const OPERATIONS: Readonly<Record<FileKind, string>> = {
  ...{ issue: 'A00', cancel: 'AN0', correct: 'M00' },
}

/** The file of a request: a book has it inside. */
export function fileIn(request: string): string {
  const [, packed] = /<TicketBai>([^<]+)<\/TicketBai>/.exec(request) ?? []
  return packed === undefined ? request : Buffer.from(packed, 'base64').toString('utf8')
}

/** The book with the files in it, as Bizkaia wants them. */
export function lroe({ issuer, year, what, files, epigraph }: Book): string {
  const isCancelling = what === 'cancel'
  const model = modelOf(issuer.nif)
  const { list, one, ...names } = BOOKS[model]
  const [name, schema] = isCancelling ? names.cancel : names.issue
  const rows = files.map((file) => {
    const content = Buffer.from(file, 'utf8').toString('base64')
    if (isCancelling) return { AnulacionTicketBai: content }
    if (model === '240') return { TicketBai: content }
    return { TicketBai: content, Renta: { DetalleRenta: { Epigrafe: epigraph } } }
  })
  const body = element(`lroe:${name}`, {
    '@xmlns:lroe': LROE + schema,
    Cabecera: {
      ...{ Modelo: model, Capitulo: '1', Subcapitulo: '1.1' },
      ...{ Operacion: OPERATIONS[what], Version: '1.0', Ejercicio: year },
      ObligadoTributario: { NIF: issuer.nif, ApellidosNombreRazonSocial: issuer.name },
    },
    [list]: { [one]: rows },
  })
  return `<?xml version="1.0" encoding="UTF-8"?>${body}`
}

export function callOf(province: Province, book: Book): EsCall {
  const path = paths[province][book.what]
  if (province !== 'Bizkaia') return { path, type: 'application/xml', body: book.files[0] ?? '' }
  const { issuer, year } = book
  const data = {
    ...{ con: 'LROE', apa: '1.1', inte: { nif: issuer.nif, nrs: issuer.name } },
    drs: { mode: modelOf(issuer.nif), ejer: year },
  }
  // headers are ASCII: other letters stand as JSON writes them
  const ascii = JSON.stringify(data).replace(
    /[\u0080-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return {
    ...{ path, type: 'application/octet-stream', body: gzipSync(lroe(book)) },
    headers: {
      ...{ 'content-encoding': 'gzip', 'eus-bizkaia-n3-version': '1.0' },
      ...{ 'eus-bizkaia-n3-content-type': 'application/xml', 'eus-bizkaia-n3-data': ascii },
    },
  }
}

/** Headers of answers that say how a book was taken. */
export const N3_HEADERS = [
  'eus-bizkaia-n3-tipo-respuesta',
  'eus-bizkaia-n3-codigo-respuesta',
  'eus-bizkaia-n3-mensaje-respuesta',
] as const

export interface Told {
  isTaken: boolean
  /** Taken, and something is said to it. */
  warnings: boolean
  code: string
  text: string
  csv: string
}

/** One for each file of the book. Throws DeviceError for what is no answer. */
export function answerOf(province: Province, reply: EsReply, { what, files }: Book): Told[] {
  return province === 'Bizkaia' ? bookAnswer(reply, files.length) : [fileAnswer(reply, what)]
}

/** What the file wants is so, its answer got lost: received before, cancelled before. */
const ALREADY: Readonly<Record<FileKind, string>> = { issue: '005', cancel: '009', correct: '' }

function fileAnswer(reply: EsReply, what: FileKind): Told {
  const output = find(read(reply), 'Salida')
  const state = output && textOf(output, 'Estado')
  if (output === undefined || (state !== '00' && state !== '01')) throw noAnswer(reply)
  const results = output.children.filter(({ name }) => name === 'ResultadosValidacion')
  const found = results.map((one) => [textOf(one, 'Codigo'), textOf(one, 'Descripcion')] as const)
  const isKnown = found.length > 0 && found.every(([code]) => code === ALREADY[what])
  return {
    ...{ isTaken: state === '00' || isKnown, warnings: found.length > 0 },
    code: found.map(([code]) => code).join(','),
    text: found.map(([code, text]) => `${code}: ${text}`).join('; '),
    csv: textOf(output, 'CSV'),
  }
}

const TECHNICAL: ReadonlySet<string> = new Set(['B4_1000004', 'N3_0000011'])
/** The same in Bizkaia. */
const BOOKED: ReadonlySet<string> = new Set(['B4_2000003', 'B4_2000006'])

function bookAnswer(reply: EsReply, files: number): Told[] {
  const [type = '', code = '', message = ''] = N3_HEADERS.map((name) => reply.headers[name] ?? '')
  if (TECHNICAL.has(code)) throw new DeviceError(`${code}: ${message}`)
  const root = reply.text.trim() === '' ? undefined : read(reply)
  const rows = root && (find(root, 'Registros')?.children ?? [])
  if (rows !== undefined && rows.length === files) {
    return rows.map((row) => {
      const state = textOf(row, 'EstadoRegistro')
      const found = textOf(row, 'CodigoErrorRegistro')
      const text = textOf(row, 'DescripcionErrorRegistroES')
      const isTaken = /^(Correcto|AceptadoConErrores|Anulado)$/.test(state) || BOOKED.has(found)
      const told = found === '' ? '' : `${found}: ${text}`
      return { isTaken, warnings: isTaken && found !== '', code: found, text: told, csv: '' }
    })
  }
  if (type !== 'Incorrecto') throw noAnswer(reply)
  const text = `${code}: ${message}`
  return Array.from({ length: files }, () => ({
    ...{ isTaken: false, warnings: false, code, text, csv: '' },
  }))
}

function read(reply: EsReply): XmlElement {
  const error = noAnswer(reply)
  if (reply.status === 200) return readXml(reply.text, error.message)
  throw error
}

const noAnswer = ({ status, text }: EsReply): DeviceError =>
  new DeviceError(`HTTP Error: (${status}) ${text.slice(0, 200)}`)
