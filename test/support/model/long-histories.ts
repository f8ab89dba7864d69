// Histories of models that are as long as they say. Commands of fast-check come in any number up to
// the longest: on average half as many, and those that do not apply are thrown away after that.
import fc from 'fast-check'
import { expect } from 'vitest'

/** Of every history. */
export const STEPS = 50
/** Of them, so many are done at least, on average: the others do not apply where they stand. */
const DONE = 40

/**
 * `STEPS` commands each, as likely in one place as in any other; `first`: the ones that it begins
 * with. For fc.asyncModelRun.
 */
export function longHistories<C>(
  step: fc.Arbitrary<C>,
  first: readonly fc.Arbitrary<C>[] = [],
): fc.Arbitrary<C[]> {
  const length = STEPS - first.length
  const rest = fc.array(step, { minLength: length, maxLength: length, size: 'max' })
  return fc.noBias(fc.tuple(fc.tuple(...first), rest).map(([begin, more]) => [...begin, ...more]))
}

export interface Done {
  histories: number
  /** That were done, not left out. */
  steps: number
}

/** That the histories of a run were as long as they should be. */
export function expectLong({ histories, steps }: Done): void {
  expect(steps).toBeLessThanOrEqual(histories * STEPS)
  expect(steps).toBeGreaterThanOrEqual(histories * DONE)
}
