// What the notification of a till to the tax office needs (Mitteilung nach § 146a Abs. 4 AO), and
// what is wanting of it.
import type { OutletData } from '../../model/outlet.js'
import type {
  Company,
  Missing,
  Notification,
  NotificationSources,
  NotifiedAddress,
  NotifiedMerchant,
  NotifiedOutlet,
  NotifiedSystem,
} from '../../model/queue-facts.js'
import { queueConfiguration } from './configuration.js'
import { gapsOf } from './notification-gaps.js'
import type { MasterData } from './rows.js'
import { readIdentificationNumber, readTaxNumber } from './tax-number.js'

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
