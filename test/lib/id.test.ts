// The vector of guidBytes is the published one of the receipt hash chain.
import { describe, expect, it } from 'vitest'
import { guidBytes, isUuid, orderedId, randomId } from '../../src/lib/id.js'

describe('ids', () => {
  it('random ones are version 4, ordered ones version 7, and none comes twice', () => {
    const random = Array.from({ length: 5000 }, () => randomId())
    const ordered = Array.from({ length: 5000 }, () => orderedId(1_795_212_145_000))
    for (const id of random) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab]/)
    for (const id of ordered) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/)
    for (const id of [...random, ...ordered]) expect(isUuid(id)).toBe(true)
    expect(new Set([...random, ...ordered]).size).toBe(10_000)
  })

  it('every random bit of a random id is one half of the time', () => {
    const ones = new Array<number>(128).fill(0)
    const count = 4000
    for (let turn = 0; turn < count; turn += 1) {
      const bits = BigInt(`0x${randomId().replaceAll('-', '')}`)
      for (let bit = 0; bit < 128; bit += 1)
        ones[bit] = (ones[bit] ?? 0) + Number((bits >> BigInt(bit)) & 1n)
    }
    // six standard deviations: a sound source fails once in more than a million runs
    const far = 6 * Math.sqrt(count / 4)
    const fixed = [62, 63, 76, 77, 78, 79]
    ones.forEach((found, bit) => {
      if (!fixed.includes(bit)) expect(Math.abs(found - count / 2), `bit ${bit}`).toBeLessThan(far)
    })
  })

  it('every bit behind the time of an ordered id is one half of the time', () => {
    const ones = new Array<number>(76).fill(0)
    const count = 4000
    for (let turn = 0; turn < count; turn += 1) {
      const bits = BigInt(`0x${orderedId(1_795_212_145_000).replaceAll('-', '').slice(13)}`)
      for (let bit = 0; bit < 76; bit += 1)
        ones[bit] = (ones[bit] ?? 0) + Number((bits >> BigInt(bit)) & 1n)
    }
    const far = 6 * Math.sqrt(count / 4)
    // the two of the variant
    const fixed = [62, 63]
    ones.forEach((found, bit) => {
      if (!fixed.includes(bit)) expect(Math.abs(found - count / 2), `bit ${bit}`).toBeLessThan(far)
    })
  })

  it('ordered ids sort by their millisecond', () => {
    const times = [0, 1, 999, 1_593_452_740_505, 1_593_452_740_506, 253_402_300_799_999]
    const ids = times.map((time) => orderedId(time))
    expect([...ids].sort()).toEqual(ids)
    expect(ids[3]?.replace('-', '').slice(0, 12)).toBe(
      (1_593_452_740_505).toString(16).padStart(12, '0'),
    )
  })

  it.each([
    ['314019ae-9290-4f30-9e35-4f403df1cbaf', true],
    ['314019AE-9290-4F30-9E35-4F403DF1CBAF', true],
    ['00000000-0000-0000-0000-000000000000', true],
    ['314019ae92904f309e354f403df1cbaf', false],
    ['{314019ae-9290-4f30-9e35-4f403df1cbaf}', false],
    ['314019ae-9290-4f30-9e35-4f403df1cba', false],
    ['314019ae-9290-4f30-9e35-4f403df1cbafa', false],
    ['314019ae-9290-4f30-9e35-4f403df1cbag', false],
    ['314019ae-9290-4f30-9e35-4f403df1cbaf\n', false],
    ['', false],
  ])('isUuid(%j) is %s', (text, expected) => {
    expect(isUuid(text)).toBe(expected)
  })

  it('guid bytes have their first three groups turned', () => {
    expect(guidBytes('314019ae-9290-4f30-9e35-4f403df1cbaf').toString('hex')).toBe(
      'ae1940319092304f9e354f403df1cbaf',
    )
    expect(guidBytes('314019AE-9290-4F30-9E35-4F403DF1CBAF').length).toBe(16)
  })
})
