// Problems as accounts look at them and put them off.
import { fail } from '../../../errors.js'
import { grants } from '../../../store/account/connections.js'
import type { Store } from '../../../store/client.js'
import { type DetectorRow, detectorRuns } from '../../../store/event/problem/detectors.js'
import {
  type Counted,
  countProblems,
  findProblem,
  type ListedProblem,
  listProblems,
  type ProblemCount,
  type ProblemQuestion,
  type ProblemRow,
  snoozeProblem,
} from '../../../store/event/problem/problems.js'
import { type Actor, audited } from '../../audit/audit.js'

export interface Problems {
  list(asked: ProblemQuestion): Promise<ListedProblem[]>
  counts(asked: Counted): Promise<ProblemCount[]>
  /** `until` null: shown again. Throws PROBLEM_UNKNOWN and RIGHTS_TOO_LOW. */
  snooze(actor: Actor, id: string, wish: Snooze): Promise<ProblemRow>
  detectors(): Promise<DetectorRow[]>
}

export interface Snooze {
  until: Date | null
  reason: string | null
}

export function createProblems({ store, now }: { store: Store; now(): Date }): Problems {
  const found = async (accountId: string, id: string) => {
    const row = await findProblem(store, { accountId, id })
    if (row === undefined) throw fail('PROBLEM_UNKNOWN', { problem: id })
    return row
  }
  return {
    list: (asked) => listProblems(store, asked),
    counts: (asked) => countProblems(store, asked),
    detectors: () => detectorRuns(store),
    snooze: async (actor, id, { until, reason }) => {
      const { accountId, right } = await found(actor.accountId, id)
      if (!grants(right, 'ReadWrite')) {
        throw fail('RIGHTS_TOO_LOW', { given: right, needed: 'ReadWrite' })
      }
      const by = actor.accountId
      const onBehalfOf = accountId === by ? null : accountId
      return audited({ store, now }, { ...actor, onBehalfOf }, async (tx) => {
        const result = await snoozeProblem(tx, { accountId, id }, { until, by, reason })
        if (result === undefined) throw fail('PROBLEM_UNKNOWN', { problem: id })
        return { result, subjects: { problemId: id }, after: { until } }
      })
    },
  }
}
