// Records of VeriFactu: their fingerprint (huella), their XML and the address of the QR code (Orden
// HAC/1177/2024; document of the AEAT on the huella 0.1.2, on the QR code 0.5.0).
import { createHash } from 'node:crypto'
import { type InvoiceId, type Issuer, NS } from '../../device/es/verifactu.js'
import { element, type XmlTree } from '../../lib/xml-write.js'
import type { Group, Totals } from './amounts.js'
import type { Customer } from './customer.js'
import type { LastRecord } from './queue.js'

/** Values as they stand in the record: trimmed, not escaped. */
export function huellaOf(fields: readonly (readonly [name: string, value: string])[]): string {
  const text = fields.map(([name, value]) => `${name}=${value.trim()}`).join('&')
  return createHash('sha256').update(text, 'utf8').digest('hex').toUpperCase()
}

/** Who makes the software, and where it is installed. */
export interface System {
  producer: Issuer
  version: string
  /** One for each chain, never used again. */
  installation: string
  onlyVerifactu: boolean
  severalIssuers: boolean
}

export interface Chained {
  id: InvoiceId
  issuer: Issuer
  /** The newest record; null: there is none. */
  before: LastRecord | null
  system: System
  /** With offset. */
  generated: string
}

export interface Invoice extends Chained {
  type: 'F1' | 'F2' | 'F3' | 'R1' | 'R5'
  /** Refunded (R1, R5) or replaced (F3). */
  original: InvoiceId | undefined
  description: string
  customer: Customer | undefined
  tax: string
  totals: Totals
  /** RechazoPrevio of a record that says the same invoice rightly. */
  repairs: 'N' | 'S' | 'X' | undefined
}

export interface Made {
  xml: string
  huella: string
}

export function altaOf(invoice: Invoice): Made {
  const { id, issuer, type, original, totals, generated } = invoice
  const huella = huellaOf([
    ['IDEmisorFactura', id.nif],
    ['NumSerieFactura', id.number],
    ['FechaExpedicionFactura', id.date],
    ['TipoFactura', type],
    ['CuotaTotal', totals.tax],
    ['ImporteTotal', totals.total],
    ['Huella', invoice.before?.mark ?? ''],
    ['FechaHoraHusoGenRegistro', generated],
  ])
  const isRefund = type === 'R1' || type === 'R5'
  const record: XmlTree = {
    ...{ '@xmlns': NS.si, IDVersion: '1.0', IDFactura: idTree(id) },
    NombreRazonEmisor: issuer.name,
    ...(invoice.repairs === undefined ? {} : { Subsanacion: 'S' }),
    // N stands for itself
    ...(/^[SX]$/.test(invoice.repairs ?? '') ? { RechazoPrevio: invoice.repairs ?? '' } : {}),
    TipoFactura: type,
  }
  if (isRefund) record.TipoRectificativa = 'I'
  if (original !== undefined) {
    const [list, one] = isRefund
      ? ['FacturasRectificadas', 'IDFacturaRectificada']
      : ['FacturasSustituidas', 'IDFacturaSustituida']
    record[list ?? ''] = { [one ?? '']: idTree(original) }
  }
  record.DescripcionOperacion = plain(invoice.description).slice(0, 500)
  if (isLarge(totals.total)) record.Macrodato = 'S'
  const named = type === 'F2' || type === 'R5' ? undefined : invoice.customer
  if (named !== undefined) record.Destinatarios = { IDDestinatario: personTree(named) }
  record.Desglose = { DetalleDesglose: breakdown(totals, invoice.tax) }
  record.CuotaTotal = totals.tax
  record.ImporteTotal = totals.total
  return { xml: element('RegistroAlta', { ...record, ...chain(invoice, huella) }), huella }
}

export function anulacionOf(cancelled: Chained): Made {
  const { id, before, generated } = cancelled
  const huella = huellaOf([
    ['IDEmisorFacturaAnulada', id.nif],
    ['NumSerieFacturaAnulada', id.number],
    ['FechaExpedicionFacturaAnulada', id.date],
    ['Huella', before?.mark ?? ''],
    ['FechaHoraHusoGenRegistro', generated],
  ])
  const xml = element('RegistroAnulacion', {
    ...{ '@xmlns': NS.si, IDVersion: '1.0' },
    IDFactura: {
      IDEmisorFacturaAnulada: id.nif,
      NumSerieFacturaAnulada: id.number,
      FechaExpedicionFacturaAnulada: id.date,
    },
    ...chain(cancelled, huella),
  })
  return { xml, huella }
}

const idTree = ({ nif, number, date }: InvoiceId): XmlTree => ({
  IDEmisorFactura: nif,
  NumSerieFactura: number,
  FechaExpedicionFactura: date,
})

function personTree({ name, nif, other }: Customer): XmlTree {
  const tree: XmlTree = { NombreRazon: plain(name) }
  if (other === undefined) return { ...tree, NIF: nif }
  const { country, type, id } = other
  const where: XmlTree = type === '02' ? {} : { CodigoPais: country }
  return { ...tree, IDOtro: { ...where, IDType: type, ID: id } }
}

/** Characters that the authority refuses in texts (1104, 1130). */
const plain = (text: string): string => text.replace(/[<>"'=]/g, ' ').trim()

const MACRO_DIGITS = 9
/** 100,000,000 euros or more. */
const isLarge = (total: string): boolean =>
  total.replace('-', '').replace(/\.\d+$/, '').length >= MACRO_DIGITS

function breakdown({ groups }: Totals, tax: string): XmlTree[] {
  return groups.map(({ nature, rate, base, tax: amount, surcharge }) => {
    const row: XmlTree = { Impuesto: tax }
    if (tax !== '05') row.ClaveRegimen = nature.regime
    const isExempt = nature.mark.startsWith('E')
    row[isExempt ? 'OperacionExenta' : 'CalificacionOperacion'] = nature.mark
    const isSubject = nature.mark.startsWith('S')
    if (isSubject) row.TipoImpositivo = nature.mark === 'S2' ? '0' : rate
    row.BaseImponibleOimporteNoSujeto = base
    if (isSubject) row.CuotaRepercutida = nature.mark === 'S2' ? '0.00' : amount
    return { ...row, ...surchargeTree(surcharge) }
  })
}

/** Of one rate, as both systems name it. */
export const surchargeTree = (surcharge: Group['surcharge']): XmlTree =>
  surcharge === undefined
    ? {}
    : { TipoRecargoEquivalencia: surcharge.rate, CuotaRecargoEquivalencia: surcharge.amount }

function chain({ before, system, generated }: Chained, huella: string): XmlTree {
  return {
    Encadenamiento:
      before === null
        ? { PrimerRegistro: 'S' }
        : { RegistroAnterior: { ...idTree(before), Huella: before.mark } },
    SistemaInformatico: systemTree(system, ''),
    FechaHoraHusoGenRegistro: generated,
    TipoHuella: '01',
    Huella: huella,
  }
}

const yes = (value: boolean): string => (value ? 'S' : 'N')

export const SYSTEM = { name: 'fiskalwerk', id: 'FW' } as const

export function systemTree(system: System, prefix: string): XmlTree {
  const { producer, version, installation, onlyVerifactu, severalIssuers } = system
  const members = {
    ...{ NombreRazon: producer.name, NIF: producer.nif, NombreSistemaInformatico: SYSTEM.name },
    ...{ IdSistemaInformatico: SYSTEM.id, Version: version, NumeroInstalacion: installation },
    TipoUsoPosibleSoloVerifactu: yes(onlyVerifactu),
    TipoUsoPosibleMultiOT: yes(severalIssuers),
    IndicadorMultiplesOT: yes(severalIssuers),
  }
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [`${prefix}${name}`, value]),
  )
}

/** `amount` as in the record. */
export function qrAddress(
  base: string,
  { nif, number, date }: InvoiceId,
  { amount, isVerifiable }: { amount: string; isVerifiable: boolean },
): string {
  const page = isVerifiable ? 'ValidarQR' : 'ValidarQRNoVerifactu'
  const members = [
    ['nif', nif],
    ['numserie', number],
    ['fecha', date],
    ['importe', amount],
  ].map(([name, value = '']) => `${name}=${encodeURIComponent(value)}`)
  return `${base}/wlpl/TIKE-CONT/${page}?${members.join('&')}`
}
