// Contrast of two colours as WCAG 2.2 defines it.
import { describe, expect, it } from 'vitest'
import { contrastOf } from '../../src/lib/colours.js'

describe('contrast', () => {
  // #767676 on white is the published limit of AA, #777777 is just below it; red on white 3.998
  it.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#767676', '#ffffff', 4.542],
    ['#777777', '#ffffff', 4.478],
    ['#ff0000', '#ffffff', 3.998],
    ['#0000ff', '#ffffff', 8.592],
  ])('of %s and %s is %d, whichever is the text', (one, other, expected) => {
    expect(contrastOf(one, other)).toBeCloseTo(expected, 3)
    expect(contrastOf(other, one)).toBeCloseTo(expected, 3)
  })
})
