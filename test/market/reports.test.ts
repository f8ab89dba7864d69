// The last days of reports, by the calendar of the country: summer time, ends of years, leap years.
import { describe, expect, it } from 'vitest'
import { everyFacts } from '../../src/market/index.js'
import { PROBLEM_KINDS } from '../../src/model/problem.js'
import type { ReportKind } from '../../src/model/report.js'

function dueOf(market: string, kind: ReportKind, moment: string): string {
  const facts = everyFacts.find(({ code }) => code === market)
  const rule = facts?.reports?.find((one) => one.kind === kind)
  if (rule === undefined) throw new Error(`${market} has no ${kind}`)
  return rule.due(new Date(moment)).toISOString()
}

describe('Austria: a week ends with its last moment in Vienna', () => {
  it.each([
    ['in winter', '2026-11-10T08:00:00Z', '2026-11-17T22:59:59.999Z'],
    ['in summer', '2026-07-10T08:00:00Z', '2026-07-17T21:59:59.999Z'],
    ['over the begin of summer time', '2026-03-25T12:00:00Z', '2026-04-01T21:59:59.999Z'],
    ['on its very day', '2026-03-22T12:00:00Z', '2026-03-29T21:59:59.999Z'],
    ['over the end of summer time', '2026-10-20T12:00:00Z', '2026-10-27T22:59:59.999Z'],
    ['on its very day', '2026-10-18T12:00:00Z', '2026-10-25T22:59:59.999Z'],
    ['over the end of a year', '2026-12-28T12:00:00Z', '2027-01-04T22:59:59.999Z'],
    ['over 29 February', '2028-02-25T12:00:00Z', '2028-03-03T22:59:59.999Z'],
    ['of a leap day', '2028-02-22T12:00:00Z', '2028-02-29T22:59:59.999Z'],
    ['from the last moment of a day', '2026-11-10T22:59:59.999Z', '2026-11-17T22:59:59.999Z'],
    ['from the first of the next', '2026-11-10T23:00:00.000Z', '2026-11-18T22:59:59.999Z'],
  ])('%s', (_, moment, due) => {
    expect(dueOf('AT', 'register', moment)).toBe(due)
  })

  it.each([
    ['2026-12-31T22:59:59.999Z', '2027-02-15T22:59:59.999Z'],
    ['2026-12-31T23:00:00.000Z', '2028-02-15T22:59:59.999Z'],
    ['2026-01-01T00:00:00.000Z', '2027-02-15T22:59:59.999Z'],
    ['2027-12-31T22:59:59.999Z', '2028-02-15T22:59:59.999Z'],
  ])('the yearly receipt of %s is checked by %s', (moment, due) => {
    expect(dueOf('AT', 'yearly_check', moment)).toBe(due)
  })
})

describe('Germany: a month later in Berlin, or the last day of that month', () => {
  it.each([
    ['2026-11-10T08:00:00Z', '2026-12-10T22:59:59.999Z'],
    ['2026-01-31T08:00:00Z', '2026-02-28T22:59:59.999Z'],
    ['2028-01-31T08:00:00Z', '2028-02-29T22:59:59.999Z'],
    ['2028-01-29T08:00:00Z', '2028-02-29T22:59:59.999Z'],
    ['2028-02-29T08:00:00Z', '2028-03-29T21:59:59.999Z'],
    ['2026-12-31T12:00:00Z', '2027-01-31T22:59:59.999Z'],
    ['2026-03-28T12:00:00Z', '2026-04-28T21:59:59.999Z'],
    ['2026-02-28T12:00:00Z', '2026-03-28T22:59:59.999Z'],
    ['2026-02-28T23:00:00Z', '2026-04-01T21:59:59.999Z'],
    ['2026-09-25T12:00:00Z', '2026-10-25T22:59:59.999Z'],
  ])('of %s it is %s', (moment, due) => {
    expect(dueOf('DE', 'place', moment)).toBe(due)
  })
})

it('every rule has words in three languages and a kind of its own', () => {
  for (const { code, reports = [] } of everyFacts) {
    expect(new Set(reports.map(({ kind }) => kind)).size, code).toBe(reports.length)
    const texts = reports.flatMap(({ words }) => Object.values(words))
    expect(texts.flatMap(Object.values).filter((text) => text.trim() === '')).toEqual([])
  }
  expect(PROBLEM_KINDS).toContain('report')
})
