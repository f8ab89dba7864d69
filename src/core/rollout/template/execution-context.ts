// What the steps of an execution hand to each other: what a template finds, and what it plans.
import type { Logger } from 'pino'
import { fail } from '../../../errors.js'
import { writeJson } from '../../../lib/json-write.js'
import { ticksOf } from '../../../lib/ticks.js'
import type { Market } from '../../../market/contract.js'
import type { Store } from '../../../store/client.js'
import {
  componentSettings,
  type OutletPlace,
  putSettings,
} from '../../../store/rollout/components.js'
import type { Transaction } from '../../../store/transaction.js'
import type { BoxPlan, Component } from './plan.js'
import type { PlannedQueue } from './queues.js'
import type { StandingUnit } from './references.js'

export interface WriteDeps {
  store: Store
  now(): Date
  markets: readonly Market[]
  randomBytes(count: number): Buffer
  /** An identification may be repeated: told in the log only. */
  sandbox: boolean
  /** The address of a remote unit comes from whoever runs this server: it may be private. */
  named: boolean
  log: Pick<Logger, 'warn'>
}

export interface Planned {
  box: BoxPlan
  units: Component[]
  queues: PlannedQueue[]
  helpers: Component[]
  /** Of the account. */
  market: string
  /** It may take Queues out of other cash boxes. */
  moves: boolean
}

/** What a template finds when it is executed. */
export interface Ground {
  account: { id: string; name: string; market: string }
  place: OutletPlace
  location: string
  queues: number
  units: StandingUnit[]
  /** Undefined: a fresh one is made. */
  accessToken: string | undefined
}

/** Ids of the template that the account has already. */
export type KnownIds = ReadonlySet<string>

export interface Writing {
  planned: Planned
  known: KnownIds
  ground: Ground
}

export type Kind = 'cashbox' | 'queue' | 'scu' | 'helper'

/** What an id is answered with that belongs to somebody else. */
export const UNKNOWN = {
  cashbox: (id: string) => fail('CASH_BOX_UNKNOWN', { cashBox: id }),
  queue: (id: string) => fail('QUEUE_UNKNOWN', { queue: id }),
  scu: (id: string) => fail('SCU_UNKNOWN', { scu: id }),
  helper: (id: string) => fail('HELPER_UNKNOWN', { helper: id }),
} satisfies Record<Kind, (id: string) => Error>

/** Components are created a millisecond apart, so that they keep the order of the template. */
export function momentOf({ now }: WriteDeps, index: number) {
  const createdAt = new Date(now().getTime() + index)
  return { createdAt, stamp: ticksOf(createdAt.getTime()) }
}

/** Sealed, because nobody knows which of them are secret. */
export async function keepSettings(
  { store }: WriteDeps,
  tx: Transaction,
  kept: { accountId: string; id: string; settings: Component['settings']; stamp: bigint },
): Promise<void> {
  const { accountId, id, settings, stamp } = kept
  const settingsSealed = store.sealer.seal(writeJson(settings), componentSettings(id))
  await putSettings(tx, [{ accountId, id, settingsSealed, timeStamp: stamp }])
}
