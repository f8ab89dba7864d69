// JSON whose 64-bit words keep all their digits: numbers that a browser would round become text
// where they are read, and bigint where somebody has typed them.

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const LONGEST_EXACT = 15

const rounds = (token: string): boolean =>
  /^-?\d+$/.test(token) && token.replace('-', '').length > LONGEST_EXACT

const withWords = (text: string, word: (digits: string) => string): string =>
  text.replace(TOKEN, (token) => (rounds(token) ? word(token) : token))

export function readJson(text: string): unknown {
  return JSON.parse(withWords(text, (digits) => `"${digits}"`))
}

/** Of no alphabet: nothing else begins like it. */
const MARK = '\uE064int64:'

/** To be sent as it was typed. Throws SyntaxError. */
export function typedJson(text: string): unknown {
  return unmarked(JSON.parse(withWords(text, (digits) => `"${MARK}${digits}"`)))
}

function unmarked(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value
  }
  if (Array.isArray(value)) return value.map(unmarked)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, unmarked(one)]))
}

/** Bigint as bare digits. */
export function writeJson(value: unknown, indent?: number): string {
  const marked = JSON.stringify(
    value,
    (_, one: unknown) => (typeof one === 'bigint' ? `${MARK}${one}` : one),
    indent,
  )
  return marked.replaceAll(new RegExp(`"${MARK}(-?\\d+)"`, 'g'), '$1')
}
