// The letters of a text by the font that has them.
import { isSimple, signsOf } from './cells.js'
import { type Face, faceOf } from './fonts.js'

export interface Run {
  text: string
  face: Face
}

/** Letters of one font beside each other; `exact` is in letters of equal width where there are. */
export function runsOf(text: string, exact: boolean): Run[] {
  const usual: Face = exact ? 'mono' : 'other'
  if (isSimple(text)) return [{ text, face: usual }]
  const runs: Run[] = []
  for (const sign of signsOf(text)) {
    const found = faceOf(sign) ?? usual
    const face = found === 'mono' ? usual : found
    const last = runs.at(-1)
    if (last?.face === face) last.text += sign
    else runs.push({ text: sign, face })
  }
  return runs
}
