// Files of TicketBAI 1.2 for the three provinces: the XML before it is signed, the code with its
// check digits, and the address of the QR code (ticketBaiV1-2-2.xsd, Anula_ticketBaiV1-2-2.xsd).
import { CANCEL, CORRECT, ISSUE } from '../../device/es/ticketbai.js'
import type { Issuer } from '../../device/es/verifactu.js'
import { quotient } from '../../lib/amounts.js'
import { Decimal } from '../../lib/decimal.js'
import { parseXml, type XmlElement } from '../../lib/xml-read.js'
import { element, type XmlTree } from '../../lib/xml-write.js'
import { type Group, type Line, partOf, ratesOf, SCALE, type Totals } from './amounts.js'
import type { Customer } from './customer.js'
import type { LastRecord } from './queue.js'
import { surchargeTree } from './verifactu.js'

export interface Software {
  producer: Issuer
  version: string
  licence: string
  /** Serial number of the register. */
  device: string
}

export interface FileId {
  series: string
  number: string
  /** `15-06-2026` */
  date: string
}

export interface File {
  issuer: Issuer
  id: FileId
  /** `10:30:15` */
  time: string
  isSimplified: boolean
  /** R1 or R5 of a refund. */
  refund: 'R1' | 'R5' | undefined
  /** It replaces a simplified invoice. */
  replaces: boolean
  /** Refunded or replaced. */
  original: FileId | undefined
  description: string
  customer: Customer | undefined
  lines: readonly Line[]
  totals: Totals
  before: LastRecord | null
  software: Software
}

const HEADER: XmlTree = { IDVersionTBAI: '1.2' }
const person = ({ nif, name }: Issuer): XmlTree => ({ NIF: nif, ApellidosNombreRazonSocial: name })
const idTree = ({ series, number, date }: FileId): XmlTree => ({
  ...{ SerieFactura: series, NumFactura: number, FechaExpedicionFactura: date },
})

/**
 * Without declaration, and without the signature that goes in front of its end. Small letters in
 * the prefix: the library for signatures sorts namespaces as people do, which is what the
 * canonical form wants for these only.
 */
export const fileOf = (file: File, print = chain(file.before, file.software)): string =>
  element('tb:TicketBai', {
    ...{ '@xmlns:tb': ISSUE, Cabecera: HEADER, ...saleOf(file), HuellaTBAI: print },
  })

/** As `first`, said rightly, where the file itself is sent once more: a book of Bizkaia. */
export const fileAgain = (file: File, first: string): string => fileOf(file, printIn(first))

/**
 * A file that was sent, said rightly (Zuzendu): under its number, with the place in the chain that
 * it had. `isRefused`: the authority did not take it. Names and order as public programs send them.
 */
export const correctionOf = (file: File, { first, isRefused }: Correction): string =>
  element('tb:SubsanacionModificacionTicketBAI', {
    '@xmlns:tb': CORRECT,
    Cabecera: { IDVersion: '1.0', Accion: isRefused ? 'SUBSANAR' : 'MODIFICAR' },
    ...saleOf(file),
    HuellaTBAI: printIn(first),
    SignatureValueFirmaFactura: linkOf(signatureIn(first)),
  })

export interface Correction {
  /** The file that was sent. */
  first: string
  isRefused: boolean
}

function printIn(file: string): XmlTree {
  const print = parseXml(file).children.find(({ name }) => name === 'HuellaTBAI')
  return Object.fromEntries((print?.children ?? []).map((one) => [one.name, treeOf(one)]))
}

const treeOf = ({ children, text }: XmlElement): XmlTree | string =>
  children.length === 0 ? text : Object.fromEntries(children.map((one) => [one.name, treeOf(one)]))

/** Who sells what to whom. */
function saleOf(file: File): XmlTree {
  const { issuer, id, customer, refund, replaces, original } = file
  const parties: XmlTree = { Emisor: person(issuer) }
  if (customer !== undefined) parties.Destinatarios = { IDDestinatario: recipient(customer) }
  parties.VariosDestinatarios = 'N'
  parties.EmitidaPorTercerosODestinatario = 'N'
  const head: XmlTree = {
    ...{ SerieFactura: id.series, NumFactura: id.number, FechaExpedicionFactura: id.date },
    ...{ HoraExpedicionFactura: file.time, FacturaSimplificada: file.isSimplified ? 'S' : 'N' },
  }
  if (replaces) head.FacturaEmitidaSustitucionSimplificada = 'S'
  if (refund !== undefined) head.FacturaRectificativa = { Codigo: refund, Tipo: 'I' }
  if (original !== undefined) {
    head.FacturasRectificadasSustituidas = { IDFacturaRectificadaSustituida: idTree(original) }
  }
  const body = { DatosFactura: content(file), TipoDesglose: kinds(file) }
  return { Sujetos: parties, Factura: { CabeceraFactura: head, ...body } }
}

export function cancellationOf(issuer: Issuer, id: FileId, software: Software): string {
  return element('tb:AnulaTicketBai', {
    ...{ '@xmlns:tb': CANCEL, Cabecera: HEADER },
    IDFactura: { Emisor: person(issuer), CabeceraFactura: idTree(id) },
    HuellaTBAI: made(software),
  })
}

function recipient({ name, nif, other, postalCode, street }: Customer): XmlTree {
  const place = { CodigoPostal: postalCode.slice(0, 20), Direccion: street }
  const rest = { ApellidosNombreRazonSocial: name, ...place }
  if (other === undefined) return { NIF: nif, ...rest }
  const { country, type, id } = other
  const where: XmlTree = type === '02' ? {} : { CodigoPais: country }
  return { IDOtro: { ...where, IDType: type, ID: id }, ...rest }
}

const HUNDRED = new Decimal(100n, 0)

function content({ description, lines, totals }: File): XmlTree {
  const details = lines.map((line) => {
    const { text, quantity, amount } = line
    const net = partOf(amount, HUNDRED, ratesOf(line))
    const each = quantity.isZero ? net : quotient(net, quantity, { scale: SCALE })
    return {
      ...{ DescripcionDetalle: text.slice(0, 250), Cantidad: quantity.toShortString() },
      ...{ ImporteUnitario: each.toShortString(), ImporteTotal: amount.toShortString() },
    }
  })
  const keys = [...new Set(totals.groups.map(({ nature }) => nature.basqueRegime))]
  return {
    DescripcionFactura: description.slice(0, 250),
    DetallesFactura: { IDDetalleFactura: details },
    ImporteTotalFactura: totals.total,
    Claves: { IDClave: keys.map((key) => ({ ClaveRegimenIvaOpTrascendencia: key })) },
  }
}

/** By kind of supply where the recipient is of another country. */
function kinds({ customer, totals: { groups } }: File): XmlTree {
  if (customer?.other === undefined) return { DesgloseFactura: breakdown(groups) }
  const [services, goods] = [true, false].map((is) => groups.filter((one) => one.isService === is))
  const tree: XmlTree = {}
  if (services !== undefined && services.length > 0) tree.PrestacionServicios = breakdown(services)
  if (goods !== undefined && goods.length > 0) tree.Entrega = breakdown(goods)
  return { DesgloseTipoOperacion: tree }
}

function breakdown(groups: readonly Group[]): XmlTree {
  const of = (pattern: RegExp) => groups.filter(({ nature }) => pattern.test(nature.basque))
  const [exempt, taxed, outside] = [of(/^E/), of(/^S/), of(/^(OT|RL|VT|IE)$/)]
  const subject: XmlTree = {}
  if (exempt.length > 0) {
    const rows = exempt.map(({ nature, base }) => {
      return { CausaExencion: nature.basque, BaseImponible: base }
    })
    subject.Exenta = { DetalleExenta: rows }
  }
  if (taxed.length > 0) {
    const marks = [...new Set(taxed.map(({ nature }) => nature.basque))]
    const rows = marks.map((mark) => ({
      TipoNoExenta: mark,
      DesgloseIVA: {
        DetalleIVA: taxed.filter(({ nature }) => nature.basque === mark).map(rateTree),
      },
    }))
    subject.NoExenta = { DetalleNoExenta: rows }
  }
  const tree: XmlTree = {}
  if (exempt.length + taxed.length > 0) tree.Sujeta = subject
  if (outside.length > 0) {
    const rows = outside.map(({ nature, base }) => ({ Causa: nature.basque, Importe: base }))
    tree.NoSujeta = { DetalleNoSujeta: rows }
  }
  return tree
}

const rateTree = ({ nature, rate, base, tax, surcharge }: Group): XmlTree => ({
  BaseImponible: base,
  TipoImpositivo: nature.basque === 'S2' ? '0' : rate,
  CuotaImpuesto: nature.basque === 'S2' ? '0.00' : tax,
  ...surchargeTree(surcharge),
})

function chain(before: LastRecord | null, software: Software): XmlTree {
  if (before === null) return made(software)
  return {
    EncadenamientoFacturaAnterior: {
      ...{ SerieFacturaAnterior: before.series, NumFacturaAnterior: before.number },
      FechaExpedicionFacturaAnterior: before.date,
      SignatureValueFirmaFacturaAnterior: before.mark,
    },
    ...made(software),
  }
}

const made = ({ producer, version, licence, device }: Software): XmlTree => ({
  Software: {
    ...{ LicenciaTBAI: licence, EntidadDesarrolladora: { NIF: producer.nif } },
    ...{ Nombre: producer.name, Version: version },
  },
  NumSerieDispositivo: device,
})

// ------------------------------------------------------------------------------------ its code

const LINK = 100
const SHOWN = 13

/** The text of SignatureValue without line breaks. */
export function signatureIn(signed: string): string {
  const found = /<(?:\w+:)?SignatureValue(?:\s[^>]*)?>([^<]+)</.exec(signed)?.[1] ?? ''
  return found.replace(/\s/g, '')
}

/** What the next file says of this one. */
export const linkOf = (signature: string): string => signature.slice(0, LINK)

/** Polynomial 0x07, begins with 0; three digits. */
export function crcOf(text: string): string {
  let crc = 0
  for (const byte of Buffer.from(text, 'utf8')) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x80 ? 0x107 : 0)) & 0xff
  }
  return String(crc).padStart(3, '0')
}

/** `date`: `15-06-2026` */
export function codeOf(nif: string, date: string, signature: string): string {
  const [day = '', month = '', year = ''] = date.split('-')
  const short = `${day}${month}${year.slice(-2)}`
  const text = `TBAI-${nif}-${short}-${signature.slice(0, SHOWN)}-`
  return text + crcOf(text)
}

/** `base` ends with a slash. */
export function qrOf(
  base: string,
  code: string,
  { series, number, total }: Pick<FileId, 'series' | 'number'> & { total: string },
): string {
  const members = [
    ['id', code],
    ...(series === '' ? [] : [['s', series]]),
    ['nf', number],
    ['i', total],
  ].map(([name, value = '']) => `${name}=${encodeURIComponent(value)}`)
  const address = `${base}?${members.join('&')}`
  return `${address}&cr=${crcOf(address)}`
}
