import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { utf8Text } from '../../src/lib/text.js'

describe('utf8Text', () => {
  it('gives every text back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!text.startsWith('\ufeff'))
        expect(utf8Text(Buffer.from(text))).toBe(text)
      }),
    )
  })

  it('takes one byte order mark away', () => {
    expect(utf8Text(Buffer.from('efbbbf7b7d', 'hex'))).toBe('{}')
    expect(utf8Text(Buffer.from('efbbbfefbbbf7b7d', 'hex'))).toBe('\ufeff{}')
  })

  it.each([
    ['half a sequence', 'c3'],
    ['a lone continuation', '81'],
    ['an overlong form', 'c0af'],
    ['a surrogate', 'eda080'],
    ['beyond Unicode', 'f4bfbfbf'],
    ['Latin-1', 'e96162'],
    ['UTF-16 with its mark', 'fffe7b00'],
  ])('refuses %s', (_name, hex) => {
    expect(utf8Text(Buffer.from(hex, 'hex'))).toBeUndefined()
  })
})
