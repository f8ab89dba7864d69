// What countries say of their registers, as the questions of detectors take it.
import type { MarketFacts, WatchFacts } from '../../../market/facts.js'
import type { ProblemKind } from '../../../model/problem.js'
import type { Watched } from '../../../store/event/problem/detectors.js'
import type { RegisterPaths } from '../../../store/event/problem/registers.js'

type Of = (watch: WatchFacts, facts: MarketFacts) => Omit<Watched, 'market' | 'zone'> | undefined

const OF: Partial<Record<ProblemKind, Of>> = {
  closing: ({ openSince }) => openSince && {},
  settlement: ({ settled }) => settled && { ownMonthFrom: settled.ownMonthFrom },
  archive: ({ archive }) => archive?.days,
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

/** Where in the states of their registers countries have what detectors look at. */
export function registerPaths(facts: readonly MarketFacts[]): readonly RegisterPaths[] {
  return facts.flatMap(({ code, watch }) => {
    if (watch === undefined) return []
    const { openSince, settled, archive, transactionSince, logMissingSince, memory } = watch
    return [
      {
        market: code,
        ...(openSince && { openSince }),
        ...(settled && { settledAt: settled.path }),
        ...(archive && { archiveSince: archive.path }),
        ...(transactionSince && { transactionSince }),
        ...(logMissingSince && { logMissingSince }),
        ...(memory && { memoryUsed: memory.used, memoryUnit: memory.unit }),
      },
    ]
  })
}
