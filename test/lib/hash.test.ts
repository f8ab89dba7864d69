// Vectors: FIPS 180-4 examples.
import { describe, expect, it } from 'vitest'
import { sameBytes, sha256 } from '../../src/lib/hash.js'

describe('sha256', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
  ])('of %j', (text, hex) => {
    expect(sha256(text).toString('hex')).toBe(hex)
    expect(sha256(Buffer.from(text)).toString('hex')).toBe(hex)
  })

  it('takes text as UTF-8', () => {
    expect(sha256('€')).toEqual(sha256(Buffer.from([0xe2, 0x82, 0xac])))
  })
})

describe('sameBytes', () => {
  it('is true for equal bytes only, whatever their lengths', () => {
    expect(sameBytes(Buffer.from('abc'), Buffer.from('abc'))).toBe(true)
    expect(sameBytes(Buffer.from('abc'), Buffer.from('abd'))).toBe(false)
    expect(sameBytes(Buffer.from('abc'), Buffer.from('ab'))).toBe(false)
    expect(sameBytes(Buffer.alloc(0), Buffer.alloc(0))).toBe(true)
  })
})
