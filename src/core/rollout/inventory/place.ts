// All registers of a place as its authority wants to be told of them, what has changed since it was
// told last, and what dealers say of registers and units beside what is known.
import { fail } from '../../../errors.js'
import type { MarketFacts } from '../../../market/facts.js'
import type {
  PlaceRegister,
  PlaceReport,
  PlaceRules,
  PlaceSystem,
  PlaceUnit,
  RegisterEntry,
  UnitEntry,
} from '../../../model/place.js'
import { findOutlet } from '../../../store/account/outlets.js'
import { listEntries, listUnitActions, queuesOfPlace } from '../../../store/event/report/entries.js'
import { lastTold } from '../../../store/event/report/submissions.js'
import { listStockUnits, listUnitsOfQueues } from '../../../store/rollout/inventory.js'
import { plainly, queueOf } from './inventory.js'
import { notificationOf, type RegistrationDeps, shownUnit } from './registration.js'

export interface PlaceDeps extends RegistrationDeps {
  factsOf(market: string): MarketFacts | undefined
}

export interface Place {
  accountId: string
  market: string
  number: number
}

export interface PlaceView {
  report: PlaceReport
  /** When the authority was told last; null: never. */
  toldOn: string | null
  /** Since then; all of it where nothing was told. */
  changes: PlaceChange[]
}

export interface PlaceChange {
  what: 'added' | 'removed' | 'changed'
  serialNumber: string
  tseSerialNumber: string | null
  /** Members that differ. */
  members: string[]
}

/** Throws MARKET_UNSUPPORTED. */
export function placeRulesOf({ factsOf }: Pick<PlaceDeps, 'factsOf'>, market: string): PlaceRules {
  const rules = factsOf(market)?.place
  if (rules === undefined) throw fail('MARKET_UNSUPPORTED', { market })
  return rules
}

/** Throws MARKET_UNSUPPORTED, and OUTLET_UNKNOWN for a number that is neither. */
export async function placeView(deps: PlaceDeps, place: Place): Promise<PlaceView> {
  const report = await placeReport(deps, place)
  const { accountId, number } = place
  if (report.systems.length === 0 && number !== 1) {
    const outlet = await findOutlet(deps.store, { accountId, number })
    if (outlet === undefined) throw fail('OUTLET_UNKNOWN', { number })
  }
  const told = await lastTold(deps.store, { accountId, subject: `outlet/${number}` })
  const before = told === undefined ? [] : (JSON.parse(told.told) as PlaceReport).systems
  const changes = changesOf(before, report.systems)
  return { report, toldOn: told?.doneOn ?? null, changes }
}

export async function placeReport(deps: PlaceDeps, place: Place): Promise<PlaceReport> {
  const { accountId, market } = place
  const rules = placeRulesOf(deps, market)
  const { store } = deps
  const ask = plainly(deps)
  const entries = new Map(
    (await listEntries(store, accountId)).map(({ subject, details }) => [subject, details]),
  )
  const order = await listUnitsOfQueues(ask, accountId)
  const registers: PlaceRegister[] = []
  for (const queueId of await queuesOfPlace(store, place)) {
    const queue = await queueOf(ask, { accountId, id: queueId })
    const entry = registerEntry(entries.get(`queue/${queueId}`))
    // what was neither bought nor started is no register yet
    const bought = entry.acquiredOn ?? queue.purchaseDate
    if (queue.startMoment === null && bought === null) continue
    const told = await notificationOf(deps, { accountId, queue, units: [] })
    if (told === undefined) continue
    const { startMoment, stopMoment, purchaseDate, commissioningDate } = queue
    registers.push({
      ...{ queueId, entry, startMoment, stopMoment, purchaseDate, commissioningDate },
      notification: told.notification,
      actions: await listUnitActions(store, { accountId, queueId }, rules.unitActions),
      unitIds: order.filter((one) => one.queueId === queueId).map(({ scuId }) => scuId),
    })
  }
  return rules.report({ registers, units: await unitsOf(deps, accountId, entries) })
}

async function unitsOf(
  deps: PlaceDeps,
  accountId: string,
  entries: ReadonlyMap<string, string>,
): Promise<Map<string, PlaceUnit>> {
  const all = await listStockUnits(plainly(deps), deps.store, { accountId })
  const units = await Promise.all(
    all.map(async (unit) => {
      const { scuId, serialHexadecimal, certificationId } = await shownUnit(deps, unit)
      const entry = unitEntry(entries.get(`scu/${scuId}`))
      return [scuId, { serialHexadecimal, certificationId, entry }] as const
    }),
  )
  return new Map(units)
}

const NO_REGISTER: RegisterEntry = {
  ...{ kind: null, software: null, softwareVersion: null, manufacturer: null, model: null },
  ...{ acquiredOn: null, inOperationOn: null, outOfOperationOn: null, reason: null },
}
const NO_UNIT: UnitEntry = { serialNumber: null, certificationId: null, form: null }

export const registerEntry = (details = '{}'): RegisterEntry => ({
  ...NO_REGISTER,
  ...(JSON.parse(details) as Partial<RegisterEntry>),
})

export const unitEntry = (details = '{}'): UnitEntry => ({
  ...NO_UNIT,
  ...(JSON.parse(details) as Partial<UnitEntry>),
})

// ------------------------------------------------------------------------------- what has changed

const keyOf = ({ queueId, scuId, tse }: PlaceSystem): string =>
  `${queueId} ${scuId ?? ''} ${tse.startedOn ?? ''}`

export function changesOf(
  before: readonly PlaceSystem[],
  after: readonly PlaceSystem[],
): PlaceChange[] {
  const was = new Map(before.map((system) => [keyOf(system), system]))
  const is = new Set(after.map(keyOf))
  const seen = after.flatMap((system): PlaceChange[] => {
    const former = was.get(keyOf(system))
    if (former === undefined) return [{ what: 'added', ...namesOf(system), members: [] }]
    const members = differing(former, system)
    return members.length === 0 ? [] : [{ what: 'changed', ...namesOf(system), members }]
  })
  const gone = before.filter((system) => !is.has(keyOf(system)))
  return [
    ...seen,
    ...gone.map((system): PlaceChange => ({ what: 'removed', ...namesOf(system), members: [] })),
  ]
}

const namesOf = ({ serialNumber, tse }: PlaceSystem) => ({
  ...{ serialNumber, tseSerialNumber: tse.serialNumber },
})

function differing(before: PlaceSystem, after: PlaceSystem): string[] {
  const [was, is] = [before, after].map(({ tse, ...rest }) => [
    ...Object.entries(rest),
    ...Object.entries(tse).map(([name, value]) => [`tse.${name}`, value] as const),
  ])
  const known = new Map(was)
  return (is ?? []).filter(([name, value]) => known.get(name) !== value).map(([name]) => name)
}
