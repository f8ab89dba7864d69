import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createSealer } from '../../src/lib/seal.js'

const [first, second, third] = [randomBytes(32), randomBytes(32), randomBytes(32)]
const sealer = createSealer([first])

describe('a sealed secret', () => {
  it('opens with the same key and context', () => {
    for (const text of ['', 'a', 'Zürich 🌍', 'x'.repeat(100_000)]) {
      expect(sealer.open(sealer.seal(text, 'scu:1'), 'scu:1')).toBe(text)
    }
  })

  it('shows nothing of the secret or the key, and never looks the same twice', () => {
    const secret = 'canary-of-the-seal-test'
    const [one, two] = [sealer.seal(secret, 'c'), sealer.seal(secret, 'c')]
    expect(one.equals(two)).toBe(false)
    expect(one.includes(secret)).toBe(false)
    expect(one.includes(first)).toBe(false)
  })

  it('stays shut under another context: it cannot be moved to another row', () => {
    const sealed = sealer.seal('secret', 'scu:1')
    expect(() => sealer.open(sealed, 'scu:2')).toThrow()
    expect(() => sealer.open(sealed, '')).toThrow()
  })

  it('stays shut with another key, and says which fault it is', () => {
    const sealed = sealer.seal('secret', 'c')
    expect(() => createSealer([second]).open(sealed, 'c')).toThrow('master key')
  })

  it('stays shut when any one byte was changed or lost', () => {
    const sealed = sealer.seal('secret', 'c')
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => sealer.open(changed, 'c'), `byte ${at}`).toThrow()
      expect(() => sealer.open(sealed.subarray(0, at), 'c'), `length ${at}`).toThrow()
    }
    expect(() => sealer.open(Buffer.concat([sealed, Buffer.of(0)]), 'c')).toThrow()
  })
})

describe('keyed hashes', () => {
  it('are the HMAC under a key that HKDF derives from the master key and the context', () => {
    const derived = Buffer.from(hkdfSync('sha256', second, '', 'hash:pin', 32))
    const expected = createHmac('sha256', derived).update('0042').digest()
    expect(createSealer([second]).keyedHashes('0042', 'pin')).toEqual([expected])
  })

  it('differ by text, by context and by key; the first key comes first', () => {
    const both = createSealer([third, second]).keyedHashes('0042', 'pin')
    const others = [
      ...createSealer([second]).keyedHashes('0042', 'pin'),
      ...createSealer([third]).keyedHashes('0042', 'pin'),
    ]
    expect(both).toEqual([others[1], others[0]])
    const all = [...both, ...sealer.keyedHashes('0042', 'pin'), ...sealer.keyedHashes('42', 'pin')]
    const texts = [...all, ...sealer.keyedHashes('0042', 'other')].map((hash) =>
      hash.toString('hex'),
    )
    expect(new Set(texts).size).toBe(5)
  })
})

describe('rotation', () => {
  it('the first key seals, all of them open', () => {
    const old = createSealer([second]).seal('old secret', 'c')
    const rotated = createSealer([third, second])
    expect(rotated.open(old, 'c')).toBe('old secret')
    const fresh = rotated.seal('new secret', 'c')
    expect(createSealer([third]).open(fresh, 'c')).toBe('new secret')
    expect(() => createSealer([second]).open(fresh, 'c')).toThrow('master key')
  })

  it('needs a key', () => {
    expect(() => createSealer([])).toThrow('needs a key')
  })
})
