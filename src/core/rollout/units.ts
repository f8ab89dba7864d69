// Changes of what is rolled out: parameters of a queue, further signing units, their mode, and the
// plan of a switch between two.
import { fail } from '../../errors.js'
import { isUuid } from '../../lib/id.js'
import type { Market } from '../../market/contract.js'
import type { ScuHead } from '../../model/scu.js'
import { findCashBoxOfQueue } from '../../store/rollout/cashboxes.js'
import { replaceConfiguration } from '../../store/rollout/rollout.js'
import { attachUnit, changeUnit, findUnit } from '../../store/rollout/scus.js'
import { accountOf } from '../accounts/accounts.js'
import {
  checked,
  checkIdentification,
  createCashBox,
  createQueue,
  createScu,
  type RolloutDeps,
} from './create.js'
import { asSource, asTarget, type Marked } from './inventory/switch-marks.js'
import { checkNames, parametersOf } from './parameters.js'

/** Names of the first byte of Mode. */
export const MODES = { normal: 0, backup: 1, disabled: 99 } as const

/** What a queue may be given; left out: as the market wants it. */
export interface QueueWishes {
  identification?: string
  configuration?: Record<string, unknown>
}

export interface RolledOutBox {
  market: string
  cashBoxId: string
  accessToken: string
  queueId: string
  scuIds: string[]
}

/** A cash box with a queue and a software signing unit, not started. */
export async function createWholeBox(
  deps: RolloutDeps,
  box: { accountId: string; market: string; description: string } & QueueWishes,
): Promise<RolledOutBox> {
  const { market, description } = box
  const { id: accountId } = await accountOf(deps.store, box.accountId)
  const found = deps.marketOf(market)
  const { scuPackage } = found.rollout.demo
  // everything that can be wrong is told before there is half a cash box
  if (deps.software === false && found.drivers[scuPackage]?.software === true) {
    throw fail('SOFTWARE_DEVICE', { scu: `The signing unit ${scuPackage}` })
  }
  const parameters = parametersOf(found, box.configuration ?? {})
  checked(found.queue.configuration, parameters.configuration)
  if (box.identification !== undefined) checkIdentification(found, box.identification)
  const access = await createCashBox(deps, { accountId, outletId: null, description })
  const unit = { accountId, cashBoxId: access.cashBoxId, market, description }
  const scuId = await createScu(deps, { ...unit, package: scuPackage })
  const { identification } = box
  const queueId = await createQueue(deps, {
    ...unit,
    ...(identification === undefined ? {} : { identification }),
    ...parameters,
    scuIds: [scuId],
  })
  return { market, ...access, queueId, scuIds: [scuId] }
}

export interface FurtherUnit {
  queueId: string
  /** undefined: with an address the driver that calls it, else the market's software signer. */
  package: string | undefined
  mode: keyof typeof MODES
  url: string | undefined
  configuration: Record<string, unknown>
  /** True: a device that is not there yet; nobody asks it. */
  untried?: boolean
}

/**
 * A further unit of a queue, tried after those that it has. Nothing is stored when it throws:
 * FIELD_INVALID, and DEVICE_FAILED when a device behind an address does not answer.
 */
export async function addUnit(deps: RolloutDeps, unit: FurtherUnit): Promise<{ scuId: string }> {
  const { accountId, cashBoxId, queueId, market } = await queueOf(deps, unit.queueId)
  const found = deps.marketOf(market)
  const name = packageOf(found, unit)
  const driver = found.drivers[name]
  if (driver !== undefined) checkNames(driver, unit.configuration)
  const scuId = await createScu(deps, {
    accountId,
    cashBoxId,
    market,
    package: name,
    description: `Unit of queue ${queueId}`,
    mode: MODES[unit.mode],
    ...(unit.url === undefined ? {} : { url: unit.url }),
    configuration: unit.configuration,
    named: true,
    untried: unit.untried === true,
  })
  await attachUnit(deps.store, { accountId, queueId, scuId })
  return { scuId }
}

/** An address that nobody would call is refused: who gives one expects a device behind it. */
function packageOf({ drivers, rollout: { demo } }: Market, unit: FurtherUnit): string {
  if (unit.url === undefined) return unit.package ?? demo.scuPackage
  const behind = Object.keys(drivers).filter((name) => drivers[name]?.remote === true)
  const name = unit.package ?? behind[0] ?? demo.scuPackage
  const driver = drivers[name]
  if (driver === undefined || driver.remote) return name
  const expected = `none with ${name}; ${behind.join(' or ')} has one`
  throw fail('FIELD_INVALID', { field: 'url', expected })
}

async function queueOf({ store }: RolloutDeps, id: string) {
  const box = isUuid(id) ? await findCashBoxOfQueue(store, id) : undefined
  const queue = box?.queues.find((one) => one.id === id.toLowerCase())
  if (box === undefined || queue === undefined) throw fail('QUEUE_UNKNOWN', { queue: id })
  const { accountId, cashBoxId } = box
  return { accountId, cashBoxId, queueId: queue.id, market: queue.market }
}

/**
 * Other parameters for a queue, from the next receipt on; what a country takes over at a closing
 * only (master data) waits for that. Throws QUEUE_UNKNOWN and FIELD_INVALID.
 */
export async function configureQueue(
  deps: RolloutDeps,
  { queueId, configuration }: { queueId: string; configuration: Record<string, unknown> },
): Promise<{ queueId: string; configuration: unknown }> {
  const queue = await queueOf(deps, queueId)
  const market = deps.marketOf(queue.market)
  const { configuration: known, secrets } = parametersOf(market, configuration)
  if (secrets !== '') {
    const field = `configuration.${market.rollout.templates?.keptMembers[0] ?? ''}`
    throw fail('FIELD_INVALID', { field, expected: 'nothing: it is given once, with the Queue' })
  }
  const text = checked(market.queue.configuration, known)
  const key = { accountId: queue.accountId, id: queue.queueId }
  await replaceConfiguration(deps.store, { ...key, configuration: text })
  return { queueId: queue.queueId, configuration: JSON.parse(text) as unknown }
}

/**
 * Marks two units as source and target of a switch; the queue's receipts carry it out.
 * Throws SCU_UNKNOWN.
 */
export async function planSwitch(
  deps: RolloutDeps,
  { source, target }: { source: string; target: string },
): Promise<{ source: string; target: string }> {
  const units = [await unitOf(deps, source), await unitOf(deps, target)] as const
  const [from, to] = units
  if (from.id === to.id || from.market !== to.market) {
    throw fail('FIELD_INVALID', { field: 'to', expected: 'another unit of the same market' })
  }
  const [sources, targets] = [{ TargetScuId: to.id }, { SourceScuId: from.id }]
  await mark(deps, from, { marks: (unit) => asSource(unit, to.id), told: sources })
  await mark(deps, to, { marks: (unit) => asTarget(unit, from.id), told: targets })
  return { source: from.id, target: to.id }
}

async function unitOf({ store }: RolloutDeps, id: string): Promise<ScuHead> {
  const unit = isUuid(id) ? await findUnit(store, id.toLowerCase()) : undefined
  if (unit === undefined) throw fail('SCU_UNKNOWN', { scu: id })
  return unit
}

async function mark(
  { store, now }: RolloutDeps,
  { accountId, id }: ScuHead,
  { marks, told }: { marks(unit: ScuHead): Marked; told: object },
): Promise<void> {
  await changeUnit(store, { accountId, id, now: now() }, (current) => ({
    state: current.state,
    faultScript: current.faultScript,
    ...marks(current),
    actions: [
      {
        type: 'SigningUnitSwitch',
        message: `Signing unit ${id} is part of a planned switch.`,
        dataJson: JSON.stringify(told),
      },
    ],
  }))
}

/** Normal, backup or disabled, from the next receipt on. */
export async function setMode(
  deps: RolloutDeps,
  { scuId, mode }: { scuId: string; mode: keyof typeof MODES },
): Promise<{ scuId: string; mode: keyof typeof MODES }> {
  const { store, now } = deps
  const unit = await unitOf(deps, scuId)
  await changeUnit(store, { accountId: unit.accountId, id: unit.id, now: now() }, (current) => ({
    state: current.state,
    faultScript: current.faultScript,
    // the second byte is the unit's own time-out, the third belongs to a switch
    mode: (current.mode & 0xffff00) | MODES[mode],
    actions: [
      {
        type: 'SigningUnitMode',
        message: `Signing unit ${unit.id} is ${mode} from now on.`,
        dataJson: null,
      },
    ],
  }))
  return { scuId: unit.id, mode }
}
