// What a country says about registers that are rolled out from templates: its packages, and its
// tables of the configuration that a middleware starts with.
import type { JsonObject, JsonValue } from '../lib/json.js'

/** A signing unit as a template or a publication has it. */
export interface UnitEntry {
  package: string
  urls: readonly string[]
  settings: JsonObject
}

/** What a unit of a country may need beside its own entry. */
export interface UnitPlace {
  /** Its row of the unit table; undefined: no queue of the template uses it. */
  row: JsonObject | undefined
  /** Name of the account, and the number of its outlet ('' for none). */
  company: string
  location: string
}

/** One of the tables in the configuration of a queue. */
export interface TableRules {
  /** `init_ftQueueAT` */
  name: string
  /** The member that has the id of queue or unit: `ftQueueATId`. */
  id: string
  /** Members that are published with these values whatever was given: counters and moments. */
  fresh: Readonly<Record<string, JsonValue | number>>
}

export interface RowFault {
  /** The member of the row. */
  member: string
  expected: string
}

export interface RolloutRules {
  /** Names of packages that are signing units of this country. */
  packages: readonly string[]
  /**
   * The one of them that an entry means by this name, in any case, '' for an entry that names none;
   * undefined: none of this country.
   */
  packageOf(name: string): string | undefined
  /** Which driver of the market serves a unit; every name leads to one. */
  driverOf(unit: UnitEntry): string
  /** What of its settings the driver is created with. */
  driverSettings(unit: UnitEntry, place: UnitPlace): unknown
  /** The name towards the authority of a queue whose row has none; '': it must have one. */
  identificationOf(queue: { id: string; now: Date }): string
  queueTable: TableRules
  unitTable: TableRules
  /**
   * The member of the queue's row that names its one unit; left out: it uses every unit that the
   * unit table lists.
   */
  unitMember?: string
  /** The members that a row of the unit table has beside its own: address, mode. */
  unitRow(unit: {
    urls: readonly string[]
    mode: number
    settings: JsonObject
  }): Record<string, JsonValue | number>
  /** The queue's row with what a template may leave out. */
  completed(row: JsonObject, tools: { randomBytes(count: number): Buffer }): JsonObject
  /** What is wrong with the queue's row. */
  faultsOf(row: JsonObject): RowFault[]
  /** What is wrong with a row of the unit table; left out: nothing can be. */
  unitFaultsOf?(row: JsonObject): RowFault[]
  /** Secrets of a queue with this row, as its market keeps them; '' for none. */
  secretsOf(row: JsonObject): string
  /** Members of the row that keep the value they were published with first. */
  keptMembers: readonly string[]
  /** Members of the row that are parameters of the queue as well. */
  parameters: readonly string[]
  /** Its queues read the master data of the publication (`init_masterData`). */
  masterData: boolean
  /** Mode of a unit by its row. */
  modeOf(row: JsonObject | undefined): number
  /**
   * What fills members of rows that a template leaves out, by the name that it has: parameters of
   * the query, for one unit (`scu0_zda`) or for all; else, of units, the setting of the same name,
   * and a variable. Several names may fill one member.
   */
  unitParameters: Readonly<Record<string, string>>
  queueParameters: Readonly<Record<string, string>>
  /** Whether `reference_scu_{type}_…` means units of this package. */
  isReferenced(type: string, packageName: string): boolean
  /** `reference_scu_{type}_{attribute}` without key: the oldest one. */
  unkeyedReferences: boolean
}

/**
 * A program that uploads data to the platform of another vendor. The same id stands in
 * configurations of every account; it is never part of a list.
 */
export const GLOBAL_HELPER = 'c32204ee-63d9-48c2-b548-acfb389fa713'

/** Signing as a service without a queue; only accounts with the role for it may create it. */
export const SIGNING_ONLY_PACKAGE = 'fiskaltrust.RKSVSign'

/** What each of them uses up: one term of whoever creates it. */
export const SIGNING_ONLY_ENTITLEMENT = 'AT_RKSV_SIGN'
