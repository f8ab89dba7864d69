import { expect, it } from 'vitest'
import { Memo } from '../../src/lib/memo.js'

it('makes each thing once, and throws again what it threw', () => {
  const memo = new Memo()
  let made = 0
  const next = () => {
    made += 1
    return made
  }
  const one = () => `one ${next()}`
  const two = () => `two ${next()}`
  const no = (): string => {
    throw new Error(`no ${next()}`)
  }
  expect([memo.once(one, one), memo.once(two, two), memo.once(one, one)]).toEqual([
    ...['one 1', 'two 2', 'one 1'],
  ])
  const thrown = () => {
    try {
      return memo.once(no, no)
    } catch (error) {
      return error
    }
  }
  expect(thrown()).toBe(thrown())
  expect(made).toBe(3)
  expect(new Memo().once(one, one)).toBe('one 4')
})
