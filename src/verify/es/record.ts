// One record or file of a Spanish journal as the verifier reads it, whichever system it is of.
import { sha256 } from '../digest.js'
import { at, childrenOf, find, localName, type Node, textAt } from '../xml.js'

export interface Read {
  system: 'VeriFactu' | 'TicketBAI'
  isCancelling: boolean
  issuer: string
  /** Installation or device. */
  place: string
  /** Series and number; the number by itself, and what stands before it. */
  number: string
  series: string
  counter: string
  date: string
  /** Huella, or the signature: what the next one repeats. */
  mark: string
  /** Of VeriFactu: what the huella must be. */
  expected: string | undefined
  /** The record before as this one names it; undefined: it says that it is the first. */
  before: { number: string; date: string; mark: string } | undefined
  generated: string
  total: bigint
  tax: bigint
  /** Sums of the rows. */
  bases: bigint
  taxes: bigint
  refersTo: readonly string[]
  /** It says an invoice rightly whose record was wrong. */
  repairs: boolean
}

/** `12.1` → 1210 */
export function cents(text: string): bigint {
  const found = /^([+-]?)(\d+)(?:\.(\d{0,2}))?$/.exec(text.trim())
  if (found === null) return 0n
  const [, sign = '', whole = '', part = ''] = found
  const value = BigInt(whole + part.padEnd(2, '0'))
  return sign === '-' ? -value : value
}

const sum = (nodes: readonly Node[], name: string): bigint =>
  nodes.reduce((all, node) => all + cents(textAt(node, name) || '0'), 0n)

const CORRECTION = 'SubsanacionModificacionTicketBAI'
const FILES: ReadonlySet<string> = new Set(['TicketBai', 'AnulaTicketBai', CORRECTION])

/** Undefined: the document has no record that is known here. */
export function recordIn(root: Node): Read | undefined {
  for (const name of ['RegistroAlta', 'RegistroAnulacion']) {
    const found = find(root, name)
    if (found !== undefined) return agencyRecord(found)
  }
  return FILES.has(localName(root)) ? provinceFile(root) : undefined
}

function agencyRecord(record: Node): Read {
  const isCancelling = localName(record) === 'RegistroAnulacion'
  const suffix = isCancelling ? 'Anulada' : ''
  const id = at(record, 'IDFactura')
  const of = (name: string) => textAt(id, `${name}${suffix}`)
  const [issuer, number, date] = [
    of('IDEmisorFactura'),
    of('NumSerieFactura'),
    of('FechaExpedicionFactura'),
  ]
  const link = at(record, 'Encadenamiento', 'RegistroAnterior')
  const generated = textAt(record, 'FechaHoraHusoGenRegistro')
  const amounts = isCancelling ? [] : ['TipoFactura', 'CuotaTotal', 'ImporteTotal']
  const fields = [
    [`IDEmisorFactura${suffix}`, issuer],
    [`NumSerieFactura${suffix}`, number],
    [`FechaExpedicionFactura${suffix}`, date],
    ...amounts.map((name) => [name, textAt(record, name)]),
    ['Huella', textAt(link, 'Huella')],
    ['FechaHoraHusoGenRegistro', generated],
  ]
  const text = fields.map(([name, value = '']) => `${name}=${value.trim()}`).join('&')
  const rows = childrenOf(at(record, 'Desglose') ?? record).filter(
    (one) => localName(one) === 'DetalleDesglose',
  )
  const lists = ['FacturasRectificadas', 'FacturasSustituidas'].flatMap((name) =>
    childrenOf(at(record, name) ?? { name, attributes: [], children: [] }),
  )
  const cut = number.search(/\d+$/)
  return {
    ...{ system: 'VeriFactu', isCancelling, issuer, number, date, generated },
    repairs: textAt(record, 'Subsanacion') === 'S',
    place: textAt(record, 'SistemaInformatico', 'NumeroInstalacion'),
    ...{ series: number.slice(0, cut), counter: number.slice(cut), mark: textAt(record, 'Huella') },
    expected: sha256(text, 'hex').toUpperCase(),
    before: link && {
      number: textAt(link, 'NumSerieFactura'),
      date: textAt(link, 'FechaExpedicionFactura'),
      mark: textAt(link, 'Huella'),
    },
    ...{ total: cents(textAt(record, 'ImporteTotal')), tax: cents(textAt(record, 'CuotaTotal')) },
    bases: sum(rows, 'BaseImponibleOimporteNoSujeto'),
    taxes: sum(rows, 'CuotaRepercutida') + sum(rows, 'CuotaRecargoEquivalencia'),
    refersTo: lists.map((one) => textAt(one, 'NumSerieFactura')),
  }
}

/** Every element of these names, wherever it lies. */
function all(node: Node, name: string): Node[] {
  return childrenOf(node).flatMap((one) => (localName(one) === name ? one : all(one, name)))
}

const LINK = 100

function provinceFile(root: Node): Read {
  const isCancelling = localName(root) === 'AnulaTicketBai'
  const head = find(root, 'CabeceraFactura') ?? root
  const nameOf = (of: Node, suffix = '') =>
    [textAt(of, `SerieFactura${suffix}`), textAt(of, `NumFactura${suffix}`)]
      .filter((part) => part !== '')
      .join('-')
  const link = find(root, 'EncadenamientoFacturaAnterior')
  const earlier = find(head, 'FacturasRectificadasSustituidas')
  const [day = '', time = ''] = [
    textAt(head, 'FechaExpedicionFactura'),
    textAt(head, 'HoraExpedicionFactura'),
  ]
  const rates = all(root, 'DetalleIVA')
  const total = cents(textAt(root, 'Factura', 'DatosFactura', 'ImporteTotalFactura'))
  const taxes = sum(rates, 'CuotaImpuesto') + sum(rates, 'CuotaRecargoEquivalencia')
  const bases =
    sum(rates, 'BaseImponible') +
    sum(all(root, 'DetalleExenta'), 'BaseImponible') +
    sum(all(root, 'DetalleNoSujeta'), 'Importe')
  const signature = find(root, 'SignatureValue')
  return {
    ...{ system: 'TicketBAI', isCancelling, number: nameOf(head), date: day },
    issuer: textAt(find(root, 'Emisor'), 'NIF'),
    place: textAt(root, 'HuellaTBAI', 'NumSerieDispositivo'),
    ...{ series: textAt(head, 'SerieFactura'), counter: textAt(head, 'NumFactura') },
    mark: (signature?.children.join('') ?? '').replace(/\s/g, '').slice(0, LINK),
    expected: undefined,
    before: link && {
      number: nameOf(link, 'Anterior'),
      date: textAt(link, 'FechaExpedicionFacturaAnterior'),
      mark: textAt(link, 'SignatureValueFirmaFacturaAnterior'),
    },
    // its time is that of the register, which may be entered late
    generated: `${day.split('-').toReversed().join('-')}T${time}`,
    ...{ total, tax: taxes, bases, taxes, repairs: localName(root) === CORRECTION },
    refersTo: earlier === undefined ? [] : childrenOf(earlier).map((one) => nameOf(one)),
  }
}
