import { expect, it } from 'vitest'
import { type Text, textGlyph } from '../../src/render/glyphs.js'

const grid = { column: 14, line: 28 }
const piece = { text: 'Apfelstrudel mit Schlag', font: 'mono', toLeft: false } as const
const text: Text = { pieces: [piece], room: 500, align: 'left', grid }

const OTHERS: readonly Text[] = [
  { ...text, pieces: [{ ...piece, text: 'Apfelstrudel ohne Schlag' }] },
  { ...text, pieces: [{ ...piece, font: 'monoBold' }] },
  { ...text, pieces: [{ ...piece, text: 'mit אבג' }] },
  { ...text, pieces: [{ ...piece, text: 'mit אבג', toLeft: true }, piece] },
  { ...text, room: 480 },
  { ...text, align: 'right' },
  { ...text, align: 'centre' },
  { ...text, grid: { column: 12, line: 28 } },
  { ...text, grid: { column: 14, line: 30 } },
]

it('a text is drawn once, and another one in any respect is another picture', () => {
  const seen = [text, ...OTHERS].map((one) => {
    const { width, height, ink } = textGlyph(one)
    return `${width} ${height} ${Buffer.from(ink).toString('base64')}`
  })
  expect(new Set(seen).size).toBe(seen.length)
  expect(textGlyph({ ...text, pieces: [{ ...piece }] })).toBe(textGlyph(text))
})
