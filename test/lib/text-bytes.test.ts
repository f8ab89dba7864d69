import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoted, Utf8Writer } from '../../src/lib/text.js'

const letters = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ maxLength: 60 }),
  fc.constantFrom('"', '\\', '\u0000', '\u007f', '\ud800', '\udc00x', 'ß', '€', '😀', ''),
)
const piece = fc.record({ text: letters, isJson: fc.boolean() })

describe('pieces put one behind the other', () => {
  it('are the UTF-8 of each of them, however many and long', () => {
    const writer = new Utf8Writer()
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.nat(3000), (pieces, times) => {
        writer.begin()
        const expected: string[] = []
        for (const { text, isJson } of pieces) {
          if (isJson) writer.jsonText(text)
          else writer.text(text)
          expected.push(Buffer.from(isJson ? JSON.stringify(text) : text).toString('hex'))
        }
        for (let at = 0; at < times; at += 1) writer.ascii('0123456789')
        expected.push(Buffer.from('0123456789'.repeat(times)).toString('hex'))
        expect(writer.taken().toString('hex')).toBe(expected.join(''))
      }),
    )
  })

  it('are a copy that nothing changes any more', () => {
    const writer = new Utf8Writer()
    writer.ascii('first')
    const first = writer.taken()
    writer.begin()
    writer.ascii('other')
    expect([first.toString(), writer.taken().toString()]).toEqual(['first', 'other'])
  })

  it('that are more than is kept leave no room behind that stays', () => {
    const writer = new Utf8Writer()
    writer.text('x'.repeat(1_000_000))
    expect(writer.taken()).toHaveLength(1_000_000)
    writer.begin()
    writer.jsonText('y')
    expect(writer.taken().toString()).toBe('"y"')
  })
})

it('a quoted text is what JSON makes of it', () => {
  fc.assert(fc.property(letters, (text) => quoted(text) === JSON.stringify(text)))
})
