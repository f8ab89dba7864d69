// The order of letters of both directions, against the examples of Unicode Standard Annex 9 and of
// a text that browsers show the same way. Capital letters stand for Hebrew ones.
import { describe, expect, it } from 'vitest'
import { isTurned, mirrored, stretchesOf } from '../../src/render/bidi.js'

const HEBREW = 'אבגדהוזחטיכלמנסעפצקרשת'
const toHebrew = (text: string): string =>
  text.replace(/[A-V]/g, (letter) => HEBREW[letter.charCodeAt(0) - 65] ?? letter)
const toLatin = (text: string): string =>
  Array.from(text, (letter) => {
    const at = HEBREW.indexOf(letter)
    return at < 0 ? letter : String.fromCharCode(65 + at)
  }).join('')

/** As it stands on the paper, from left to right. */
function shown(text: string): string {
  const parts = stretchesOf(toHebrew(text)).map(({ text: part, toLeft }) =>
    toLeft ? Array.from(mirrored(part)).reverse().join('') : part,
  )
  return toLatin(parts.join(''))
}

describe('letters that are read to the left', () => {
  it.each([
    // annex 9, 3.4: the first is its example of rule L2
    ['car means CAR.', 'car means RAC.'],
    ['HE SAID "car".', '."car" DIAS EH'],
    ['ABC 123 DEF', 'FED 123 CBA'],
    ['ABC 12,50 DEF', 'FED 12,50 CBA'],
    ['abc DEF 12 ghi', 'abc 12 FED ghi'],
    ['ABC (DEF)', '(FED) CBA'],
    ['2 x ABC', '2 x CBA'],
    ['2 ABC', 'CBA 2'],
    ['abc', 'abc'],
    ['ABC 5% DEF', 'FED 5% CBA'],
    ['ABC -5 DEF', 'FED 5- CBA'],
  ])('%s stands there as %s', (text, expected) => {
    expect(shown(text)).toBe(expected)
  })

  it('are told from all others', () => {
    for (const text of ['שלום', 'abc مرحبا']) expect(isTurned(text)).toBe(true)
    for (const text of ['abc', 'Ελλάδα', '日本', '1,20 €']) expect(isTurned(text)).toBe(false)
  })
})
