// Where a message about a receipt may go: e-mail addresses and telephone numbers, by their form
// only. Called by action.ts.
import { fail } from '../../errors.js'

export type Scheme = 'email' | 'sms' | 'whatsapp'

const field = 'Target.Address'
const LONGEST_EMAIL = 254
/** One @ between two parts, a point in the second; nothing that could start another header. */
const EMAIL = /^[^\s@<>()[\]\\,;:"]{1,64}@(?:[^\s@<>()[\]\\,;:".]+\.)+[^\s@<>()[\]\\,;:".]{2,}$/
/** E.164: country code and number. */
const NUMBER = /^\+[1-9]\d{7,14}$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: an address holds none
const CONTROLS = /[\u0000-\u001f\u007f\u0085\u2028\u2029]/

/** The address as it is used. Throws FIELD_INVALID. */
export function addressOf(scheme: Scheme, given: string): string {
  return scheme === 'email' ? emailOf(given) : numberOf(given)
}

function emailOf(given: string): string {
  const text = given.trim()
  if (text.length <= LONGEST_EMAIL && !CONTROLS.test(text) && EMAIL.test(text)) return text
  throw fail('FIELD_INVALID', { field, expected: 'an e-mail address' })
}

/** Blanks and the usual marks between digits are nothing, 00 in front is a plus sign. */
function numberOf(given: string): string {
  const plain = given.length > 40 ? '' : given.replace(/[ ()/.-]/g, '').replace(/^00/, '+')
  if (NUMBER.test(plain)) return plain
  throw fail('FIELD_INVALID', { field, expected: 'a telephone number such as +43 1 2345678' })
}
