// JSON of registers and answers, read without making numbers: each is the text that was written.

export type Item = Readonly<Record<string, unknown>>

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Undefined: no object, or one as lenient programs write it (comments, a comma too many). */
export function objectIn(text: string): Item | undefined {
  try {
    const value: unknown = JSON.parse(
      text.replace(TOKEN, (token) => (token.startsWith('"') ? token : `"${token}"`)),
    )
    return isItem(value) ? value : undefined
  } catch {
    return undefined // the caller says what that means
  }
}

/** Whatever the spelling of the name: hosts of the field write it in two ways. '' for none. */
export function textIn(object: Item, name: string): string {
  const value = member(object, name)
  return typeof value === 'string' ? value : ''
}

/** The objects of a list. */
export function itemsIn(object: Item, name: string): Item[] {
  const value = member(object, name)
  return Array.isArray(value) ? value.filter(isItem) : []
}

function member(object: Item, name: string): unknown {
  const found = Object.keys(object).find((one) => one.toLowerCase() === name.toLowerCase())
  return found === undefined ? undefined : object[found]
}

const isItem = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
