// JSON in which integers of 64 bits keep all their digits: bigint in the program, bare digits on
// the wire.
import { WORDS } from './made/words.js'
import { newId } from './new-id.js'

/** In front of digits on their way through the JSON of the runtime; no text begins with it. */
const mark = newId()
const WRITTEN = new RegExp(`"${mark}(-?\\d+)"`, 'g')
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g
const INTEGER = /^-?\d+$/

const words = new Set(WORDS.split(' '))

/** Members that the documents call 64-bit are bigint, whatever their size; so is what is too long. */
export function readJson(text: string): unknown {
  const marked = text.replace(TOKEN, (token) =>
    INTEGER.test(token) && !Number.isSafeInteger(Number(token)) ? `"${mark}${token}"` : token,
  )
  return JSON.parse(marked, (name, value: unknown) => {
    if (typeof value === 'string' && value.startsWith(mark)) return BigInt(value.slice(mark.length))
    return Number.isInteger(value) && words.has(name) ? BigInt(value as number) : value
  })
}

export function writeJson(value: unknown): string {
  const text = JSON.stringify(value, (_name, one: unknown) =>
    typeof one === 'bigint' ? `${mark}${one}` : one,
  )
  return text.replace(WRITTEN, '$1')
}
