// Descriptions of queues, signing units, cash boxes and helpers, and the dates of queues: what is
// no part of a published configuration.

import { askingIn } from '../../../store/rollout/inventory.js'
import {
  type Described,
  describe,
  lockStock,
  setQueueDates,
} from '../../../store/rollout/inventory-changes.js'
import { type Actor, audited } from '../../audit/audit.js'
import { boxOf, helperOf, queueOf, type StockDeps, unitOf, type Wanted } from './inventory.js'

export interface NewDescription extends Wanted {
  what: Exclude<Described, 'queue'>
  /** Undefined: stays. */
  description: string | undefined
}

const SUBJECT = { scu: 'scuId', cash_box: 'cashBoxId', helper: 'helperId' } as const

/** Throws SCU_UNKNOWN, CASH_BOX_UNKNOWN, HELPER_UNKNOWN. */
export async function updateDescription(
  deps: StockDeps,
  actor: Actor,
  { what, accountId, id, description }: NewDescription,
): Promise<void> {
  await audited(deps, actor, async (tx) => {
    await lockStock(tx, accountId)
    const ask = askingIn(tx)
    const find = {
      scu: () => unitOf(ask, deps, { accountId, id }),
      cash_box: () => boxOf(ask, { accountId, id }),
      helper: () => helperOf(ask, { accountId, id }),
    } as const
    const before = (await find[what]()).description
    const after = description ?? before
    if (after !== before) await describe(tx, { accountId, id }, { what, description: after })
    return {
      result: undefined,
      subjects: { [SUBJECT[what]]: id },
      before: { description: before },
      after: { description: after },
    }
  })
}

export interface QueueChange extends Wanted {
  /** Undefined: stays. */
  description: string | undefined
  /** Undefined: stays; null: there is none. */
  purchaseDate?: Date | null | undefined
  commissioningDate?: Date | null | undefined
}

export class DatesReversed extends Error {
  override name = 'DatesReversed'
}

/** Throws QUEUE_UNKNOWN, and DatesReversed for a purchase after the commissioning. */
export async function updateQueue(
  deps: StockDeps,
  actor: Actor,
  change: QueueChange,
): Promise<void> {
  const { accountId, id } = change
  await audited(deps, actor, async (tx) => {
    await lockStock(tx, accountId)
    const { description, purchaseDate, commissioningDate } = await queueOf(askingIn(tx), change)
    const before = { description, purchaseDate, commissioningDate }
    const after = {
      description: change.description ?? description,
      purchaseDate: given(change.purchaseDate, purchaseDate),
      commissioningDate: given(change.commissioningDate, commissioningDate),
    }
    if (isReversed(after)) throw new DatesReversed()
    if (after.description !== description) {
      const text = { what: 'queue', description: after.description } as const
      await describe(tx, { accountId, id }, text)
    }
    const dates = [change.purchaseDate, change.commissioningDate]
    if (dates.some((date) => date !== undefined)) await setQueueDates(tx, { accountId, id }, after)
    return { result: undefined, subjects: { queueId: id }, before, after }
  })
}

type Dates = Pick<QueueChange, 'purchaseDate' | 'commissioningDate'>

function isReversed({ purchaseDate, commissioningDate }: Dates): boolean {
  return Boolean(purchaseDate && commissioningDate && purchaseDate > commissioningDate)
}

const given = (wanted: Date | null | undefined, old: Date | null): Date | null =>
  wanted === undefined ? old : wanted
