// What a guest adds for the own books: the one that a copy is made out to, or whom a meal was for.
// It stands on that copy alone; the signed receipt knows nothing of it.
import { plainText } from './plain-text.js'
import type { Words } from './words.js'

/** The questions, in the order of form and copy. */
export const GUEST_FIELDS = ['recipient', 'vatId', 'guests', 'occasion', 'host', 'tip'] as const
export type GuestField = (typeof GUEST_FIELDS)[number]

/** What the guest has typed; a question without answer is not there. */
export type GuestNote = Readonly<Partial<Record<GuestField, string>>>

/** The questions of an invoice, and those of the expenses of hospitality. */
export const INVOICE_FIELDS: readonly GuestField[] = ['recipient', 'vatId']
export const MEAL_FIELDS: readonly GuestField[] = ['guests', 'occasion', 'host', 'tip']

/** Characters of one answer. */
export const LONGEST_ANSWER = 400

export interface GuestRow {
  label: string
  lines: string[]
}

export function questionOf(field: GuestField, words: Words): string {
  const questions: Record<GuestField, string> = {
    recipient: words.guestRecipient,
    vatId: words.vatNumber,
    guests: words.guests,
    occasion: words.occasion,
    host: words.guestHost,
    tip: words.tipGiven,
  }
  return questions[field]
}

/** As it stands on the copy: without control characters, lines apart. */
export function guestRows(note: GuestNote | undefined, words: Words): GuestRow[] {
  if (note === undefined) return []
  return GUEST_FIELDS.flatMap((field) => {
    const lines = (note[field] ?? '').split(/\r\n?|\n/).map((line) => plainText(line).trim())
    const told = lines.filter((line) => line !== '')
    return told.length === 0 ? [] : [{ label: questionOf(field, words), lines: told }]
  })
}

/** True when the copy is for the expenses of hospitality: it is to be signed as well. */
export const isMeal = (note: GuestNote | undefined): boolean =>
  note !== undefined && MEAL_FIELDS.some((field) => (note[field] ?? '').trim() !== '')
