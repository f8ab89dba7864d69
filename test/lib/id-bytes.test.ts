// Ids as bytes: the order of the text for PostgreSQL, the order of .NET for hashes and short names.
import { describe, expect, it } from 'vitest'
import { guidBytes, isUuid, orderedId, putGuid, putUuid, randomId } from '../../src/lib/id.js'

const ID = '00112233-4455-6677-8899-aabbccddeeff'

describe('bytes of an id', () => {
  it('stand in the order of the text', () => {
    const target = Buffer.alloc(18)
    putUuid(target, ID, 1)
    expect(target.toString('hex')).toBe('0000112233445566778899aabbccddeeff00')
  })

  it('stand in .NET order: the first three groups little endian', () => {
    // documented example of System.Guid.ToByteArray
    const bytes = guidBytes('35918bc9-196d-40ea-9779-889d79b753f0')
    expect(bytes.toString('hex')).toBe('c98b91356d19ea409779889d79b753f0')
    const target = Buffer.alloc(17)
    putGuid(target, ID.toUpperCase(), 1)
    expect(target.toString('hex')).toBe('0033221100554477668899aabbccddeeff')
  })
})

describe('new ids', () => {
  it('are never the same, and random ones are version 4', () => {
    const ids = Array.from({ length: 2000 }, randomId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab]/)
    expect(ids.every(isUuid)).toBe(true)
  })

  it('sort by their time where they are made for it', () => {
    const early = orderedId(1_763_700_000_000)
    const late = orderedId(1_763_700_000_001)
    expect(early < late).toBe(true)
    expect(early).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(Number.parseInt(early.slice(0, 13).replace('-', ''), 16)).toBe(1_763_700_000_000)
    const same = new Set(Array.from({ length: 2000 }, () => orderedId(1_763_700_000_000)))
    expect(same.size).toBe(2000)
  })
})
