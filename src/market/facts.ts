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
  /**
   * What its units do for other servers: they sign any bytes (group C), or transactions as security
   * devices; also while a queue of this server signs with them, or not. Left out: nothing.
   */
  unitsServe?: { as: 'signer' | 'module'; whileLinked: boolean }
  /** How its receipts read on a page. Left out: words of version 2 only. */
  page?: PageRules
  /** What is looked for in its registers; left out: what every country has. */
  watch?: WatchFacts
  /** Days on which nobody is missed; left out: none. */
  holidays?: Holidays
  /**
   * Parameter of a queue that, when it is false, has it kept outside by quarters instead of months;
   * left out: by months.
   */
  monthlySwitch?: string
  /** What its authorities are told of registers; left out: nothing. */
  reports?: readonly ReportRule[]
  /** How it is told of all registers of a place; left out: it is not. */
  place?: PlaceRules
}

/** Paths lead through a queue's state to a moment (Unix milliseconds, or null). */
export interface WatchFacts {
  /** The first receipt since the last daily closing. */
  openSince?: readonly string[]
  /** The start of the oldest transaction that waits for its end. */
  transactionSince?: readonly string[]
  /** The first closing in a row whose log could not be taken out of the unit. */
  logMissingSince?: readonly string[]
  /** How full its unit was at the last closing, from 0 to 1, and the id of that unit. */
  memory?: { used: readonly string[]; unit: readonly string[] }
  /** The last monthly receipt. One before this day of a month settles the month before. */
  settled?: { path: readonly string[]; ownMonthFrom: number }
  /**
   * The oldest receipt that lies in no archive, or nowhere outside (ISO text): people are told
   * after so many days, and before more have passed than the law allows; left out: it says nothing.
   */
  archive?: { path: readonly string[]; days: { remindDays: number; mostDays?: number } }
  /** Serial numbers of its units, as a pattern of PostgreSQL. */
  unitSerial?: string
  /** Its exports name the cash register program: the merchant must have one. */
  posSystems?: true
}

/** Public holidays of the whole country. */
export interface Holidays {
  /** Month and day: 12-25. */
  fixed: readonly string[]
  /** Days behind Easter Sunday; left out: none. */
  easter?: readonly number[]
  /** Days behind the Easter Sunday of the Orthodox churches; left out: none. */
  orthodoxEaster?: readonly number[]
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
}

/** Of a country that has no market here. */
export const NO_CAPABILITIES: Capabilities = {
  tse: false,
  masterData: false,
  queueDates: false,
  unitDescriptions: false,
}
