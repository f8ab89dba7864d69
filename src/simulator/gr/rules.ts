// What myDATA refuses of one document, by the codes of its error list.
import { isVat } from '../../device/gr/mydata.js'
import type { XmlElement } from '../../lib/xml-read.js'
import { pairFault } from './pairs.js'

export const child = (of: XmlElement | undefined, name: string): XmlElement | undefined =>
  of?.children.find((one) => one.name === name)
export const own = (of: XmlElement | undefined, name: string): string => child(of, name)?.text ?? ''
export const all = (of: XmlElement | undefined, name: string): XmlElement[] =>
  (of?.children ?? []).filter((one) => one.name === name)

/** Cents. */
export function amount(of: XmlElement | undefined, name: string): bigint {
  const [whole = '0', rest = ''] = own(of, name).split('.')
  return BigInt(whole || '0') * 100n + BigInt(rest.padEnd(2, '0').slice(0, 2) || '0')
}

const total = (list: readonly XmlElement[], name: string): bigint =>
  list.reduce((sum, one) => sum + amount(one, name), 0n)

const TYPES =
  /^(1\.[1-6]|2\.[1-4]|3\.[12]|5\.[12]|6\.[12]|7\.1|8\.[12456]|9\.[123]|10\.[12]|11\.[1-5])$/
const NEEDING = /^(1\.|2\.|3\.|5\.|6\.|7\.1|8\.1|9\.3)/
const UNION = 'AT BE BG CY CZ DE DK EE ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(
  ' ',
)

/** Codes in their order; none: it is taken. `today`: in Athens. */
export function brokenRules(invoice: XmlElement, today: string): string[] {
  const header = child(invoice, 'invoiceHeader')
  const type = own(header, 'invoiceType')
  if (!TYPES.test(type)) return ['223']
  return [
    ...headFaults(invoice, today),
    ...partyFaults(invoice, type),
    ...rowFaults(invoice, type),
    ...sumFaults(invoice),
    ...classificationFaults(invoice, type),
  ]
}

function headFaults(invoice: XmlElement, today: string): string[] {
  const header = child(invoice, 'invoiceHeader')
  const [date, type] = [own(header, 'issueDate'), own(header, 'invoiceType')]
  const isLate = own(invoice, 'transmissionFailure') !== ''
  const needsPayment = /^(11\.|1\.)/.test(type)
  return [
    ...(isVat(own(child(invoice, 'issuer'), 'vatNumber')) ? [] : ['202']),
    ...(/^\d{1,20}$/.test(own(header, 'aa')) ? [] : ['212']),
    ...(date > today ? ['260'] : []),
    ...(date < today && !isLate ? ['238'] : []),
    ...(needsPayment && child(invoice, 'paymentMethods') === undefined ? ['204'] : []),
    ...(type === '5.1' && all(header, 'correlatedInvoices').length === 0 ? ['204'] : []),
    ...(type === '8.6' && own(header, 'tableAA') === '' ? ['204'] : []),
  ]
}

/** As documents write it. */
const HOME = 'GR'

function partyFaults(invoice: XmlElement, type: string): string[] {
  const issuer = child(invoice, 'issuer')
  const other = child(invoice, 'counterpart')
  // who sends goods is named, and who gets them
  const carries =
    type === '9.3' || own(child(invoice, 'invoiceHeader'), 'isDeliveryNote') === 'true'
  const named = child(issuer, 'name') === undefined || carries ? [] : ['219']
  if (other === undefined) return [...named, ...(NEEDING.test(type) ? ['204'] : [])]
  const country = own(other, 'country')
  const region = country === HOME ? '1' : UNION.includes(country) ? '2' : '3'
  const wanted = /^[12]\.([123])$/.exec(type)?.[1] ?? region
  const codes: Readonly<Record<string, string>> = { 1: '242', 2: '243', 3: '244' }
  return [
    ...named,
    ...(type.startsWith('11.') && !carries ? ['205'] : []),
    ...(country === HOME && child(other, 'name') !== undefined && !carries ? ['220'] : []),
    ...(country === HOME && !isVat(own(other, 'vatNumber')) ? ['202'] : []),
    ...(own(other, 'vatNumber') === own(issuer, 'vatNumber') ? ['235'] : []),
    ...(wanted === region ? [] : [codes[wanted] ?? '242']),
  ]
}

function rowFaults(invoice: XmlElement, type: string): string[] {
  const rows = all(invoice, 'invoiceDetails')
  const lines = new Set(rows.map((row) => own(row, 'lineNumber')))
  const faults = rows.flatMap((row) => {
    const category = own(row, 'vatCategory')
    const isNone = category === '7' || category === '8'
    const hasReason = own(row, 'vatExemptionCategory') !== ''
    return [
      ...(isNone && amount(row, 'vatAmount') !== 0n ? ['218'] : []),
      ...(category === '7' && !hasReason ? ['217'] : []),
      ...(category !== '7' && hasReason ? ['271'] : []),
      ...(category === '8' && !/^(8|9|6)\./.test(type) ? ['216'] : []),
    ]
  })
  return [...(lines.size === rows.length ? [] : ['261']), ...faults]
}

function sumFaults(invoice: XmlElement): string[] {
  const rows = all(invoice, 'invoiceDetails')
  const summary = child(invoice, 'invoiceSummary')
  const of = (name: string) => amount(summary, `total${name}`)
  const taxes = all(child(invoice, 'taxesTotals'), 'taxes')
  const taxed = (type: string) =>
    total(
      taxes.filter((one) => own(one, 'taxType') === type),
      'taxAmount',
    )
  const others = [
    ['2', 'FeesAmount', 'fees'],
    ['3', 'OtherTaxesAmount', 'otherTaxes'],
    ['4', 'StampDutyAmount', 'stampDuty'],
    ['5', 'DeductionsAmount', 'deductions'],
  ] as const
  const gross =
    of('NetValue') +
    of('VatAmount') -
    of('WithheldAmount') +
    of('FeesAmount') +
    of('StampDutyAmount') +
    of('OtherTaxesAmount') -
    of('DeductionsAmount')
  // a tax stands on its line or in the totals, never on both
  const lineTaxes = ['withheld', 'fees', 'stampDuty', 'otherTaxes']
  const onLines = (name: string) => total(rows, `${name}Amount`)
  const isOnBoth = taxes.length > 0 && lineTaxes.some((name) => onLines(name) > 0n)
  return [
    ...(isOnBoth ? ['224'] : []),
    ...(total(rows, 'netValue') === of('NetValue') ? [] : ['207']),
    ...(total(rows, 'vatAmount') === of('VatAmount') ? [] : ['209']),
    ...(gross === of('GrossValue') ? [] : ['203']),
    ...(taxed('1') + onLines('withheld') === of('WithheldAmount') ? [] : ['210']),
    ...(others.every(([type, name, line]) => taxed(type) + onLines(line) === of(name))
      ? []
      : ['226']),
  ]
}

function classificationFaults(invoice: XmlElement, type: string): string[] {
  const rows = all(invoice, 'invoiceDetails')
  const isVoid = own(child(invoice, 'invoiceHeader'), 'totalCancelDeliveryOrders') === 'true'
  const sums = new Map<string, bigint>()
  const faults = rows.flatMap((row) => {
    const classified = all(row, 'incomeClassification')
    if (classified.length === 0) return own(row, 'recType') === '2' || isVoid ? [] : ['230']
    if (/^3\./.test(type)) return ['231']
    for (const one of classified) addTo(sums, one)
    const pairs = classified.flatMap(
      (one) =>
        pairFault(type, own(one, 'classificationCategory'), own(one, 'classificationType')) ?? [],
    )
    return [...(total(classified, 'amount') === amount(row, 'netValue') ? [] : ['306']), ...pairs]
  })
  const told = new Map<string, bigint>()
  for (const one of all(child(invoice, 'invoiceSummary'), 'incomeClassification')) addTo(told, one)
  const isSame = told.size === sums.size && [...sums].every(([key, sum]) => told.get(key) === sum)
  return [...(/^3\./.test(type) ? [] : faults), ...(isSame ? [] : ['311'])]
}

function addTo(sums: Map<string, bigint>, one: XmlElement): void {
  const key = `${own(one, 'classificationCategory')}|${own(one, 'classificationType')}`
  sums.set(key, (sums.get(key) ?? 0n) + amount(one, 'amount'))
}
