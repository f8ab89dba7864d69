// The letters of a text by the font that has them.
import { isSimple, signCells, signsOf } from './cells.js'
import { type Face, faceOf } from './fonts.js'

export interface Run {
  text: string
  face: Face
  /** Of its first letter, from the beginning of the text. */
  column: number
  cells: number
}

/** Letters of the usual font in one run; every other sign is placed by itself. */
export function runsOf(text: string): Run[] {
  if (isSimple(text)) return [{ text, face: 'mono', column: 0, cells: text.length }]
  const runs: Run[] = []
  let column = 0
  for (const sign of signsOf(text)) {
    const cells = signCells(sign)
    const face = cells === 1 && sign.length === 1 ? (faceOf(sign) ?? 'mono') : 'other'
    const last = runs.at(-1)
    if (face === 'mono' && last?.face === 'mono') {
      last.text += sign
      last.cells += cells
    } else runs.push({ text: sign, face, column, cells })
    column += cells
  }
  return runs
}
