// What countries say of their registers, as the questions of detectors take it.
import type { MarketFacts, WatchFacts } from '../../../market/facts.js'
import type { ProblemKind } from '../../../model/problem.js'
import type { Watched } from '../../../store/event/problem/detectors.js'

type Of = (watch: WatchFacts, facts: MarketFacts) => Omit<Watched, 'market' | 'zone'> | undefined

const path = (one: readonly string[] | undefined) => (one === undefined ? undefined : { path: one })

const OF: Partial<Record<ProblemKind, Of>> = {
  closing: ({ openSince }) => path(openSince),
  settlement: ({ settled }) => settled,
  archive: ({ archive }) => archive,
  transaction: ({ transactionSince }) => path(transactionSince),
  tar: ({ logMissingSince }) => path(logMissingSince),
  memory: ({ memory }) => memory && { path: memory.used, unit: memory.unit },
  master_data: ({ unitSerial = '', posSystems = false }, { masterData }) => ({
    ...{ serial: unitSerial, posSystems, taxNumbers: masterData !== undefined },
  }),
}

/** Undefined: its question does not go by countries. */
export function watchedBy(
  kind: ProblemKind,
  facts: readonly MarketFacts[],
): readonly Watched[] | undefined {
  const of = OF[kind]
  if (of === undefined) return undefined
  return facts.flatMap((one) => {
    const found = one.watch && of(one.watch, one)
    return found === undefined ? [] : [{ market: one.code, zone: one.zone, ...found }]
  })
}
