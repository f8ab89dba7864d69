// How many columns a text takes in letters of equal width, and where it may be broken.

/** Letters of one column each, one code unit each, left to right. */
const SIMPLE = new RegExp(
  `^[${[
    '\\u0020-\\u007e\\u00a0-\\u00ac\\u00ae-\\u02ff',
    '\\u0370-\\u0482\\u048a-\\u058a',
    '\\u2010-\\u2027\\u2030-\\u205e\\u20a0-\\u20bf\\u2100-\\u2212\\u2500-\\u25fc\\ufffd',
  ].join('')}]*$`,
)

/** Nothing in it needs to be joined, turned or counted twice. */
export function isSimple(text: string): boolean {
  return SIMPLE.test(text)
}

/** What a reader takes for one sign, however many code points it has. */
const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' })

export function signsOf(text: string): string[] {
  if (isSimple(text)) return text.split('')
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** Signs that East Asian fonts draw twice as wide (Unicode Standard Annex 11, W and F). */
const WIDE = new RegExp(
  [
    '[\\u1100-\\u115f\\u2e80-\\u303e\\u3041-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7a3]',
    '[\\uf900-\\ufaff\\ufe30-\\ufe6f\\uff00-\\uff60\\uffe0-\\uffe6]',
    '[\\u{1f300}-\\u{1faff}\\u{20000}-\\u{3fffd}]',
    '\\p{Emoji_Presentation}',
  ].join('|'),
  'u',
)
const WITHOUT_WIDTH = /[\p{M}\p{Cf}]/u

/** Columns of one sign: 0, 1 or 2, more for letters of scripts that join several into a sign. */
export function signCells(sign: string): number {
  if (WIDE.test(sign) || sign.includes('\ufe0f')) return 2
  let cells = 0
  for (const letter of sign) if (!WITHOUT_WIDTH.test(letter)) cells += 1
  return cells
}

export function cellsOf(text: string): number {
  if (isSimple(text)) return text.length
  return signsOf(text).reduce((sum, sign) => sum + signCells(sign), 0)
}

/** What fits stays as it is; else breaks at blanks, and cuts words that are too long. */
export function wrapped(text: string, columns: number): string[] {
  if (cellsOf(text) <= columns) return [text]
  const lines: string[] = []
  let line = ''
  let taken = 0
  const put = (word: string, cells: number): void => {
    const joined = line === '' ? cells : taken + 1 + cells
    if (joined <= columns) {
      line = line === '' ? word : `${line} ${word}`
      taken = joined
      return
    }
    if (line !== '') lines.push(line)
    line = word
    taken = cells
  }
  for (const word of text.split(' ')) {
    const parts = cut(word, columns)
    for (const part of parts) put(part, cellsOf(part))
  }
  lines.push(line)
  return lines
}

/** Pieces of a word that is longer than a line; each but the last fills one. */
function cut(word: string, columns: number): string[] {
  if (cellsOf(word) <= columns) return [word]
  const parts: string[] = []
  let part = ''
  let taken = 0
  for (const sign of signsOf(word)) {
    const cells = signCells(sign)
    if (taken + cells > columns && part !== '') {
      parts.push(part)
      part = ''
      taken = 0
    }
    part += sign
    taken += cells
  }
  return [...parts, part]
}
