import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkedState, storedState } from '../../../src/core/sign/checked-state.js'
import { atState, initial } from '../../../src/market/at/queue.js'

const counted: string[] = []
const schema = z.object({
  name: z.string().refine((value) => {
    counted.push(value)
    return true
  }),
  count: z.int().min(0),
  late: z.string().default(''),
})

const BEFORE = Object.freeze({ name: 'a', count: 1, late: '' })

describe('the state of a queue before it is stored', () => {
  it('refuses a member that has moved to what the schema does not allow', () => {
    expect(() => checkedState(schema, { ...BEFORE, count: -1 }, BEFORE)).toThrow(z.ZodError)
    expect(() => checkedState(atState, { ...initial(), cashTotalizer: '1' }, initial())).toThrow(
      z.ZodError,
    )
  })

  it('leaves a member alone that is what it was', () => {
    counted.length = 0
    expect(checkedState(schema, { ...BEFORE, count: 2 }, BEFORE)).toEqual({ ...BEFORE, count: 2 })
    expect(counted).toEqual([])
    checkedState(schema, { ...BEFORE, name: 'b' }, BEFORE)
    expect(counted).toEqual(['b'])
  })

  it('gives what the schema makes of a state with other members, or without one', () => {
    const further = { ...BEFORE, further: 1 }
    expect(checkedState(schema, further, BEFORE)).toEqual(BEFORE)
    const { late: _late, ...without } = BEFORE
    expect(checkedState(schema, without as typeof BEFORE, BEFORE)).toEqual(BEFORE)
  })

  it('checks a state as a whole where members are checked together, or hold members', () => {
    const together = schema.refine(({ count, name }) => count < 5 || name === 'z')
    expect(() => checkedState(together, { ...BEFORE, count: 5 }, BEFORE)).toThrow(z.ZodError)
    const nested = z.object({ list: z.array(z.int()) })
    const list = [1]
    const before = { list }
    list.push(0.5)
    expect(() => checkedState(nested, { list }, before)).toThrow(z.ZodError)
  })
})

describe('what members of a state hold', () => {
  const looked: unknown[] = []
  const holding = z.object({
    list: z.array(z.int()).refine((list) => {
      looked.push(list)
      return true
    }),
    count: z.int(),
    late: z.int().optional(),
  })

  it('is checked once, and cannot be changed in place from then on', () => {
    const before = storedState(holding, { list: [1, 2], count: 1 })
    looked.length = 0
    const moved = { ...before, count: 2 }
    expect(checkedState(holding, moved, before)).toBe(moved)
    expect(looked).toEqual([])
    expect(() => moved.list.push(0.5)).toThrow(TypeError)
    expect(() => checkedState(holding, { ...moved, list: [0.5] }, moved)).toThrow(z.ZodError)
  })

  it('is checked anew where it is another, and frozen then', () => {
    const before = storedState(holding, { list: [1], count: 1 })
    const moved = { ...before, list: [1, 2] }
    looked.length = 0
    expect(checkedState(holding, moved, before)).toEqual(moved)
    expect(looked).toHaveLength(1)
    const next = { ...moved, count: 3 }
    expect(checkedState(holding, next, moved)).toBe(next)
    expect(looked).toHaveLength(1)
    expect(Object.isFrozen(moved.list)).toBe(true)
  })

  it('may be left out where it may be', () => {
    const before = storedState(holding, { list: [], count: 1 })
    const late = { ...before, late: 4 }
    expect(checkedState(holding, late, before)).toEqual(late)
    expect(() => checkedState(holding, { ...late, late: 0.5 }, late)).toThrow(z.ZodError)
  })
})
