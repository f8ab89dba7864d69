// The states of a signing unit that failed: pure, by the times that are handed in.
import type { UnitState } from '../../../model/outage.js'

export interface UnitWatch {
  state: UnitState
  /** Answers in a row, not more than ANSWER_MS apart from the first of them. */
  good: number
  goodSince: number | null
  /** Failures in a row. */
  bad: number
  /** An event has told that it is out, and none that it is back. */
  told: boolean
}

/** A unit of a queue whose receipt was not signed: nobody has asked it yet. */
export const SUSPECT: UnitWatch = {
  ...{ state: 'suspect', good: 0, goodSince: null, bad: 0, told: false },
}

export interface ProbeTimes {
  /** Between two questions of a unit that has just answered. */
  soonMs: number
  /** Behind the first failure; doubled with each, up to the longest. */
  firstMs: number
  longestMs: number
  /** While it answers and the outage goes on. */
  restMs: number
}

export const PROBE_TIMES: ProbeTimes = {
  ...{ soonMs: 3_000, firstMs: 5_000, longestMs: 60_000, restMs: 30_000 },
}

/** So many answers within this time: the unit answers. */
export const ANSWERS = 3
export const ANSWER_MS = 10_000

export interface Probe {
  ok: boolean
  /** When it was asked, in milliseconds of the database's time. */
  at: number
  /** 0 to 1: units that failed together are not asked together. */
  random: number
}

export interface Probed {
  after: UnitWatch
  /** From the question on. */
  waitMs: number
  event: 'scu.failed' | 'scu.recovered' | undefined
}

export function probed(before: UnitWatch, probe: Probe, times: ProbeTimes = PROBE_TIMES): Probed {
  return probe.ok ? answered(before, probe, times) : failed(before, probe, times)
}

function answered(before: UnitWatch, { at, random }: Probe, times: ProbeTimes): Probed {
  const { goodSince } = before
  // a clock that was set back begins anew as well
  const isRow = goodSince !== null && at >= goodSince && at - goodSince <= ANSWER_MS
  const good = isRow ? before.good + 1 : 1
  const isAnswering = before.state === 'answering' || good >= ANSWERS
  const after: UnitWatch = {
    state: isAnswering ? 'answering' : 'probing',
    ...{ good, goodSince: isRow ? goodSince : at, bad: 0 },
    told: isAnswering ? false : before.told,
  }
  const event = before.told && !after.told ? 'scu.recovered' : undefined
  return { after, waitMs: isAnswering ? spread(times.restMs, random) : times.soonMs, event }
}

function failed(before: UnitWatch, { random }: Probe, times: ProbeTimes): Probed {
  const bad = before.bad + 1
  const wait = Math.min(times.longestMs, times.firstMs * 2 ** Math.min(bad - 1, 30))
  return {
    after: { state: 'out', good: 0, goodSince: null, bad, told: true },
    waitMs: spread(wait, random),
    event: before.told ? undefined : 'scu.failed',
  }
}

/** A fifth more or less. */
function spread(milliseconds: number, random: number): number {
  return Math.round(milliseconds * (0.8 + 0.4 * random))
}

/** Between two closings that did not end the outage. */
const CLOSING_FIRST_MS = 60_000
const CLOSING_LONGEST_MS = 3_600_000

/** `attempts`: those that did not end it so far, at least one. */
export function closingWaitMs(attempts: number): number {
  return Math.min(CLOSING_LONGEST_MS, CLOSING_FIRST_MS * 4 ** Math.min(attempts - 1, 10))
}
