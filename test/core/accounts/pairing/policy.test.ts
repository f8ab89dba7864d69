// Guessing PINs does not pay: from ten thousand networks, in whatever pattern, the chance of a hit
// within a day stays below one percent, and few networks cannot lock the others out.
import { describe, expect, it } from 'vitest'
import {
  afterWrong,
  CAPACITY,
  type Chances,
  DAY_FACTOR,
  later,
  lifeSeconds,
  mostOpen,
  PER_DAY,
  PINS,
} from '../../../../src/core/accounts/pairing/policy.js'

const DAY = 86_400
const CALM: Chances = { spent: 0, pace: 0 }
const WRONG_PER_MINUTE = 5
const PER_NETWORK = WRONG_PER_MINUTE * DAY_FACTOR

interface Open {
  born: number
  until: number
}

/** A day of an installation on which somebody always wants a PIN. */
class Day {
  private chances: Chances = CALM
  private at = 0
  open: Open[] = []
  /** Sum of the chances of all guesses so far, of PINS, at its moment. */
  readonly guesses: { at: number; chance: number }[] = []
  opened = 0
  refused = 0

  want(at: number): void {
    this.pass(at)
    if (this.open.length >= mostOpen(this.chances)) {
      this.refused += 1
      return
    }
    this.opened += 1
    this.open.push({ born: at, until: at + lifeSeconds(this.chances) })
  }

  guess(at: number): void {
    this.pass(at)
    const count = this.open.length
    this.guesses.push({ at, chance: count })
    this.chances = afterWrong(this.chances, count)
    const life = lifeSeconds(this.chances)
    const most = mostOpen(this.chances)
    const younger = this.open.map((one) => ({
      ...one,
      until: Math.min(one.until, one.born + life),
    }))
    this.open = younger.slice(Math.max(0, younger.length - most))
  }

  private pass(at: number): void {
    this.chances = later(this.chances, at - this.at)
    this.at = at
    this.open = this.open.filter(({ until }) => until > at)
  }

  /** The most that any 24 hours have had. */
  worst(): number {
    let [from, sum, most] = [0, 0, 0]
    for (const { at, chance } of this.guesses) {
      sum += chance
      while ((this.guesses[from]?.at ?? at) < at - DAY) {
        sum -= this.guesses[from]?.chance ?? 0
        from += 1
      }
      most = Math.max(most, sum)
    }
    return most / PINS
  }
}

/** Numbers between 0 and 1 that are the same in every run. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

/** Guesses of so many networks, each with all that it has, in the order of time. */
function attack(networks: number, moment: (network: number, turn: number) => number): number[] {
  const moments: number[] = []
  for (let network = 0; network < networks; network += 1) {
    for (let turn = 0; turn < PER_NETWORK; turn += 1) moments.push(moment(network, turn))
  }
  return moments.sort((a, b) => a - b)
}

/** Somebody wants a PIN so often, all the time. */
function run(guesses: readonly number[], everySeconds: number, days = 1): Day {
  const day = new Day()
  let next = 0
  for (let at = 0; at < days * DAY; at += everySeconds) {
    for (; (guesses[next] ?? Number.POSITIVE_INFINITY) <= at; next += 1)
      day.guess(guesses[next] ?? 0)
    day.want(at)
  }
  return day
}

describe('ten thousand networks', () => {
  const random = dice(20_261_122)
  const patterns: readonly (readonly [string, number[]])[] = [
    ['all day long', attack(10_000, () => random() * DAY)],
    ['all at once', attack(10_000, () => DAY / 2 + random() * 60)],
    ['in bursts, a pause between them', attack(10_000, (n, turn) => turn * 8_000 + n / 100)],
    ['one after another', attack(10_000, (n, turn) => n * 8 + turn / 10)],
  ]

  it.each(patterns)('hit with less than one percent within a day, guessing %s', (_how, guesses) => {
    expect(guesses).toHaveLength(100_000)
    for (const everySeconds of [1, 10, 60]) {
      const day = run(guesses, everySeconds)
      expect(day.worst()).toBeGreaterThan(0)
      expect(day.worst()).toBeLessThan(0.01)
    }
  })

  it('hit with less than one percent in any 24 hours of a week', () => {
    const week = attack(70_000, () => random() * 7 * DAY)
    expect(run(week, 20, 7).worst()).toBeLessThan(0.01)
  })

  it('never have more than the chances that stand in the page of security', () => {
    expect((CAPACITY + PER_DAY) / PINS).toBeLessThan(0.01)
  })

  it('make PINs live shorter, and few of them', () => {
    let chances = CALM
    expect([mostOpen(chances), lifeSeconds(chances)]).toEqual([30, 300])
    for (let turn = 0; turn < 30; turn += 1) chances = afterWrong(chances, 1)
    expect(mostOpen(chances)).toBe(5)
    for (let turn = 0; turn < 29; turn += 1) chances = afterWrong(chances, 1)
    expect(mostOpen(chances)).toBe(1)
    expect(lifeSeconds(chances)).toBe(30)
    expect(mostOpen(afterWrong(chances, 1))).toBe(0)
    expect(mostOpen(later(afterWrong(chances, 1), DAY))).toBeGreaterThan(4)
  })

  it('an attacker who sees every PIN come and go hits no more often', () => {
    const day = new Day()
    for (let at = 0; at < 3 * DAY; at += 1) {
      day.want(at)
      if (day.open.length > 0) day.guess(at)
    }
    expect(day.worst()).toBeLessThan(0.01)
  })
})

describe('many tills at once', () => {
  it('get a PIN each as long as nobody guesses, thirty at a time', () => {
    const day = new Day()
    for (let till = 0; till < 30; till += 1) day.want(till)
    expect([day.open.length, day.refused]).toEqual([30, 0])
    day.want(31)
    expect(day.refused).toBe(1)
  })

  it('lose most of their PINs by one wrong one, and go on with a few at a time', () => {
    const day = new Day()
    for (let till = 0; till < 30; till += 1) day.want(till)
    day.guess(40)
    expect(day.open).toHaveLength(5)
    // ten others type a wrong PIN as well, and there is still room for one
    for (let turn = 0; turn < 10; turn += 1) day.guess(41 + turn)
    expect(day.open.length).toBeGreaterThan(0)
    expect(day.worst()).toBeLessThan(0.01)
  })

  it('whatever was spent, no more are open than chances are left', () => {
    for (let spent = 0; spent <= CAPACITY; spent += 0.5) {
      for (const pace of [0, 0.04, 1, 100]) {
        expect(mostOpen({ spent, pace })).toBeLessThanOrEqual(CAPACITY - spent)
      }
    }
  })

  it('an attacker who waits until nobody is careful any more hits no more often', () => {
    const guesses = Array.from({ length: 3 * 48 }, (_, turn) => 600 + turn * 1_801)
    const day = run(guesses, 1, 3)
    expect(day.worst()).toBeGreaterThan(0)
    expect(day.worst()).toBeLessThan(0.01)
  })
})

describe('few networks', () => {
  it('ten of them, which have locked everybody out before, leave nearly every PIN its life', () => {
    const random = dice(7)
    const guesses = attack(10, () => random() * DAY)
    const day = run(guesses, 600)
    expect(day.worst()).toBeLessThan(0.01)
    expect(day.opened / (day.opened + day.refused)).toBeGreaterThan(0.9)
  })

  it('a typing error now and then changes nothing', () => {
    const random = dice(3)
    const typing = Array.from({ length: 20 }, () => random() * DAY).sort((a, b) => a - b)
    const day = run(typing, 120)
    expect(day.refused).toBe(0)
  })
})
