// What a country tells of one of its queues to those who know no country.
import type { OutletData } from './outlet.js'
import type { PosSystem } from './pos-system.js'

/** The key of an encrypted turnover counter, and what closed systems are registered as. */
export interface TurnoverKey {
  /** Null before the start receipt, which makes it. */
  encryptionKeyBase64: string | null
  /** Four characters by which a key that was typed in is checked. */
  encryptionKeyCheckValue: string | null
  closedSystemKind: string | null
  closedSystemValue: string | null
}

/** Where a register is notified to the tax office with its merchant and its place. */
export interface Notification {
  merchant: NotifiedMerchant
  outlet: NotifiedOutlet
  system: NotifiedSystem
}

export interface NotifiedMerchant extends NotifiedAddress {
  name: string | null
  /** As it was entered. */
  taxId: string | null
  /** In the form that authorities exchange; null: it was not entered, or fits several states. */
  taxNumber: string | null
  /** Of a person; null: what was entered is none. */
  identificationNumber: string | null
  vatId: string | null
}

export interface NotifiedOutlet extends NotifiedAddress {
  outletNumber: number
  name: string | null
  /** Outlets with the same one are one place. */
  locationId: string | null
}

export interface NotifiedAddress {
  street: string | null
  postalCode: string | null
  city: string | null
  country: string | null
}

/** The electronic recording system. */
export interface NotifiedSystem {
  kind: string | null
  /** What receipts and exports show as the serial number of the register. */
  serialNumber: string
  manufacturer: string | null
  model: string | null
  software: string | null
  softwareVersion: string | null
}

/** What an account knows of who notifies. */
export interface Company extends NotifiedAddress {
  name: string
  taxId: string
  taxNumber: string
  vatId: string
}

/** Who sells: the PosOperator, and the outlet where the register stands. */
export interface Seller {
  company: Company
  outletNumber: number
  /** Undefined: the number has no record. */
  outlet: OutletData | undefined
}

export interface NotificationSources {
  /** Of the queue, as it is stored. */
  configuration: unknown
  identification: string
  company: Company
  outletNumber: number
  /** Undefined: the number has no record. */
  outlet: OutletData | undefined
  posSystems: readonly PosSystem[]
  /** ftPosSystemId of the newest receipts that name one. */
  posSystemId: string | null
  units: readonly UnitFacts[]
}

export interface UnitFacts {
  scuId: string
  serialHexadecimal: string | null
  certificationId: string | null
}

/** Why something cannot be registered yet; the name of the sentence that says so. */
export type Gap =
  | 'gapStart'
  | 'gapCompany'
  | 'gapOutlet'
  | 'gapSystem'
  | 'gapUnits'
  | 'gapUnit'
  | 'gapTaxNumber'
  | 'gapSerial'
  | 'gapCertification'
  | 'gapDates'
  | 'gapRegister'
  | 'gapTse'

export interface Missing {
  /** Path in the answer. */
  member: string
  gap: Gap
  details: Readonly<Record<string, string | number>>
}

/** Which unit a queue works with, for countries whose receipts change it. */
export interface UnitLink {
  /** Null before the start and while units are switched. */
  scuId: string | null
  /** The switch that was begun and is not finished. */
  switching: { sourceId: string; targetId: string } | null
}
