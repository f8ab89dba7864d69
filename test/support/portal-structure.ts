// What a page consists of, as readers of screens are told: headings, tables, fields, buttons and
// their names. What is another in every run is masked, and of a table the first row stands for all.
import type { Page } from 'playwright-core'

const MONTHS = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec'
const MASKS: readonly (readonly [RegExp, string])[] = [
  [/[A-Za-z0-9+/]{43}=/g, 'TOKEN'],
  // the stream of events may have begun, or not yet
  [/(- status: )(live|catching up)/g, '$1live'],
  // of the key before it
  [/(Check value"?\s*- definition: ).*/g, '$1CODE'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, 'ID'],
  [new RegExp(`\\b(${MONTHS})[a-z]* \\d+, \\d+(, \\d+:\\d+[\\s\\u202f][AP]M)?`, 'g'), 'DAY'],
  [/\b(in )?\d+ (second|minute|hour|day)s?( ago)?|\b(now|yesterday|tomorrow)\b/g, 'MOMENT'],
  [/(?<!level=)\d+/g, '0'],
]
const LONG_WORD = /[\w+=-]{16,}/g
const LEAST_TURNS = 4

/** Keys, hashes, names made of an id. */
function isRandom(word: string): boolean {
  const turns = [...word.matchAll(/[a-z][A-Z]/g)].length
  return /[\d+=]/.test(word) || turns >= LEAST_TURNS
}

function masked(text: string): string {
  const named = MASKS.slice(0, -1).reduce((all, [what, word]) => all.replace(what, word), text)
  const known = named.replace(LONG_WORD, (word) => (isRandom(word) ? 'TOKEN' : word))
  return MASKS.slice(-1).reduce((all, [what, word]) => all.replace(what, word), known)
}

/** Of rows of one table, the head and the first one; with what is in them. */
function fewRows(text: string): string {
  const kept: string[] = []
  const rows = new Map<number, number>()
  let leftOut: number | undefined
  for (const line of text.split('\n')) {
    const depth = line.search(/\S/)
    if (leftOut !== undefined && depth > leftOut) continue
    leftOut = undefined
    for (const known of rows.keys()) if (known > depth) rows.delete(known)
    const isRow = /^\s*- '?row\b/.test(line)
    const count = (rows.get(depth) ?? 0) + 1
    if (isRow) rows.set(depth, count)
    if (isRow && count > 1) leftOut = depth
    else kept.push(line)
  }
  return kept.join('\n')
}

export async function structureOf(page: Page, what = 'main'): Promise<string> {
  return masked(fewRows(await page.locator(what).ariaSnapshot()))
}
