// How long a random month is, and its chance: the same numbers for the same seed.

/** Of the soak, which sets MODEL_RUNS to hundreds, and of all other runs. */
const [WHOLE, SMALL, SOAK_RUNS] = [2200, 200, 500]

export const RECEIPTS = Number(process.env.MODEL_RUNS ?? 0) >= SOAK_RUNS ? WHOLE : SMALL
/** For the test of a month. */
export const MONTH_MS = 300_000

export function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
