// What a merchant tells the tax office of a cash register (§ 146a (4) AO): numbers, members, gaps.

import type { OutletData } from '../../model/outlet.js'
import type {
  Company,
  Gap,
  Missing,
  Notification,
  NotificationSources,
  NotifiedAddress,
  NotifiedMerchant,
  NotifiedOutlet,
  NotifiedSystem,
  UnitFacts,
} from '../../model/queue-facts.js'
import type { TaxNumber } from '../facts.js'
import { type MasterData, queueConfiguration } from './queue.js'

/** F office, B district, U number, P check digit; a digit stands for itself. */
const STATES: readonly (readonly [local: string, long: string])[] = [
  ['FFBBBUUUUP', '28FF0BBBUUUUP'], // Baden-Württemberg
  ['FFFBBBUUUUP', '9FFF0BBBUUUUP'], // Bayern
  ['FFBBBUUUUP', '11FF0BBBUUUUP'], // Berlin
  ['0FFBBBUUUUP', '30FF0BBBUUUUP'], // Brandenburg
  ['FFBBBUUUUP', '24FF0BBBUUUUP'], // Bremen
  ['FFBBBUUUUP', '22FF0BBBUUUUP'], // Hamburg
  ['0FFBBBUUUUP', '26FF0BBBUUUUP'], // Hessen
  ['0FFBBBUUUUP', '40FF0BBBUUUUP'], // Mecklenburg-Vorpommern
  ['FFBBBUUUUP', '23FF0BBBUUUUP'], // Niedersachsen
  ['FFFBBBBUUUP', '5FFF0BBBBUUUP'], // Nordrhein-Westfalen
  ['FFBBBUUUUP', '27FF0BBBUUUUP'], // Rheinland-Pfalz
  ['0FFBBBUUUUP', '10FF0BBBUUUUP'], // Saarland
  ['2FFBBBUUUUP', '32FF0BBBUUUUP'], // Sachsen
  ['1FFBBBUUUUP', '31FF0BBBUUUUP'], // Sachsen-Anhalt
  ['FFBBBUUUUP', '21FF0BBBUUUUP'], // Schleswig-Holstein
  ['1FFBBBUUUUP', '41FF0BBBUUUUP'], // Thüringen
]

const DIGITS = /^\d+$/

/** As `stateForms` shows, a local form alone rarely decides between the states. */
export function readTaxNumber(text: string): TaxNumber | undefined {
  const digits = text.replace(/[\s./-]/g, '')
  if (!DIGITS.test(digits)) return undefined
  if (digits.length === 13) {
    const known = STATES.some(([, long]) => reads(digits, long) !== undefined)
    return known ? { long: digits } : undefined
  }
  const [first, ...others] = new Set(stateForms(digits))
  if (first === undefined) return undefined
  return { long: others.length === 0 ? first : '' }
}

/**
 * The tax identification number of a person (§ 139b AO): 11 digits, the last one a check digit by
 * ISO 7064 MOD 11,10. Local tax numbers of 11 digits are written with strokes; one with a stroke is
 * none of these. Undefined: it is none.
 */
export function readIdentificationNumber(text: string): string | undefined {
  const digits = text.replace(/[\s.-]/g, '')
  if (!/^[1-9]\d{10}$/.test(digits)) return undefined
  // one digit of the first ten comes twice or three times, no second one does
  const counts = new Map<string, number>()
  for (const digit of digits.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  const repeated = [...counts.values()].filter((count) => count > 1)
  const [most] = repeated
  if (repeated.length !== 1 || most === undefined || most > 3) return undefined
  return checkDigit(digits.slice(0, 10)) === Number(digits.at(-1)) ? digits : undefined
}

function checkDigit(digits: string): number {
  let product = 10
  for (const digit of digits) {
    const sum = (Number(digit) + product) % 10 || 10
    product = (sum * 2) % 11
  }
  return (11 - product) % 10
}

/** The 13 digits that a local number has in each of the states whose form it fits. */
export function stateForms(digits: string): string[] {
  return STATES.flatMap(([local, long]) => {
    const letters = reads(digits, local)
    return letters === undefined ? [] : [written(long, letters)]
  })
}

/** The digits behind each letter in their order; undefined: the number has another form. */
function reads(digits: string, form: string): ReadonlyMap<string, string[]> | undefined {
  if (digits.length !== form.length) return undefined
  const found = new Map<string, string[]>()
  for (const [at, sign] of [...form].entries()) {
    const digit = digits.charAt(at)
    if (DIGITS.test(sign)) {
      if (digit !== sign) return undefined
    } else found.set(sign, [...(found.get(sign) ?? []), digit])
  }
  return found
}

function written(form: string, letters: ReadonlyMap<string, string[]>): string {
  const used = new Map<string, number>()
  return [...form]
    .map((sign) => {
      const own = letters.get(sign)
      if (own === undefined) return sign
      const at = used.get(sign) ?? 0
      used.set(sign, at + 1)
      return own[at] ?? ''
    })
    .join('')
}

/** As a number it has lost a leading zero: 1067 is 01067. Those that are in use: 01001 to 99998. */
export function readPostalCode(given: number | string): string | undefined {
  const text = String(given).trim()
  const code = text.length === 4 ? `0${text}` : text
  return /^\d{5}$/.test(code) && code >= '01001' && code <= '99998' ? code : undefined
}

// -------------------------------------------------------------------------------------------- gaps

/** BSI TR-03153: the hash of a key, SHA-256 at least. */
const SERIAL = /^[0-9a-f]{64,}$/i
/** As certificates of the BSI name it; the form of ELSTER takes the two numbers alone. */
const CERTIFICATION = /^(BSI-K-TR-)?\d{4}-\d{4}$/i

/** In the order of the form. */
export function gapsOf(
  { merchant, outlet, system }: Notification,
  units: readonly UnitFacts[],
): Missing[] {
  const number = { outlet: outlet.outletNumber }
  const address = ['street', 'postalCode', 'city'] as const
  return [
    ...absent('merchant', merchant, { names: ['name', 'taxId', ...address], gap: 'gapCompany' }),
    ...taxGaps(merchant),
    ...absent('outlet', outlet, { names: ['name', ...address], gap: 'gapOutlet', details: number }),
    ...absent('system', system, {
      names: ['kind', 'manufacturer', 'model', 'softwareVersion'],
      gap: 'gapSystem',
    }),
    ...units.flatMap(unitGaps),
  ]
}

interface Wanted<T> {
  names: readonly (keyof T & string)[]
  gap: Gap
  details?: Record<string, string | number>
}

function absent<T extends object>(
  part: string,
  value: T,
  { names, gap, details = {} }: Wanted<T>,
): Missing[] {
  return names
    .filter((name) => value[name] === null)
    .map((name) => ({ member: `${part}.${name}`, gap, details: { name, ...details } }))
}

/** Neither a person's number nor one of which the state is known. */
function taxGaps({ taxId, taxNumber, identificationNumber }: Notification['merchant']): Missing[] {
  if (taxId === null || taxNumber !== null || identificationNumber !== null) return []
  return [{ member: 'merchant.taxNumber', gap: 'gapTaxNumber', details: { value: taxId } }]
}

function unitGaps({ scuId, serialHexadecimal, certificationId }: UnitFacts, at: number): Missing[] {
  const path = `units[${at}]`
  const gap = (name: string, how: Gap, value = ''): Missing => ({
    ...{ member: `${path}.${name}`, gap: how, details: { name, value, scu: scuId } },
  })
  // the serial number of a unit that was never reached is missing in every country
  const serial =
    serialHexadecimal === null || SERIAL.test(serialHexadecimal)
      ? []
      : [gap('serialHexadecimal', 'gapSerial', serialHexadecimal)]
  if (serialHexadecimal === null) return []
  if (certificationId === null || !CERTIFICATION.test(certificationId)) {
    return [...serial, gap('certificationId', 'gapCertification', certificationId ?? '-')]
  }
  return serial
}

// -------------------------------------------------------------------------------- the notification

/** What the queue's own master data name comes first: its DSFinV-K shows the same. */
export function notification(sources: NotificationSources): {
  notification: Notification
  missing: Missing[]
} {
  const configured = queueConfiguration.parse(sources.configuration).init_masterData ?? {}
  const merchant = merchantOf(configured, sources.company)
  const found = {
    merchant,
    outlet: outletOf(configured, sources, merchant),
    system: systemOf(configured, sources),
  }
  return { notification: found, missing: gapsOf(found, sources.units) }
}

const known = (...texts: readonly (string | null | undefined)[]): string | null =>
  texts.map((text) => text?.trim() ?? '').find((text) => text !== '') ?? null

type Place = { Street?: string; Zip?: string; City?: string; Country?: string }

/** Null where no part of it is named: an address is never made of two. */
function configuredAddress(place: { [K in keyof Place]?: string | undefined } | undefined) {
  const { Street, Zip, City, Country } = place ?? {}
  const parts = { street: known(Street), postalCode: known(Zip), city: known(City) }
  const isNamed = Object.values(parts).some((part) => part !== null)
  return isNamed ? { ...parts, country: known(Country) } : null
}

function storedAddress({ street, postalCode, city, country }: NotifiedAddress): NotifiedAddress {
  const parts = { street: known(street), postalCode: known(postalCode), city: known(city) }
  return { ...parts, country: known(country) }
}

function merchantOf({ Account }: MasterData, company: Company): NotifiedMerchant {
  const taxId = known(Account?.TaxId, company.taxId)
  return {
    name: known(Account?.AccountName, company.name),
    ...(configuredAddress(Account) ?? storedAddress(company)),
    taxId,
    ...numbersOf(taxId, company),
    vatId: known(Account?.VatId, company.vatId),
  }
}

function numbersOf(taxId: string | null, company: Company) {
  const person = taxId === null ? undefined : readIdentificationNumber(taxId)
  if (person !== undefined) return { taxNumber: null, identificationNumber: person }
  const long = taxId === null ? undefined : readTaxNumber(taxId)?.long
  const stored = known(company.taxId) === taxId ? company.taxNumber : ''
  return { taxNumber: known(long, stored), identificationNumber: null }
}

function outletOf(
  { Outlet }: MasterData,
  { outlet, outletNumber }: NotificationSources,
  merchant: NotifiedMerchant,
): NotifiedOutlet {
  const address = configuredAddress(Outlet) ?? addressIn(outlet) ?? storedAddress(merchant)
  return {
    outletNumber,
    name: known(Outlet?.OutletName, outlet?.name, merchant.name),
    ...address,
    locationId: known(Outlet?.LocationId, outlet?.locationId),
  }
}

function addressIn(outlet: OutletData | undefined): NotifiedAddress | null {
  if (outlet === undefined) return null
  const { address: street, postalCode, city, country } = outlet
  const found = storedAddress({ street, postalCode, city, country })
  return [found.street, found.postalCode, found.city].some((part) => part !== null) ? found : null
}

/** The system that receipts name; where none is named and there is one only, that one. */
function systemOf(
  { PosSystems = [] }: MasterData,
  { identification, posSystems, posSystemId }: NotificationSources,
): NotifiedSystem {
  const same = (id: string | undefined) => id?.toLowerCase() === posSystemId?.toLowerCase()
  const own = posSystems.map(({ id, brand, model, softwareVersion, type }) => ({
    ...{ PosSystemId: id, Brand: brand, Model: model },
    ...{ SoftwareVersion: softwareVersion, Type: type },
  }))
  const all = [...PosSystems, ...own]
  const named = posSystemId === null ? undefined : all.find((one) => same(one.PosSystemId))
  const found = named ?? PosSystems[0] ?? (own.length === 1 ? own[0] : undefined)
  return {
    kind: known(found?.Type),
    serialNumber: identification,
    manufacturer: known(found?.Brand),
    model: known(found?.Model),
    // as in cashregister.csv of the DSFinV-K
    software: known(found?.Brand),
    softwareVersion: known(found?.SoftwareVersion),
  }
}
