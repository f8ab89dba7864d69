// Business rules of the AEAT for one record (its file errores.properties, and the notes on its
// validations): those that this emulation checks, by their codes.
import { Decimal } from '../../lib/decimal.js'
import type { XmlElement } from '../../lib/xml-read.js'
import { isTaxNumber } from './tax-number.js'

export interface RuleInput {
  record: XmlElement
  /** Of the header. */
  issuer: string
  now: Date
}

type Check = (input: RuleInput) => boolean

/** The direct child's text; '' where there is none. */
export const own = ({ children }: XmlElement, name: string): string =>
  children.find((child) => child.name === name)?.text ?? ''
export const child = ({ children }: XmlElement, name: string): XmlElement | undefined =>
  children.find((one) => one.name === name)
const inside = (element: XmlElement, ...names: string[]): XmlElement | undefined =>
  names.reduce<XmlElement | undefined>((at, name) => at && child(at, name), element)

const type = ({ record }: RuleInput): string => own(record, 'TipoFactura')
const isRefund = (input: RuleInput): boolean => /^R/.test(type(input))
const has = ({ record }: RuleInput, name: string): boolean => child(record, name) !== undefined
const rows = ({ record }: RuleInput): readonly XmlElement[] =>
  inside(record, 'Desglose')?.children ?? []
const amount = (text: string): Decimal =>
  Decimal.parse(text.replace(/^\+|\.$/g, '')) ?? Decimal.ZERO
const sum = (values: readonly Decimal[]): Decimal =>
  values.reduce((all, one) => all.plus(one), Decimal.ZERO)
const abs = (value: Decimal): Decimal => (value.isNegative ? value.negated() : value)
const isOver = (value: Decimal, most: number): boolean =>
  abs(value).minus(new Decimal(BigInt(most), 0)).isPositive
const idOf = ({ record }: RuleInput): XmlElement => child(record, 'IDFactura') ?? record
const isNamed = (input: RuleInput): boolean => /^(F1|F3|R[1-4])$/.test(type(input))

/** `15-06-2026` → `2026-06-15` */
export const sortable = (date: string): string => date.split('-').toReversed().join('-')
const madrid = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Madrid' })
const LETTERS = /^[\x20-\x7e]+$/
const HUELLA = /^[0-9A-F]{64}$/
/** The first day of the law's records. */
const FIRST_DAY = '2024-10-28'

const gross = (input: RuleInput): Decimal =>
  sum(
    rows(input).flatMap((row) =>
      ['BaseImponibleOimporteNoSujeto', 'CuotaRepercutida', 'CuotaRecargoEquivalencia'].map(
        (name) => amount(own(row, name) || '0'),
      ),
    ),
  )
const quota = (input: RuleInput): Decimal =>
  sum(
    rows(input).flatMap((row) =>
      ['CuotaRepercutida', 'CuotaRecargoEquivalencia'].map((name) => amount(own(row, name) || '0')),
    ),
  )

const marked = (row: XmlElement): string => own(row, 'CalificacionOperacion')
const isVat = (row: XmlElement): boolean => (own(row, 'Impuesto') || '01') === '01'
const some = (input: RuleInput, wrong: (row: XmlElement) => boolean): boolean =>
  rows(input).some(wrong)

/** True: it is broken. */
const ALTA: Readonly<Record<number, Check>> = {
  1108: (input) => own(idOf(input), 'IDEmisorFactura') !== input.issuer,
  1104: (input) => {
    const number = own(idOf(input), 'NumSerieFactura')
    return !LETTERS.test(number) || /["'<>=]/.test(number)
  },
  1112: (input) => sortable(own(idOf(input), 'FechaExpedicionFactura')) > madrid.format(input.now),
  1152: (input) => sortable(own(idOf(input), 'FechaExpedicionFactura')) < FIRST_DAY,
  1114: (input) => !isRefund(input) && has(input, 'TipoRectificativa'),
  1115: (input) => isRefund(input) && !has(input, 'TipoRectificativa'),
  1117: (input) => !isRefund(input) && has(input, 'FacturasRectificadas'),
  1118: (input) =>
    has(input, 'ImporteRectificacion') !== (own(input.record, 'TipoRectificativa') === 'S'),
  1119: (input) => type(input) !== 'F3' && has(input, 'FacturasSustituidas'),
  1124: (input) =>
    some(
      input,
      (row) =>
        isVat(row) &&
        marked(row) === 'S1' &&
        !/^(0|4|10|21|5|2|7\.5)(\.0{0,2})?$/.test(own(row, 'TipoImpositivo')),
    ),
  1130: (input) => /[<>="']/.test(own(input.record, 'DescripcionOperacion')),
  1138: (input) => isLarge(input) !== (own(input.record, 'Macrodato') === 'S'),
  1142: (input) =>
    some(input, (row) => {
      const base = amount(own(row, 'BaseImponibleOimporteNoSujeto'))
      const due = base.times(amount(own(row, 'TipoImpositivo') || '0')).times(new Decimal(1n, 2))
      return (
        isVat(row) &&
        marked(row) === 'S1' &&
        isOver(due.minus(amount(own(row, 'CuotaRepercutida') || '0')), 10)
      )
    }),
  1150: (input) =>
    type(input) === 'F2' &&
    !has(input, 'FacturaSinIdentifDestinatarioArt61d') &&
    !has(input, 'NumRegistroAcuerdoFacturacion') &&
    gross(input).minus(new Decimal(3010n, 0)).isPositive,
  1153: (input) =>
    own(input.record, 'RechazoPrevio') === 'S' && own(input.record, 'Subsanacion') !== 'S',
  // one code for what the agency has a code for by each rate (1160 to 1170)
  1160: (input) => some(input, (row) => isVat(row) && !isPair(row)),
  1189: (input) => isNamed(input) && !has(input, 'Destinatarios'),
  1190: (input) => /^(F2|R5)$/.test(type(input)) && has(input, 'Destinatarios'),
  1195: (input) =>
    some(input, (row) => own(row, 'Impuesto') !== '05' && own(row, 'ClaveRegimen') === ''),
  1196: (input) =>
    some(
      input,
      (row) =>
        marked(row) === 'S1' &&
        (own(row, 'TipoImpositivo') === '' || own(row, 'CuotaRepercutida') === ''),
    ),
  1197: (input) => /^(F2|R5)$/.test(type(input)) && some(input, (row) => marked(row) === 'S2'),
  1198: (input) =>
    some(
      input,
      (row) =>
        marked(row) === 'S2' &&
        !(
          own(row, 'TipoImpositivo') !== '' &&
          amount(own(row, 'TipoImpositivo')).isZero &&
          own(row, 'CuotaRepercutida') !== '' &&
          amount(own(row, 'CuotaRepercutida')).isZero
        ),
    ),
  1199: (input) =>
    some(
      input,
      (row) => own(row, 'ClaveRegimen') === '01' && /^E[23]$/.test(own(row, 'OperacionExenta')),
    ),
  1237: (input) => some(input, (row) => isVat(row) && /^N/.test(marked(row)) && hasQuota(row)),
  1238: (input) =>
    some(input, (row) => isVat(row) && own(row, 'OperacionExenta') !== '' && hasQuota(row)),
  1252: (input) =>
    some(input, (row) => own(row, 'ClaveRegimen') === '02' && own(row, 'OperacionExenta') === ''),
  1293: (input) => rows(input).length > 12,
}

/** Rates of surcharge beside a rate of VAT, today. */
const PAIRS: Readonly<Record<string, RegExp>> = {
  ...{ 21: /^(5\.2|1\.75)0?$/, 10: /^1\.40?$/, 4: /^0\.50?$/ },
}

function isPair(row: XmlElement): boolean {
  const [rate, extra] = [own(row, 'TipoImpositivo'), own(row, 'TipoRecargoEquivalencia')]
  if (extra === '') return own(row, 'CuotaRecargoEquivalencia') === ''
  const isKnown = PAIRS[String(Number(rate))]?.test(extra) === true
  return isKnown && own(row, 'CuotaRecargoEquivalencia') !== '' && marked(row) === 'S1'
}

const hasQuota = (row: XmlElement): boolean =>
  [
    'TipoImpositivo',
    'CuotaRepercutida',
    'TipoRecargoEquivalencia',
    'CuotaRecargoEquivalencia',
  ].some((name) => own(row, name) !== '')
const isLarge = ({ record }: RuleInput): boolean =>
  !abs(amount(own(record, 'ImporteTotal'))).minus(new Decimal(100_000_000n, 0)).isNegative

const ANULACION: Readonly<Record<number, Check>> = {
  1108: (input) => own(idOf(input), 'IDEmisorFacturaAnulada') !== input.issuer,
  1258: (input) => has(input, 'GeneradoPor') !== has(input, 'Generador'),
}

/** Of every record. */
const COMMON: Readonly<Record<number, Check>> = {
  1177: ({ record }) => !isTaxNumber(own(child(record, 'SistemaInformatico') ?? record, 'NIF')),
  1291: ({ record }) => !HUELLA.test(own(record, 'Huella')),
  1292: ({ record }) => !/[+-]\d\d:\d\d$/.test(own(record, 'FechaHoraHusoGenRegistro')),
}

/** Codes of the rules that it breaks, in their order. */
export function brokenRules(input: RuleInput): number[] {
  const table = input.record.name === 'RegistroAlta' ? ALTA : ANULACION
  return Object.entries({ ...table, ...COMMON }).flatMap(([code, isBroken]) =>
    isBroken(input) ? Number(code) : [],
  )
}

/** What is accepted, and told. */
export function remarks(input: RuleInput): number[] {
  if (input.record.name !== 'RegistroAlta') return []
  const total = amount(own(input.record, 'ImporteTotal'))
  const tax = amount(own(input.record, 'CuotaTotal'))
  return [
    ...(isOver(total.minus(gross(input)), 10) ? [2005] : []),
    ...(isOver(tax.minus(quota(input)), 10) ? [2006] : []),
  ]
}
