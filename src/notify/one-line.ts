// Any text as one line of a header or a paragraph.

/** Characters that end a line, control a terminal or turn the direction of what follows. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu
export const LONGEST_LINE = 500

export function oneLine(text: string): string {
  return text.toWellFormed().replace(UNSEEN, ' ').trim().slice(0, LONGEST_LINE).toWellFormed()
}
