// Which errors mean "away", "again" and "is there already": by their codes alone, so that none of
// them is ever answered as done.
import { expect, it } from 'vitest'
import { isAway, isConflict, isThereAlready } from '../../src/store/client.js'

const coded = (code: string) => Object.assign(new Error('of PostgreSQL'), { code })

const kinds = (error: unknown) =>
  Object.entries({ isAway, isConflict, isThereAlready })
    .filter(([, holds]) => holds(error))
    .map(([name]) => name)

it.each([
  ...['08000', '08003', '08006', '08P01', '53100', '53300', '57P01', '57P02', '57P03', '57014'],
  ...['58030', '25006', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH'],
])('%s: the database is away, what was sent is settled', (code) => {
  expect(kinds(coded(code))).toEqual(['isAway'])
})

it.each(['40001', '40P01'])('%s: rolled back for certain, done again', (code) => {
  expect(kinds(coded(code))).toEqual(['isConflict'])
})

it('23505: looked up, whatever constraint it names', () => {
  const error = Object.assign(coded('23505'), { constraint: 'another_102008' })
  expect(kinds(error)).toEqual(['isThereAlready'])
})

it.each(['22P02', '23514', '42601', '42501'])('%s: the statement was wrong', (code) => {
  expect(kinds(coded(code))).toEqual([])
})
