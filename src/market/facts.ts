// What the core and the groups may ask about a country.
import type { PageRules } from '../case/traits.js'
import type { AutopilotPolicy } from '../model/outage.js'
import type { PlaceRules } from '../model/place.js'
import type { ReportRule } from '../model/report.js'

export interface MarketFacts {
  /** ISO 3166 letters, e.g. AT. */
  code: string
  zone: string
  currency: string
  legalName: string
  /** In which people of the country are written to unless they say otherwise, e.g. de-AT. */
  culture: string
  capabilities: Capabilities
  /** What is done about outages; left out: people are told, and no authority is. */
  outage?: OutageFacts
  /** How master data is read, where the capability is declared. */
  masterData?: MasterDataRules
  /** How its receipts read on a page. Left out: words of version 2 only. */
  page?: PageRules
  /** What its authorities are told of registers; left out: nothing. */
  reports?: readonly ReportRule[]
  /** How it is told of all registers of a place; left out: it is not. */
  place?: PlaceRules
}

export interface OutageFacts {
  /** Unless the cash box says otherwise; a sandbox always acts. */
  autopilot: Exclude<AutopilotPolicy, 'off'>
  /** When the authority is to be told; left out: it is not. */
  report?: {
    /** An outage that lasts longer. */
    afterHours: number
    /** Behind that. */
    withinDays: number
    law: string
  }
}

export interface MasterDataRules {
  /** Undefined: it is none. */
  taxNumber(text: string): TaxNumber | undefined
  /** In its full length; undefined: there is no such postal code. */
  postalCode(given: number | string): string | undefined
}

export interface TaxNumber {
  /** In the form that authorities exchange; '' where the entered form does not decide it. */
  long: string
}

/** What dealers can do in some countries only; an operation names the one that it needs. */
export interface Capabilities {
  /** Signing units are listed, read, put into cash boxes and switched by themselves. */
  tse: boolean
  /** Tax number and address of a merchant are changed by their dealer. */
  masterData: boolean
  /** Queues have dates of purchase and commissioning. */
  queueDates: boolean
  /** Signing units can be described. */
  unitDescriptions: boolean
  /** Outlets need the number of the authorities as location id before they get registers. */
  outletLocation: boolean
}

/** Of a country that has no market here. */
export const NO_CAPABILITIES: Capabilities = {
  tse: false,
  masterData: false,
  queueDates: false,
  unitDescriptions: false,
  outletLocation: false,
}
