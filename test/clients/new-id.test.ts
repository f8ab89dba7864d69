// Ids of the client, where a browser has no `crypto.randomUUID`.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { newId } from '../../client/src/new-id.js'
import { isUuid } from '../../src/lib/id.js'

const VERSION_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const MANY = 2_000

beforeEach(() => {
  const { getRandomValues } = globalThis.crypto
  vi.stubGlobal('crypto', { getRandomValues: getRandomValues.bind(globalThis.crypto) })
})
afterEach(() => vi.unstubAllGlobals())

describe('a new id', () => {
  it('is a UUID of version 4, another each time, and each digit comes about', () => {
    const ids = Array.from({ length: MANY }, newId)
    for (const id of ids) {
      expect(id).toMatch(VERSION_4)
      expect(isUuid(id)).toBe(true)
    }
    expect(new Set(ids).size).toBe(MANY)
    const free = [...'xxxxxxxxxxxx4xxxyxxxxxxxxxxxxxxx'].map(
      (kind) => ({ x: 16, y: 4, 4: 1 })[kind],
    )
    const seen = free.map((_, at) => new Set(ids.map((id) => id.replaceAll('-', '')[at])).size)
    expect(seen).toEqual(free)
  })
})
