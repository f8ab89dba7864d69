// How long a webhook waits for the next try, and when it is given up.

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Standard Webhooks, "deliverability and reliability"; the last one from then on. */
const PAUSES = [
  ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR],
  ...[10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
]
const LONGEST = 24 * HOUR
/** Of each pause, so that receivers that were away are not called by all at once. */
const SPREAD = 0.2
/** Nothing was taken for so long: it is given up. */
const GIVEN_UP = 120 * HOUR
/** As many are made in that time at least; fewer: a clock has jumped. */
const FEWEST_TRIES = 5

/** `tries`: failures so far, this one included. `random`: 0 to 1. */
export function pauseMs(tries: number, asked: number | undefined, random: number): number {
  const usual = PAUSES[Math.min(tries, PAUSES.length) - 1] ?? LONGEST
  const spread = usual * (1 + (random * 2 - 1) * SPREAD)
  return Math.round(Math.min(LONGEST * (1 + SPREAD), Math.max(spread, asked ?? 0)))
}

/** `tries`: failures so far, this one included. */
export function isGivenUp(failingSince: Date, now: Date, tries: number): boolean {
  return tries >= FEWEST_TRIES && now.getTime() - failingSince.getTime() >= GIVEN_UP
}
