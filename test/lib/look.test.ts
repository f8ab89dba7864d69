// Colours of the house can be read on each other, in light and dark, and no page has others.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contrastOf, LEAST_CONTRAST } from '../../src/lib/colours.js'
import { type Colour, dark, light } from '../../src/lib/look.js'

const GROUNDS: readonly Colour[] = ['paper', 'raised', 'ground']
const PAIRS: readonly (readonly [Colour, Colour])[] = [
  ...(['ink', 'soft', 'accent', 'red', 'yellow'] as const).flatMap((text) =>
    GROUNDS.map((ground) => [text, ground] as const),
  ),
  ...([
    ['on-accent', 'accent'],
    ['on-amber', 'amber'],
    ['red', 'red-paper'],
  ] as const),
  ['ink', 'red-paper'],
]

describe('colours of the house', () => {
  it.each(PAIRS)('%s on %s are read in light and dark', (text, ground) => {
    expect(contrastOf(light(text), light(ground))).toBeGreaterThanOrEqual(LEAST_CONTRAST)
    expect(contrastOf(dark(text), dark(ground))).toBeGreaterThanOrEqual(LEAST_CONTRAST)
  })

  it('are the only ones of the portal, but for paper', () => {
    const folder = join(import.meta.dirname, '../../portal/src/style')
    const found = readdirSync(folder).flatMap((file) => [
      ...readFileSync(join(folder, file), 'utf8').matchAll(/#[0-9a-f]{3,8}\b/gi),
    ])
    expect([...new Set(found.map(([colour]) => colour))]).toEqual(['#ffffff'])
  })
})
