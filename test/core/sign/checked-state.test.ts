import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkedState } from '../../../src/core/sign/checked-state.js'
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
