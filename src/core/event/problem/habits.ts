// Says of registers that have fallen silent until when that is nothing special, by what their
// journals tell of the weeks before and of the last public holidays.
import type { MarketFacts } from '../../../market/facts.js'
import type { Store } from '../../../store/client.js'
import {
  type ActivityRow,
  activeHours,
  putActivities,
  type SilentQueue,
  silentQueues,
} from '../../../store/event/problem/activity.js'
import { type Calendar, holidaysAround, hoursFrom } from './holidays.js'
import { expectedBy, habitOf, hourOf, sellsOn, WEEK_HOURS, weeksBefore } from './silence.js'

export interface HabitDeps {
  store: Pick<Store, 'pool'>
  facts: readonly MarketFacts[]
  now(): Date
}

type Learnt = Pick<ActivityRow, 'cells' | 'usual' | 'weeks' | 'onHolidays' | 'computedAt'>

/** Silence is looked at from here on. */
const SILENT_HOURS = 16
/** Of silent queues that are looked at together, and how long one look may take. */
const PAGE = 1_000
const LONGEST_MS = 5_000
/** Habits change slowly. */
const HABIT_DAYS = 6
/** Holidays that are looked at, and how far back. */
const MOST_HOLIDAYS = 6
const YEAR_HOURS = 366 * 24
const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

const NO_HOLIDAYS: Calendar = { days: [], hours: new Set() }

export async function judgeSilence(deps: HabitDeps, signal: AbortSignal): Promise<void> {
  const { store, facts, now } = deps
  const began = performance.now()
  let calendars: ReturnType<typeof holidaysAround> | undefined
  for (;;) {
    const silent = await silentQueues(store, { hours: SILENT_HOURS, limit: PAGE })
    // days come and go while a server runs
    if (silent.length > 0) calendars ??= holidaysAround(facts, now())
    const rows: ActivityRow[] = []
    for (const queue of silent) {
      rows.push(await judged(deps, queue, calendars?.get(queue.market) ?? NO_HOLIDAYS))
    }
    if (rows.length > 0) await putActivities(store, rows)
    const isLate = performance.now() - began > LONGEST_MS || signal.aborted
    if (silent.length < PAGE || isLate) return
  }
}

async function judged(
  deps: HabitDeps,
  queue: SilentQueue,
  calendar: Calendar,
): Promise<ActivityRow> {
  const { accountId, id, silentSince } = queue
  const learnt = known(queue, deps.now()) ?? (await learn(deps, queue, calendar))
  const closed = learnt.onHolidays ? NO_HOLIDAYS.hours : calendar.hours
  const by = expectedBy(learnt, silentSince, closed)
  return { accountId, id, ...learnt, silentSince, expectedBy: by }
}

/** Undefined: nothing, or not for some days. */
function known(queue: SilentQueue, now: Date): Learnt | undefined {
  const { cells, usual, weeks, onHolidays, computedAt } = queue
  if (cells === null || usual === null || weeks === null || onHolidays === null) return undefined
  if (computedAt === null) return undefined
  if (now.getTime() - computedAt.getTime() >= HABIT_DAYS * DAY_MS) return undefined
  return { cells, usual, weeks, onHolidays, computedAt }
}

async function learn(
  { store, now }: HabitDeps,
  { accountId, id, startMoment, silentSince }: SilentQueue,
  { days, hours: closed }: Calendar,
): Promise<Learnt> {
  const weeks = weeksBefore(startMoment, silentSince)
  const to = hourOf(silentSince)
  const from = to - weeks * WEEK_HOURS
  const oldest = Math.max(hourOf(startMoment), to - YEAR_HOURS)
  const holidays = days.filter((day) => day > oldest && day + 24 <= to).slice(-MOST_HOLIDAYS)
  const span = (first: number, last: number) => ({
    from: new Date(first * HOUR_MS),
    to: new Date(last * HOUR_MS - 1),
  })
  const hours = await activeHours(store, {
    ...{ accountId, id },
    spans: [
      span(from + 1, to + 1),
      ...holidays.map((day) => span(day, Math.min(day + 24, from + 1))),
    ],
  })
  const recent = hours.filter(({ hour }) => hour > from)
  const habit = habitOf(recent, { weeks, to }, closed)
  const active = new Set(hours.map(({ hour }) => hour))
  const onHolidays = sellsOn(holidays.map(hoursFrom), { cells: habit.cells, active })
  return { ...habit, weeks, onHolidays, computedAt: now() }
}
