// How many PINs may be open, and for how long, so that guessing does not pay: docs/security.md has
// the arithmetic. Times are handed in.

/** PINs that there are: each wrong one hits each open one with a chance of 1 in so many. */
export const PINS = 10_000
/** Chances, of PINS, that wrong PINs may use up at once. */
export const CAPACITY = 60
/** Chances that come back within a day. Both together are all that any 24 hours have. */
export const PER_DAY = 35
/** A network has so many times its wrong PINs of a minute within a day. */
export const DAY_FACTOR = 2

const DAY_SECONDS = 86_400
/** A wrong PIN takes no more than this share of what is left, */
const SHARE = 6
/**
 * and this one when nobody has guessed of late: registers of a whole chain may be paired at once.
 */
const CALM_SHARE = 2
/** Half an hour behind a single wrong PIN nobody guesses. */
const CALM_PACE = 0.05
export const LONGEST_SECONDS = 300
export const SHORTEST_SECONDS = 30
/** In which the pace of wrong PINs is forgotten by two thirds. */
const PACE_SECONDS = 600

/** What wrong PINs have used up, now. */
export interface Chances {
  spent: number
  /** Wrong PINs of late. */
  pace: number
}

export function later({ spent, pace }: Chances, seconds: number): Chances {
  const passed = Math.max(0, seconds)
  return {
    spent: Math.max(0, spent - (passed * PER_DAY) / DAY_SECONDS),
    pace: pace * Math.exp(-passed / PACE_SECONDS),
  }
}

/** `open`: how many PINs it was compared with. */
export function afterWrong({ spent, pace }: Chances, open: number): Chances {
  return { spent: spent + open, pace: pace + 1 }
}

/**
 * So many PINs may be open: thirty when nobody guesses, one as long as one more guess is left.
 * Never more than what is left: so a wrong PIN, whenever it comes, cannot take more than that.
 */
export function mostOpen({ spent, pace }: Chances): number {
  const free = CAPACITY - spent
  if (free < 1) return 0
  return Math.max(1, Math.floor(free / (pace < CALM_PACE ? CALM_SHARE : SHARE)))
}

/** What a PIN may live, so that the guesses of its life take at most half of what is left. */
export function lifeSeconds({ spent, pace }: Chances): number {
  const perSecond = pace / PACE_SECONDS
  const seconds = perSecond === 0 ? LONGEST_SECONDS : (CAPACITY - spent) / (2 * perSecond)
  return Math.round(Math.min(LONGEST_SECONDS, Math.max(SHORTEST_SECONDS, seconds)))
}
