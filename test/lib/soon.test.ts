import { describe, expect, it } from 'vitest'
import { whenThere } from '../../src/lib/soon.js'

describe('what is mostly there at once', () => {
  it('goes on at once with a value', () => {
    expect(whenThere(2, (value) => value + 1)).toBe(3)
  })

  it('goes on later with a promised value, and with a promise behind a value', async () => {
    const later = whenThere(Promise.resolve(2), (value) => value + 1)
    expect(later).toBeInstanceOf(Promise)
    expect(await later).toBe(3)
    expect(await whenThere(2, (value) => Promise.resolve(value + 1))).toBe(3)
  })

  it('hands on what went wrong', async () => {
    const refused = whenThere(Promise.reject<number>(new Error('no')), (value) => value + 1)
    await expect(refused).rejects.toThrow('no')
  })
})
