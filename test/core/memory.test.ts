// What is remembered of callers: how often the database is asked, and what a wrong token changes.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { memory } from '../../src/core/memory.js'

/** A database of one entry, which counts how often it is asked. */
function desk(memoryMs = 1000) {
  const state = { now: 0, asked: 0, token: 'right', away: false }
  const find = async (id: string) => {
    state.asked += 1
    if (state.away) throw new Error('away')
    return id === 'known' ? { token: state.token } : undefined
  }
  const deps = { now: () => new Date(state.now), memoryMs, entries: 10 }
  const known = memory(deps, find)
  const check = async (id: string, token: string) =>
    (await known.fitting(id, (entry) => entry?.token === token)) !== undefined
  return { state, check, known }
}

describe('a right token', () => {
  it('is looked up once, and again when it is forgotten or old', async () => {
    const { state, check, known } = desk()
    for (const _ of [1, 2, 3]) expect(await check('known', 'right')).toBe(true)
    expect(state.asked).toBe(1)
    known.forget('known')
    expect(await check('known', 'right')).toBe(true)
    state.now = 1001
    expect(await check('known', 'right')).toBe(true)
    expect(state.asked).toBe(3)
  })

  it('works at once after a reset elsewhere, and the old one no more after that', async () => {
    const { state, check } = desk()
    expect(await check('known', 'right')).toBe(true)
    state.token = 'new'
    expect(await check('known', 'new')).toBe(true)
    expect(await check('known', 'right')).toBe(false)
  })
})

describe('callers who go on calling', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Two callers, found by themselves or together. */
  function together() {
    const state = { alone: 0, together: [] as string[][], away: false, token: 'right' }
    const find = async () => {
      state.alone += 1
      return { token: state.token }
    }
    const findAll = async (ids: string[]) => {
      state.together.push(ids)
      if (state.away) throw new Error('away')
      return new Map(ids.map((id) => [id, { token: state.token }]))
    }
    const deps = { now: () => new Date(), memoryMs: 1000, entries: 10 }
    return { state, known: memory(deps, find, findAll) }
  }
  const call = async (known: { known(id: string): unknown }, ms: number) => {
    await vi.advanceTimersByTimeAsync(ms)
    return [known.known('a'), known.known('b')]
  }

  it('are looked up by one question before they are forgotten, and wait for none', async () => {
    const { state, known } = together()
    await Promise.all([known.find('a'), known.find('b')])
    for (let turn = 0; turn < 50; turn += 1) {
      expect(await call(known, 100)).toEqual([{ token: 'right' }, { token: 'right' }])
    }
    expect(state.alone).toBe(2)
    expect(state.together.length).toBeLessThanOrEqual(10)
    expect(new Set(state.together.map(String))).toEqual(new Set(['a,b']))
  })

  it('and are dead a second after their token', async () => {
    const { state, known } = together()
    await Promise.all([known.find('a'), known.find('b')])
    await call(known, 499)
    state.token = 'new'
    for (let turn = 0; turn < 9; turn += 1) await call(known, 100)
    expect(await call(known, 101)).toEqual([{ token: 'new' }, { token: 'new' }])
  })

  it('are forgotten where no answer comes, and where they are silent', async () => {
    const { state, known } = together()
    await Promise.all([known.find('a'), known.find('b')])
    state.away = true
    for (let turn = 0; turn < 9; turn += 1) await call(known, 100)
    expect(state.together.length).toBeGreaterThan(0)
    expect(await call(known, 101)).toEqual([undefined, undefined])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(state.together.length).toBeLessThanOrEqual(3)
  })
})

describe('invented ids', () => {
  it('push nobody out of the memory, however many they are', async () => {
    const { state, check } = desk()
    await check('known', 'right')
    for (let turn = 0; turn < 100; turn += 1) await check(`nobody ${turn}`, 'x')
    const before = state.asked
    expect(await check('known', 'right')).toBe(true)
    expect(state.asked).toBe(before)
  })
})

describe('a wrong token', () => {
  it('costs one look-up each time, like an id that nobody has', async () => {
    const { state, check } = desk()
    const cost = async (id: string) => {
      const before = state.asked
      expect(await check(id, 'wrong')).toBe(false)
      return state.asked - before
    }
    expect([await cost('known'), await cost('known')]).toEqual([1, 1])
    expect([await cost('nobody'), await cost('nobody')]).toEqual([1, 1])
    await check('known', 'right')
    expect(await cost('known')).toBe(1)
  })

  it('makes nobody forgotten, not even while the database is away', async () => {
    const { state, check } = desk()
    await check('known', 'right')
    state.away = true
    await expect(check('known', 'wrong')).rejects.toThrow('away')
    expect(await check('known', 'right')).toBe(true)
    expect(state.asked).toBe(2)
  })
})
