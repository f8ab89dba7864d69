// Shops that sell, close and break down in the year 2026: when each has receipts, and when its
// register really stopped. Days are written down here, and nothing of the program is asked.

export const HOUR = 3_600_000
const DAY = 24 * HOUR
const first = Date.UTC(2025, 10, 10)
/** A day of the year of which nothing more is looked at. */
const last = Date.UTC(2027, 1, 1)

type Random = () => number

/** Numbers that a test can repeat. */
export function numbersFrom(seed: number): Random {
  let state = (seed % 2_147_483_646) + 1
  const next = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  // small seeds begin with small numbers
  for (let nth = 0; nth < 3; nth += 1) next()
  return next
}

const pick = <T>(list: readonly T[], random: Random): T =>
  list[Math.floor(random() * list.length)] as T

/** Of 2026, and those of every year: Easter was on 5 April, in Greece on 12 April. */
const COUNTRIES: Record<string, { west: number; days: readonly string[] }> = {
  AT: {
    west: 1,
    days: [
      ...['01-01', '01-06', '04-06', '05-01', '05-14', '05-25', '06-04', '08-15', '10-26'],
      ...['11-01', '12-08', '12-25', '12-26'],
    ],
  },
  DE: {
    west: 1,
    days: ['01-01', '04-03', '04-06', '05-01', '05-14', '05-25', '10-03', '12-25', '12-26'],
  },
  FR: {
    west: 1,
    days: [
      ...['01-01', '04-06', '05-01', '05-08', '05-14', '05-25', '07-14', '08-15', '11-01'],
      ...['11-11', '12-25'],
    ],
  },
  ES: {
    west: 1,
    days: [
      ...['01-01', '01-06', '04-03', '05-01', '08-15', '10-12', '11-01', '12-06', '12-08'],
      '12-25',
    ],
  },
  IT: {
    west: 1,
    days: [
      ...['01-01', '01-06', '04-06', '04-25', '05-01', '06-02', '08-15', '10-04', '11-01'],
      ...['12-08', '12-25', '12-26'],
    ],
  },
  PT: {
    west: 0,
    days: [
      ...['01-01', '04-03', '04-25', '05-01', '06-04', '06-10', '08-15', '10-05', '11-01'],
      ...['12-01', '12-08', '12-25'],
    ],
  },
  GR: {
    west: 2,
    days: [
      ...['01-01', '01-06', '02-23', '03-25', '04-10', '04-13', '05-01', '06-01', '08-15'],
      ...['10-28', '12-25', '12-26'],
    ],
  },
}

/** Where shops are: the country, and the days that only their place has. */
const PLACES: readonly (readonly [keyof typeof COUNTRIES, readonly string[]])[] = [
  ...[0, 1, 2, 3, 4].map(() => ['AT', []] as const),
  // Bavaria, North Rhine-Westphalia (twice), Saxony, Hamburg, Hesse, Berlin
  ['DE', ['01-06', '06-04', '08-15', '11-01']],
  ...[0, 1].map(() => ['DE', ['06-04', '11-01']] as const),
  ...[['DE', ['10-31', '11-18']] as const, ['DE', ['10-31']] as const],
  ...[['DE', ['06-04']] as const, ['DE', ['03-08']] as const],
  // without and with Alsace
  ...[0, 1, 2].map(() => ['FR', []] as const),
  ['FR', ['04-03', '12-26']],
  // Madrid, Barcelona
  ...[
    ['ES', ['04-02', '05-02', '05-15', '11-09']] as const,
    ['ES', ['04-06', '06-24', '09-11', '09-24', '12-26']] as const,
  ],
  // Rome, Milan
  ...[['IT', ['06-29']] as const, ['IT', ['12-07']] as const],
  // Lisbon, Athens
  ...[['PT', ['06-13']] as const, ['GR', []] as const],
]

/** Hours of a local day; what is behind 24 belongs to the night of the day before. */
type Spans = readonly (readonly [number, number])[]

interface Plan {
  /** From this day on. */
  from: number
  /** Of weekdays, 0 Sunday; a day that is missing is a day off. */
  week: ReadonlyMap<number, Spans>
}

interface Shop {
  kind: string
  market: string
  keepsHolidays: boolean
  /** Receipts in a busy and in a quiet hour, which only a shop that never closes has. */
  rate: number
  quiet: number
  plans: readonly Plan[]
  closed: ReadonlySet<number>
  opens: number
}

const weekOf = (days: readonly number[], spans: Spans) => new Map(days.map((day) => [day, spans]))

const WEEKS = [
  [1, 2, 3, 4, 5],
  [1, 2, 3, 4, 5, 6],
  [0, 2, 3, 4, 5, 6],
  [0, 1, 2, 3, 4, 5, 6],
] as const

interface Kind {
  share: number
  keepsHolidays: boolean
  /** Least receipts of an hour, and what may be added. */
  rate: readonly [number, number]
  week(random: Random): ReadonlyMap<number, Spans>
}

const KINDS: Readonly<Record<string, Kind>> = {
  shop: {
    ...{ share: 0.45, keepsHolidays: true, rate: [2, 10] },
    week: (random) => {
      const from = 6 + Math.floor(random() * 6)
      return weekOf(pick(WEEKS, random), [
        [from, Math.min(24, from + 7 + Math.floor(random() * 6))],
      ])
    },
  },
  // closed at noon, and on Saturday afternoon
  counter: {
    ...{ share: 0.1, keepsHolidays: true, rate: [1, 4] },
    week: () =>
      new Map([
        ...weekOf(WEEKS[0], [
          [8, 12],
          [14, 18],
        ]),
        [6, [[8, 13]]],
      ]),
  },
  bakery: {
    ...{ share: 0.1, keepsHolidays: true, rate: [4, 10] },
    week: (random) => {
      const from = 5 + Math.floor(random() * 2)
      return weekOf(pick(WEEKS, random), [[from, from + 5 + Math.floor(random() * 3)]])
    },
  },
  restaurant: {
    ...{ share: 0.15, keepsHolidays: false, rate: [2, 6] },
    week: (random) =>
      weekOf(pick([[0, 2, 3, 4, 5, 6], [0, 3, 4, 5, 6], WEEKS[3]], random), [
        [11, 14],
        [17, 23],
      ]),
  },
  'night bar': {
    ...{ share: 0.1, keepsHolidays: false, rate: [3, 8] },
    week: (random) =>
      weekOf(
        pick(
          [
            [4, 5, 6],
            [5, 6],
            [3, 4, 5, 6],
          ],
          random,
        ),
        [[20, pick([26, 28], random)]],
      ),
  },
  'vending machine': {
    ...{ share: 0.1, keepsHolidays: false, rate: [0.7, 4] },
    week: () => weekOf(WEEKS[3], [[0, 24]]),
  },
}

function kindFor(random: Random): string {
  let left = random()
  for (const [name, { share }] of Object.entries(KINDS)) {
    left -= share
    if (left < 0) return name
  }
  return 'shop'
}

const dayOf = (text: string): number => Date.parse(`2026-${text}Z`)

/** Half of the shops close for two or three weeks in summer, a tenth in autumn as well. */
function seasonOf(random: Random): number[] {
  const days = (from: number, weeks: number) =>
    Array.from({ length: weeks * 7 }, (_, day) => from + day * DAY)
  const summer = dayOf('07-20') + Math.floor(random() * 21) * DAY
  return [
    ...(random() < 0.5 ? days(summer, random() < 0.5 ? 2 : 3) : []),
    ...(random() < 0.1 ? days(dayOf('11-09'), 2) : []),
  ]
}

/** `from`: of what is looked at; a tenth of the shops is new within that time. */
function shopOf(random: Random, { from, to }: Period): Shop {
  const name = kindFor(random)
  const kind = KINDS[name] as Kind
  const [market, place] = pick(PLACES, random)
  const days = [...(COUNTRIES[market]?.days ?? []), ...place]
  const holidays = ['2025', '2026', '2027'].flatMap((year) =>
    days.map((day) => Date.parse(`${year}-${day}Z`)),
  )
  const within = () => from + Math.floor((random() * (to - from)) / DAY) * DAY
  const plans = [{ from: first, week: kind.week(random) }]
  if (random() < 0.2) plans.push({ from: within(), week: kind.week(random) })
  const season = name === 'vending machine' ? [] : seasonOf(random)
  const rate = kind.rate[0] + random() * kind.rate[1]
  return {
    ...{ kind: name, market, keepsHolidays: kind.keepsHolidays, plans },
    ...{
      rate,
      quiet: rate / 5,
      closed: new Set([...(kind.keepsHolidays ? holidays : []), ...season]),
    },
    opens: random() < 0.1 ? within() : first,
  }
}

const lastSunday = (year: number, month: number): number => {
  const end = Date.UTC(year, month + 1, 0)
  return end - new Date(end).getUTCDay() * DAY
}

/** Summer time of the European Union: from 1:00 UTC on of the last Sunday of March to October. */
function isSummer(moment: number): boolean {
  const year = new Date(moment).getUTCFullYear()
  return moment >= lastSunday(year, 2) + HOUR && moment < lastSunday(year, 9) + HOUR
}

/** The hour since 1970 that the clocks of a country call so; a night in spring lacks one. */
function hourAt(local: number, west: number): number {
  const winter = local - west * HOUR
  return (isSummer(winter - HOUR) ? winter - HOUR : winter) / HOUR
}

/** Hours since 1970 of a business day, in their order. */
export type Session = readonly number[]

function sessionsOf(shop: Shop): Session[] {
  const west = COUNTRIES[shop.market]?.west ?? 0
  const sessions: Session[] = []
  for (let day = Math.max(first, shop.opens); day < last; day += DAY) {
    const plan = shop.plans.findLast(({ from }) => from <= day)
    const spans = plan?.week.get(new Date(day).getUTCDay()) ?? []
    if (spans.length === 0 || shop.closed.has(day)) continue
    const hours = spans.flatMap(([from, to]) =>
      Array.from({ length: to - from }, (_, nth) => hourAt(day + (from + nth) * HOUR, west)),
    )
    sessions.push([...new Set(hours)])
  }
  return sessions
}

export interface Stop {
  /** Nothing more from the beginning of this hour on. */
  from: number
  /** When the business day behind the one of the stop has ended. */
  nextDay: number
  /** When the second whole business day without a receipt has ended; later the register works. */
  until: number
}

/** In each part of the time that is looked at, one. */
function stopsOf(sessions: readonly Session[], random: Random, { from, to }: Period): Stop[] {
  const stops: Stop[] = []
  const parts = Math.max(1, Math.round((to - from) / (91 * DAY)))
  const length = (to - from) / parts
  for (let part = 0; part < parts; part += 1) {
    const begin = from + part * length
    const at = sessions.findIndex(([hour = 0]) => hour * HOUR >= begin)
    const end = sessions.findIndex(([hour = 0]) => hour * HOUR >= begin + length - 14 * DAY)
    if (at < 0 || end <= at) continue
    const day = at + Math.floor(random() * (end - at))
    const session = sessions[day] ?? []
    const nth = Math.floor(random() * session.length)
    const endOf = (behind: number) => ((sessions[day + behind]?.at(-1) ?? 0) + 1) * HOUR
    stops.push({
      from: (session[nth] ?? 0) * HOUR,
      nextDay: endOf(1),
      until: endOf(nth === 0 ? 1 : 2),
    })
  }
  return stops
}

export interface Period {
  from: number
  to: number
}

export interface ShopYear {
  kind: string
  market: string
  /** When it began to use its register. */
  opens: number
  /** The newest receipt of each hour that has some. */
  receipts: readonly number[]
  stops: readonly Stop[]
}

export function shopYear(random: Random, period: Period): ShopYear {
  const shop = shopOf(random, period)
  const sessions = sessionsOf(shop)
  const stops = stopsOf(sessions, random, period)
  const receipts: number[] = []
  for (const hour of sessions.flat()) {
    const at = hour * HOUR
    const isNight = shop.kind === 'vending machine' && hour % 24 < 6
    const some = random() < 1 - Math.exp(-(isNight ? shop.quiet : shop.rate))
    const minutes = Math.floor(random() * 60)
    if (some && !stops.some(({ from, until }) => at >= from && at < until)) {
      receipts.push(at + minutes * 60_000)
    }
  }
  const opens = (sessions[0]?.[0] ?? 0) * HOUR
  return { kind: shop.kind, market: shop.market, opens, receipts, stops }
}
