// How long the silence of a register is nothing special: by the hours of the week at which it had
// receipts in the last weeks. A shop that is closed on Sunday is no problem on Sunday, and one that
// keeps public holidays is none on those. Weeks in which it was closed say nothing of the others.

export const WEEK_HOURS = 168
/** Weeks that are looked at. */
const MOST_WEEKS = 6
/** A shorter history says who is closed, but not who is missed. */
const LEAST_WEEKS = 3
/** Hours with receipts that must be missing. */
const MISSING_HOURS = 16
/** Of its usual business days, where that is less: one day off is no news, a second morning is. */
const MISSING_DAYS = 1.25
/** Fewer are an accident. */
const LEAST_HOURS = 6
/** What a week counts beside the one behind it: new hours are learnt within two weeks. */
const FADING = 0.6
/** Without a receipt, from one business day to the next. */
const NIGHT_HOURS = 5
/** Of a new register, at least. */
const PLAIN_HOURS = 48
/** A register that hardly ever has receipts is silent in the end as well. */
const LONGEST_HOURS = 6 * WEEK_HOURS
const HOUR_MS = 3_600_000
/** 1 January 1970 was a Thursday: hours from the Monday before. */
const FIRST_MONDAY = 72
const WHOLE = 100
/** What a column of 32 bits holds. */
const MOST_SUM = 2_147_483_647

/** Hours since 1970. */
export type Hours = ReadonlySet<number>

const NEVER: Hours = new Set()

/** From Monday 0:00 UTC on. */
const placeOf = (hour: number): number => (hour + FIRST_MONDAY) % WEEK_HOURS

export const hourOf = (moment: Date): number => Math.floor(moment.getTime() / HOUR_MS)

/** Whole weeks of history before the silence began. */
export function weeksBefore(start: Date, silentSince: Date): number {
  const weeks = (silentSince.getTime() - start.getTime()) / (WEEK_HOURS * HOUR_MS)
  return Math.max(0, Math.min(MOST_WEEKS, Math.floor(weeks)))
}

export interface Habit {
  /** In how many of 100 weeks each hour of the week had a receipt. */
  cells: number[]
  /** Receipts of 100 weeks from Monday on until each hour of the week is over. */
  usual: number[]
}

/** `to`: the hour in which the silence began. `closed`: hours that say nothing. */
export function habitOf(
  hours: readonly { hour: number; receipts: number }[],
  { weeks, to }: { weeks: number; to: number },
  closed: Hours = NEVER,
): Habit {
  const [times, counts, receipts] = [0, 1, 2].map(() =>
    Array.from({ length: WEEK_HOURS }, () => 0),
  ) as [number[], number[], number[]]
  const weights = Array.from({ length: weeks }, (_, week) => FADING ** week)
  const add = (sums: number[], hour: number, value: number) => {
    const weight = weights[Math.floor((to - hour) / WEEK_HOURS)] ?? 0
    sums[placeOf(hour)] = (sums[placeOf(hour)] ?? 0) + value * weight
  }
  for (const hour of hoursThatCount(hours, { from: to - weeks * WEEK_HOURS, to })) {
    if (!closed.has(hour)) add(times, hour, 1)
  }
  for (const { hour, receipts: some } of hours) {
    if (closed.has(hour)) continue
    add(counts, hour, 1)
    add(receipts, hour, some)
  }
  const share = (count: number, place: number) => {
    const whole = times[place] ?? 0
    return whole > 0 ? (count * WHOLE) / whole : 0
  }
  let sum = 0
  return {
    cells: counts.map((count, place) => Math.round(share(count, place))),
    usual: receipts.map((count, place) => {
      sum += share(count, place)
      return Math.min(MOST_SUM, Math.round(sum))
    }),
  }
}

/** All behind `from` in which it may have had a receipt: who is silent for a week is away. */
function hoursThatCount(
  active: readonly { hour: number }[],
  { from, to }: { from: number; to: number },
): number[] {
  const hours: number[] = []
  let passed = from
  for (const end of [...active.map(({ hour }) => hour).sort((a, b) => a - b), to]) {
    const first = end - passed > WEEK_HOURS ? end : passed + 1
    for (let hour = first; hour <= end; hour += 1) hours.push(hour)
    passed = end
  }
  return hours
}

/** Whether it has receipts on most of those days on which it usually has some. */
export function sellsOn(
  days: readonly (readonly number[])[],
  { cells, active }: { cells: readonly number[]; active: Hours },
): boolean {
  const [wanted, kept] = [0, 1].map((nth) =>
    days.filter((hours) => {
      const usual = hours.reduce((sum, hour) => sum + (cells[placeOf(hour)] ?? 0), 0)
      const had = hours.filter((hour) => active.has(hour)).length
      return usual >= WHOLE && (nth === 0 || had * WHOLE * 2 >= usual)
    }),
  )
  return (kept?.length ?? 0) * 2 > (wanted?.length ?? 0)
}

/** What is hardly ever there, beside the others, is not expected: an hour that is given up. */
function expected(cells: readonly number[]): number[] {
  const half = Math.max(...cells) / 2
  return cells.map((cell) => (cell > half ? cell : 0))
}

/** Hours, of 100 weeks, that must be missing until somebody should ask. */
function enough(cells: readonly number[]): number {
  const most = MISSING_HOURS * WHOLE
  const open = cells.flatMap((cell, place) => (cell > 0 ? [place] : []))
  const nights = open.filter((place, nth) => {
    const next = open[nth + 1] ?? (open[0] ?? 0) + WEEK_HOURS
    return next - place > NIGHT_HOURS
  }).length
  if (nights === 0) return most
  const day = cells.reduce((sum, cell) => sum + cell, 0) / nights
  return Math.min(most, Math.max(LEAST_HOURS * WHOLE, MISSING_DAYS * day))
}

/** When a receipt should have come. */
export function expectedBy(
  { cells, weeks }: { cells: readonly number[]; weeks: number },
  silentSince: Date,
  /** In which nobody is missed. */
  closed: Hours = NEVER,
): Date {
  const plain = silentSince.getTime() + PLAIN_HOURS * HOUR_MS
  if (weeks === 0 || cells.every((cell) => cell === 0)) {
    return new Date(weeks < LEAST_WEEKS ? plain : silentSince.getTime() + LONGEST_HOURS * HOUR_MS)
  }
  const by = missedAt(cells, silentSince, closed)
  return new Date(weeks < LEAST_WEEKS ? Math.max(plain, by) : by)
}

function missedAt(cells: readonly number[], silentSince: Date, closed: Hours): number {
  const began = hourOf(silentSince)
  const wanted = expected(cells)
  const most = enough(wanted)
  let missing = 0
  for (let passed = 1; passed <= LONGEST_HOURS; passed += 1) {
    if (closed.has(began + passed)) continue
    missing += wanted[placeOf(began + passed)] ?? 0
    // the hour itself must be over
    if (missing >= most) return (began + passed + 1) * HOUR_MS
  }
  return silentSince.getTime() + LONGEST_HOURS * HOUR_MS
}
