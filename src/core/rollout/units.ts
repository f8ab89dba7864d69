// Changes of what is rolled out: further signing units of a queue, their mode. Called by the
// commands.
import { fail } from '../../errors.js'
import { isUuid } from '../../lib/id.js'
import { findCashBoxOfQueue } from '../../store/cashboxes.js'
import { attachUnit, changeUnit, findUnit } from '../../store/scus.js'
import { accountOf } from '../onboarding/accounts.js'
import { createCashBox, createQueue, createScu, type RolloutDeps } from './create.js'

/** Names of the first byte of Mode. */
export const MODES = { normal: 0, backup: 1, disabled: 99 } as const

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
  box: { accountId: string; market: string; description: string },
): Promise<RolledOutBox> {
  const { market, description } = box
  const { id: accountId } = await accountOf(deps.store, box.accountId)
  const access = await createCashBox(deps, { accountId, outletId: null, description })
  const unit = { accountId, cashBoxId: access.cashBoxId, market, description }
  const { scuPackage } = deps.marketOf(market).demo
  const scuId = await createScu(deps, { ...unit, package: scuPackage })
  const queueId = await createQueue(deps, { ...unit, scuIds: [scuId] })
  return { market, ...access, queueId, scuIds: [scuId] }
}

export interface FurtherUnit {
  queueId: string
  /** undefined: the market's software signer. */
  package: string | undefined
  mode: keyof typeof MODES
  url: string | undefined
  configuration: Record<string, unknown>
}

/** A further unit of a queue, tried after those that it has. */
export async function addUnit(deps: RolloutDeps, unit: FurtherUnit): Promise<{ scuId: string }> {
  const { queueId } = unit
  const box = isUuid(queueId) ? await findCashBoxOfQueue(deps.store, queueId) : undefined
  const queue = box?.queues.find((one) => one.id === queueId.toLowerCase())
  if (box === undefined || queue === undefined) throw fail('QUEUE_UNKNOWN', { queue: queueId })
  const { accountId, cashBoxId } = box
  const { market } = queue
  const scuId = await createScu(deps, {
    accountId,
    cashBoxId,
    market,
    package: unit.package ?? deps.marketOf(market).demo.scuPackage,
    description: `Unit of queue ${queue.id}`,
    mode: MODES[unit.mode],
    ...(unit.url === undefined ? {} : { url: unit.url }),
    configuration: unit.configuration,
    named: true,
  })
  await attachUnit(deps.store, { accountId, queueId: queue.id, scuId })
  return { scuId }
}

/** Normal, backup or disabled, from the next receipt on. */
export async function setMode(
  { store, now }: RolloutDeps,
  { scuId, mode }: { scuId: string; mode: keyof typeof MODES },
): Promise<{ scuId: string; mode: keyof typeof MODES }> {
  const unit = isUuid(scuId) ? await findUnit(store, scuId.toLowerCase()) : undefined
  if (unit === undefined) throw fail('SCU_UNKNOWN', { scu: scuId })
  await changeUnit(store, { accountId: unit.accountId, id: unit.id, now: now() }, (current) => ({
    state: current.state,
    faultScript: current.faultScript,
    // the second byte is the unit's own time-out
    mode: (current.mode & 0xff00) | MODES[mode],
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
