// All registers of a place of business, as an authority wants to be told of them at once.
import type { Missing, Notification, NotifiedMerchant, NotifiedOutlet } from './queue-facts.js'

/** What a dealer says of a register beside what is known of it; days as YYYY-MM-DD. */
export interface RegisterEntry {
  /** By the list of the authority's form. */
  kind: number | null
  software: string | null
  softwareVersion: string | null
  manufacturer: string | null
  model: string | null
  acquiredOn: string | null
  inOperationOn: string | null
  outOfOperationOn: string | null
  reason: string | null
}

/** The same of a signing unit. */
export interface UnitEntry {
  serialNumber: string | null
  certificationId: string | null
  /** 1 card, 2 USB stick, 3 cloud. */
  form: number | null
}

export interface PlaceUnit {
  serialHexadecimal: string | null
  certificationId: string | null
  entry: UnitEntry
}

/** An entry of the action journal that tells of a unit. */
export interface UnitAction {
  type: string
  moment: Date
  dataJson: string | null
}

export interface PlaceRegister {
  queueId: string
  notification: Notification
  entry: RegisterEntry
  startMoment: Date | null
  stopMoment: Date | null
  purchaseDate: Date | null
  commissioningDate: Date | null
  /** In their order. */
  actions: readonly UnitAction[]
  /** In the order in which the queue tries them. */
  unitIds: readonly string[]
}

export interface PlaceSources {
  registers: readonly PlaceRegister[]
  /** Every unit of the merchant, by its id. */
  units: ReadonlyMap<string, PlaceUnit>
}

/** A register and the time in which it worked with one unit. */
export interface PlaceSystem {
  queueId: string
  scuId: string | null
  kind: number | null
  software: string | null
  softwareVersion: string | null
  serialNumber: string
  manufacturer: string | null
  model: string | null
  tse: PlaceTse
  acquiredOn: string | null
  inOperationOn: string | null
  outOfOperationOn: string | null
  reason: string | null
}

export interface PlaceTse {
  serialNumber: string | null
  startedOn: string | null
  /** Null: it works with it now. */
  endedOn: string | null
  /** NNNN-YYYY */
  certificationId: string | null
  form: number | null
}

export interface PlaceReport {
  merchant: NotifiedMerchant | null
  outlet: NotifiedOutlet | null
  systems: PlaceSystem[]
  missing: Missing[]
}

export interface PlaceRules {
  /** Types of entries of the action journal that tell of units. */
  unitActions: readonly string[]
  report(sources: PlaceSources): PlaceReport
  /** For upload; of a report that lacks nothing. */
  xml(report: PlaceReport): string
}
