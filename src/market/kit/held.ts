// Since when a queue has receipts that lie in this server alone. Laws want them outside as well,
// by terms of their own (`watch.archive`): what was given out is noted, and people are told.
import { z } from 'zod'
import { isoText, ticksOf } from '../../lib/ticks.js'
import type { OutboxWorker } from '../contract.js'
import type { Held } from './draft.js'

/** Moment of the first of them, as ISO text; null: there is none. */
export const heldSince = z.string().nullable().default(null)

interface Legal<S> {
  /** Journal types that have all that the law wants outside. */
  has(type: bigint): boolean
  /** Receipts from then on (Unix milliseconds) are not in it yet; null: all are. */
  missingSince?(state: S): number | null
}

/** A piece from the middle is not noted; one that ends early leaves what comes behind it. */
export function noteGivenOut<S extends Held>(legal: Legal<S>): OutboxWorker {
  return async ({ payload: { type, from, until }, source, write }) => {
    if (typeof until !== 'string' || (type !== '' && !legal.has(BigInt(type as string)))) return
    const newest = source.queue.lastMoment?.getTime() ?? 0
    const left = (state: S): S => {
      const { heldSince: since } = state
      if (since === null || BigInt(from as string) > ticksOf(Date.parse(since))) return state
      const missing = legal.missingSince?.(state) ?? null
      const end = Math.min(Date.parse(until), missing ?? Number.POSITIVE_INFINITY)
      if (end < Date.parse(since)) return state
      const isAll = missing === null && newest <= end
      return { ...state, heldSince: isAll ? null : isoText(new Date(end)) }
    }
    const before = JSON.parse(source.state) as S
    if (left(before) !== before) await write([], left)
  }
}
