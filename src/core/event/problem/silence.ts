// How long the silence of a register is nothing special: by the hours of the week at which it had
// receipts in the last weeks. A shop that is closed on Sunday is no problem on Sunday, and none on
// a public holiday.

export const WEEK_HOURS = 168
/** Weeks that are looked at. */
export const MOST_WEEKS = 6
/** A shorter history says nothing. */
const LEAST_WEEKS = 3
/** Hours with receipts that must be missing. */
const MISSING_HOURS = 16
/** Without a history. */
const PLAIN_HOURS = 48
/** A register that hardly ever has receipts is silent in the end as well. */
const LONGEST_HOURS = 6 * WEEK_HOURS
const HOUR_MS = 3_600_000
/** 1 January 1970 was a Thursday: hours from the Monday before. */
const FIRST_MONDAY = 72
const WHOLE = 100
/** What a column of 32 bits holds. */
const MOST_SUM = 2_147_483_647

/** From Monday 0:00 UTC on. */
const placeOf = (hour: number): number => (hour + FIRST_MONDAY) % WEEK_HOURS

const hourOf = (moment: Date): number => Math.floor(moment.getTime() / HOUR_MS)

/** Whole weeks of history before the silence began. */
export function weeksBefore(start: Date, silentSince: Date): number {
  const weeks = (silentSince.getTime() - start.getTime()) / (WEEK_HOURS * HOUR_MS)
  return Math.max(0, Math.min(MOST_WEEKS, Math.floor(weeks)))
}

/** In how many of 100 weeks each hour had a receipt; `hours`: those with one, since 1970. */
export function cellsOf(hours: readonly number[], weeks: number): number[] {
  const counts = Array.from({ length: WEEK_HOURS }, () => 0)
  for (const hour of hours) counts[placeOf(hour)] = (counts[placeOf(hour)] ?? 0) + 1
  return counts.map((count) => Math.min(WHOLE, Math.round((count * WHOLE) / Math.max(1, weeks))))
}

/** Receipts of 100 weeks from Monday on until each hour of the week is over. */
export function usualOf(
  hours: readonly { hour: number; receipts: number }[],
  weeks: number,
): number[] {
  const sums = Array.from({ length: WEEK_HOURS }, () => 0)
  for (const { hour, receipts } of hours) {
    sums[placeOf(hour)] = (sums[placeOf(hour)] ?? 0) + receipts
  }
  let sum = 0
  return sums.map((one) => {
    sum += one
    return Math.min(MOST_SUM, Math.round((sum * WHOLE) / Math.max(1, weeks)))
  })
}

const NEVER: ReadonlySet<number> = new Set()

/** When a receipt should have come. */
export function expectedBy(
  { cells, weeks }: { cells: readonly number[]; weeks: number },
  silentSince: Date,
  /** Hours since 1970 in which nobody is missed. */
  closed: ReadonlySet<number> = NEVER,
): Date {
  const began = hourOf(silentSince)
  if (weeks < LEAST_WEEKS) return new Date(silentSince.getTime() + PLAIN_HOURS * HOUR_MS)
  let missing = 0
  for (let passed = 1; passed <= LONGEST_HOURS; passed += 1) {
    if (closed.has(began + passed)) continue
    missing += cells[placeOf(began + passed)] ?? 0
    // the hour itself must be over
    if (missing >= MISSING_HOURS * WHOLE) return new Date((began + passed + 1) * HOUR_MS)
  }
  return new Date(silentSince.getTime() + LONGEST_HOURS * HOUR_MS)
}
