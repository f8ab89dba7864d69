// The queues of a template: their country, their rows of the middleware's tables, and the units
// that they use.
import { isUuid } from '../../../lib/id.js'
import { JsonNumber, JsonObject, type JsonValue } from '../../../lib/json.js'
import {
  jsonObject,
  memberOf,
  plainOf,
  rowsMember,
  textMember,
  withMembers,
  withoutMembers,
} from '../../../lib/json-object.js'
import type { Market } from '../../../market/contract.js'
import type { RolloutRules } from '../../../model/rollout.js'
import { PLAINLY } from '../../shape-fault.js'
import { type Component, type Faults, type PlanInput, wholeOf } from './plan.js'

export interface PlannedQueue extends Component {
  market: Market
  rules: RolloutRules
  timeoutMs: number
  identification: string
  /** Its row of the market's table, complete. */
  row: JsonObject
  /** In the order in which they are tried. */
  unitIds: string[]
  /** As the market has checked it. */
  configuration: string
  purchaseDate: Date | null
  commissioningDate: Date | null
}

const USUAL_TIMEOUT = 15_000
/** Milliseconds of a day: nobody waits longer for a receipt. */
const LONGEST_TIMEOUT = 86_400_000

/** Undefined: it has faults that leave nothing to plan. */
export function queueOf(
  input: PlanInput,
  { component, units }: { component: Component; units: readonly Component[] },
  faults: Faults,
): PlannedQueue | undefined {
  const at = `${component.path}.Configuration`
  const general = rowsMember(component.settings, 'init_ftQueue')[0]
  const parameter = (name: string) =>
    component.index < 10 ? input.variables.parameter(`queue${component.index}_${name}`) : undefined
  const code = (
    textMember(general, 'CountryCode') ??
    parameter('countrycode') ??
    input.market
  ).toUpperCase()
  const market = input.markets.find((one) => one.facts.code === code)
  const rules = market?.rollout.templates
  if (market === undefined || rules === undefined) {
    faults.add(`${at}.init_ftQueue[0].CountryCode`, `There is no market ${code} here.`)
    return undefined
  }
  const timeoutMs =
    wholeOf(
      memberOf(general, 'Timeout') ?? parameter('timeout') ?? new JsonNumber(`${USUAL_TIMEOUT}`),
    ) ?? -1
  if (timeoutMs < 0 || timeoutMs > LONGEST_TIMEOUT) {
    faults.add(`${at}.init_ftQueue[0].Timeout`, 'Milliseconds are expected.')
  }
  const place = { component, rules, parameter, input, at, faults }
  const row = rowOf(place)
  const identification = textMember(row, 'CashBoxIdentification') ?? ''
  const fits = market.queue.identification.safeParse(identification, PLAINLY)
  if (!fits.success) {
    const path = `${at}.${rules.queueTable.name}[0].CashBoxIdentification`
    faults.add(path, fits.error.issues[0]?.message ?? 'Another text is expected.')
  }
  const unitIds = unitIdsOf(place, row, units)
  const unitRows = unitIds.map((id) => unitRowWith(place, id, units))
  tellUnitFaults(place, unitRows)
  const settings = settingsWith(place, {
    init_ftQueue: [
      withMembers(general ?? new JsonObject(), { CountryCode: code, Timeout: timeoutMs }),
    ],
    [rules.queueTable.name]: [row],
    [rules.unitTable.name]: unitRows,
  })
  return {
    ...component,
    ...{ market, rules, row, timeoutMs, identification, settings, unitIds },
    configuration: parametersOf({ ...place, market }, settings, row),
    ...datesOf(place),
  }
}

interface Place {
  component: Component
  rules: RolloutRules
  parameter(name: string): string | undefined
  input: PlanInput
  at: string
  faults: Faults
}

function rowOf({ component, rules, parameter, input, at, faults }: Place): JsonObject {
  const { name } = rules.queueTable
  let row = rowsMember(component.settings, name)[0] ?? new JsonObject()
  const fill = (member: string, value: string | undefined): void => {
    row = withMissing(row, member, value)
  }
  const usual = rules.identificationOf({ id: component.id, now: input.now })
  fill('CashBoxIdentification', parameter('cashboxidentification') ?? usual)
  for (const [word, member] of Object.entries(rules.queueParameters)) fill(member, parameter(word))
  for (const { member, expected } of rules.faultsOf(row)) {
    faults.add(`${at}.${name}[0].${member}`, `Expected: ${expected}.`)
  }
  return rules.completed(row, input)
}

/** With the member where the row has none and there is a value. */
function withMissing(row: JsonObject, member: string, value: string | undefined): JsonObject {
  if (value === undefined || textMember(row, member) !== undefined) return row
  return withMembers(row, { [member]: value })
}

/** The settings with complete tables, as they are stored and published. */
function settingsWith({ component }: Place, tables: Readonly<Record<string, JsonValue>>) {
  return withMembers(component.settings, tables)
}

function tellUnitFaults({ rules, at, faults }: Place, rows: readonly JsonObject[]): void {
  for (const [index, row] of rows.entries()) {
    for (const { member, expected } of rules.unitFaultsOf?.(row) ?? []) {
      faults.add(`${at}.${rules.unitTable.name}[${index}].${member}`, `Expected: ${expected}.`)
    }
  }
}

/** Parameters of the query fill its gaps; the one for all units beats that of a single one. */
function unitRowWith(
  { component, rules, input }: Place,
  id: string,
  units: readonly Component[],
): JsonObject {
  const { unitTable } = rules
  const given = rowsMember(component.settings, unitTable.name).find(
    (row) => textMember(row, unitTable.id)?.trim().toLowerCase() === id,
  )
  let row = given ?? jsonObject({ [unitTable.id]: id })
  const fill = (member: string, value: string | undefined): void => {
    row = withMissing(row, member, value)
  }
  const index = units.findIndex((unit) => unit.id === id)
  const { variables } = input
  const named = Object.entries(rules.unitParameters)
  for (const [word, member] of named) {
    fill(member, variables.parameter(member) ?? variables.parameter(`scu${index}_${word}`))
  }
  const settings = units[index]?.settings
  for (const [word, member] of named) {
    fill(member, textMember(settings, member) ?? variables.get(word))
  }
  return row
}

function unitIdsOf(
  { component, rules, at, faults }: Place,
  row: JsonObject,
  units: readonly Component[],
): string[] {
  const { unitMember, unitTable, queueTable } = rules
  if (unitMember !== undefined) {
    const text = textMember(row, unitMember)?.trim().toLowerCase()
    const only = units.length === 1 ? units[0]?.id : undefined
    const id = text ?? only
    if (id !== undefined && isUuid(id)) return [id]
    faults.add(
      `${at}.${queueTable.name}[0].${unitMember}`,
      id === undefined ? 'The signing unit of the queue is missing.' : 'A GUID is expected.',
    )
    return []
  }
  const named = rowsMember(component.settings, unitTable.name).flatMap(
    (unit) => textMember(unit, unitTable.id)?.trim().toLowerCase() ?? [],
  )
  if (named.every(isUuid)) {
    return [...new Set(named.length > 0 ? named : units.map((unit) => unit.id))]
  }
  faults.add(`${at}.${unitTable.name}`, `GUIDs are expected as ${unitTable.id}.`)
  return []
}

/** Names of settings that are secret; the market's parameters are stored as plain text. */
const SECRET = /(token|secret|pin|password|connectionstring|_encrypted)$/i

function parametersOf(
  { rules, at, faults, market }: Place & { market: Market },
  settings: JsonObject,
  row: JsonObject,
): string {
  const own = withoutMembers(
    settings,
    (name) => SECRET.test(name) || (/^init_/i.test(name) && !/^init_masterData$/i.test(name)),
  )
  const given = rules.parameters.flatMap((name): [string, JsonValue][] => {
    const value = memberOf(row, name)
    return value === undefined || value === '' ? [] : [[name, value]]
  })
  const master = memberOf(settings, 'init_masterData')
  const whole = withMembers(own, Object.fromEntries(given))
  const parsed = market.queue.configuration.safeParse(
    plainOf(master === undefined ? without(whole) : whole),
    PLAINLY,
  )
  if (parsed.success) return JSON.stringify(parsed.data)
  for (const { path, message } of parsed.error.issues) {
    faults.add(`${at}.${path.map(String).join('.')}`, message)
  }
  return '{}'
}

function without(object: JsonObject): JsonObject {
  return withoutMembers(object, (name) => /^init_masterData$/i.test(name))
}

function datesOf({ parameter, input, faults }: Place) {
  const read = (name: string): Date | null => {
    const text = input.variables.parameter(name) ?? parameter(name.toLowerCase())
    if (text === undefined) return null
    const date = dayOf(text)
    if (date === undefined) faults.add(name, 'A date is expected: DD-MM-YYYY.')
    return date ?? null
  }
  const purchaseDate = read('PurchaseDate')
  const commissioningDate = read('CommissioningDate')
  if (purchaseDate !== null && commissioningDate !== null && purchaseDate > commissioningDate) {
    faults.add('PurchaseDate', 'The purchase must not be later than the commissioning.')
  }
  return { purchaseDate, commissioningDate }
}

function dayOf(text: string): Date | undefined {
  const [, day, month, year] = /^(\d{2})-(\d{2})-(\d{4})$/.exec(text.trim()) ?? []
  const iso = `${year}-${month}-${day}`
  const date = new Date(`${iso}T00:00:00Z`)
  const isReal = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso)
  return isReal ? date : undefined
}

/** Signing units that the settings of a unit row describe; for the mode of the unit. */
export function unitRowOf(queues: readonly PlannedQueue[], unitId: string): JsonObject | undefined {
  for (const { settings, rules } of queues) {
    const found = rowsMember(settings, rules.unitTable.name).find(
      (row) => textMember(row, rules.unitTable.id)?.trim().toLowerCase() === unitId,
    )
    if (found !== undefined) return found
  }
  return undefined
}
