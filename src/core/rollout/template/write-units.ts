// Signing units of a template: new ones with what their driver needs, changes of known ones.

import { fail } from '../../../errors.js'
import type { Market } from '../../../market/contract.js'
import { updateUnit } from '../../../store/rollout/components.js'
import type { Transaction } from '../../../store/transaction.js'
import { PLAINLY } from '../../shape-fault.js'
import { checked, makeUnit } from '../create.js'
import { marketOfUnit } from '../publication/packages.js'
import {
  type Ground,
  keepSettings,
  momentOf,
  type Planned,
  UNKNOWN,
  type WriteDeps,
  type Writing,
} from './execution-context.js'
import { type Component, Faults, invalid } from './plan.js'
import { unitRowOf } from './queues.js'

/** Throws SCU_UNKNOWN for one of another outlet, PACKAGE_OTHER. */
export async function writeUnit(
  deps: WriteDeps,
  tx: Transaction,
  { planned, known, ground, unit }: Writing & { unit: Component },
): Promise<void> {
  const standing = ground.units.find(({ id }) => id === unit.id)
  if (known.has(unit.id)) {
    // one of another outlet is as good as none
    if (standing === undefined) throw UNKNOWN.scu(unit.id)
    if (standing.package.toLowerCase() !== unit.package.toLowerCase()) {
      throw fail('PACKAGE_OTHER', { id: unit.id, package: standing.package })
    }
    if (!unit.short) await changeUnit(deps, tx, { planned, ground, unit })
    return
  }
  await createUnit(deps, tx, { planned, ground, unit })
}

interface UnitWriting {
  planned: Planned
  ground: Ground
  unit: Component
}

function rulesOf({ markets }: WriteDeps, { planned, unit }: UnitWriting): Market {
  const code = marketOfUnit(markets, unit.package) ?? planned.market
  const market = markets.find(({ facts }) => facts.code === code)
  if (market?.rollout.templates !== undefined) return market
  const faults = new Faults()
  faults.add(`${unit.path}.Package`, `There is no market ${code} here.`)
  throw invalid(faults)
}

async function createUnit(deps: WriteDeps, tx: Transaction, writing: UnitWriting): Promise<void> {
  const { planned, ground, unit } = writing
  const market = rulesOf(deps, writing)
  const { templates } = market.rollout
  if (templates === undefined) return
  const driverName = templates.driverOf(unit)
  const driver = market.drivers[driverName]
  if (driver === undefined) throw new Error(`${driverName} is no driver of its market`)
  const { createdAt, stamp } = momentOf(deps, unit.index)
  const row = unitRowOf(planned.queues, unit.id)
  const place = { row, company: ground.account.name, location: ground.location }
  const settings: unknown = JSON.parse(
    checkedSettings(driver.configuration, templates.driverSettings(unit, place), unit),
  )
  const { id, description, package: packageName, version, urls } = unit
  const { randomBytes } = deps
  const made = await driver.create({ id, configuration: settings, now: createdAt, randomBytes })
  const { accountId, outletId } = ground.place
  await makeUnit(deps.store, tx, {
    ...{ accountId, id, description, outletId, packageName, made },
    named: deps.named && driver.remote,
    market: market.facts.code,
    package: driverName,
    packageVersion: version,
    urls: JSON.stringify(urls),
    url: urls[0] ?? null,
    mode: templates.modeOf(row),
    timeStamp: stamp,
    createdAt,
  })
  await keepSettings(deps, tx, { accountId, id, settings: unit.settings, stamp })
}

function checkedSettings(
  schema: Market['queue']['configuration'],
  value: unknown,
  { path }: Component,
): string {
  const parsed = schema.safeParse(value, PLAINLY)
  if (parsed.success) return checked(schema, value)
  const faults = new Faults()
  for (const issue of parsed.error.issues) {
    faults.add(`${path}.Configuration.${issue.path.map(String).join('.')}`, issue.message)
  }
  throw invalid(faults)
}

async function changeUnit(deps: WriteDeps, tx: Transaction, writing: UnitWriting): Promise<void> {
  const { planned, ground, unit } = writing
  const accountId = ground.account.id
  const { templates } = rulesOf(deps, writing).rollout
  const { stamp } = momentOf(deps, unit.index)
  const { id, description, version, urls, settings } = unit
  await updateUnit(
    tx,
    { accountId, id },
    {
      packageVersion: version,
      urls: JSON.stringify(urls),
      url: urls[0] ?? null,
      description,
      mode: templates?.modeOf(unitRowOf(planned.queues, id)) ?? 0,
      timeStamp: stamp,
    },
  )
  await keepSettings(deps, tx, { accountId, id, settings, stamp })
}
