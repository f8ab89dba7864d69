// The rows of one cash point closing (Kassenabschluss): master data and sums.
import { flag } from './bon-rows.js'
import type { Row } from './cells.js'
import { countryCode } from './countries.js'
import type { Master } from './master.js'
import type { ClosingSums } from './sums.js'

export function locationRow({ outlet }: Master): Row<'location'> {
  return {
    LOC_NAME: outlet.OutletName ?? '',
    LOC_STRASSE: outlet.Street ?? '',
    LOC_PLZ: outlet.Zip ?? '',
    LOC_ORT: outlet.City ?? '',
    LOC_LAND: countryCode(outlet.Country),
    LOC_USTID: outlet.VatId ?? '',
  }
}

export interface ClosingFacts {
  version: string
  /** First and last BON_ID. */
  first: string
  last: string
}

export function closingRow(
  { account }: Master,
  facts: ClosingFacts,
  sums: ClosingSums,
): Row<'cashpointclosing'> {
  return {
    Z_BUCHUNGSTAG: '',
    TAXONOMIE_VERSION: facts.version,
    Z_START_ID: facts.first,
    Z_ENDE_ID: facts.last,
    NAME: account.AccountName ?? '',
    STRASSE: account.Street ?? '',
    PLZ: account.Zip ?? '',
    ORT: account.City ?? '',
    LAND: countryCode(account.Country),
    STNR: account.TaxId ?? '',
    USTID: account.VatId ?? '',
    Z_SE_ZAHLUNGEN: sums.paid,
    Z_SE_BARZAHLUNGEN: sums.paidInCash,
  }
}

export interface RegisterFacts {
  identification: string
  posSystemId: string | null
  /** Key 7 occurs: tax that nobody can tell. */
  hasUnknownTax: boolean
}

export function registerRow(master: Master, facts: RegisterFacts): Row<'cashregister'> {
  const system = master.posSystem(facts.posSystemId)
  return {
    KASSE_BRAND: system.Brand ?? '',
    KASSE_MODELL: system.Model ?? '',
    KASSE_SERIENNR: facts.identification,
    KASSE_SW_BRAND: system.Brand ?? '',
    KASSE_SW_VERSION: system.SoftwareVersion ?? '',
    KASSE_BASISWAEH_CODE: master.baseCurrency(facts.posSystemId),
    KEINE_UST_ZUORDNUNG: flag(facts.hasUnknownTax),
  }
}

export function terminalRow(id: string): Row<'slaves'> {
  return {
    TERMINAL_ID: id,
    TERMINAL_BRAND: '',
    TERMINAL_MODELL: '',
    TERMINAL_SERIENNR: id,
    TERMINAL_SW_BRAND: '',
    TERMINAL_SW_VERSION: '',
  }
}

export function agencyRow(master: Master, number: number): Row<'pa'> {
  const agency = master.agency(number)
  return {
    AGENTUR_ID: number,
    AGENTUR_NAME: agency.Name ?? '',
    AGENTUR_STRASSE: agency.Street ?? '',
    AGENTUR_PLZ: agency.Zip ?? '',
    AGENTUR_ORT: agency.City ?? '',
    AGENTUR_LAND: countryCode(agency.Country),
    AGENTUR_STNR: agency.TaxId ?? '',
    AGENTUR_USTID: agency.VatId ?? '',
  }
}

export function caseRows(sums: ClosingSums): Row<'businesscases'>[] {
  return Array.from(sums.cases.values(), (sum) => ({
    GV_TYP: sum.type,
    GV_NAME: sum.name,
    AGENTUR_ID: sum.agency,
    UST_SCHLUESSEL: sum.key,
    Z_UMS_BRUTTO: sum.gross,
    Z_UMS_NETTO: sum.net,
    Z_UST: sum.tax,
  }))
}

export function paymentSumRows(sums: ClosingSums): Row<'payment'>[] {
  return Array.from(sums.payments.values(), ({ type, name, amount }) => ({
    ZAHLART_TYP: type,
    ZAHLART_NAME: name,
    Z_ZAHLART_BETRAG: amount,
  }))
}

export function currencyRows(sums: ClosingSums): Row<'cash_per_currency'>[] {
  return Array.from(sums.currencies, ([currency, amount]) => ({
    ZAHLART_WAEH: currency,
    ZAHLART_BETRAG_WAEH: amount,
  }))
}
