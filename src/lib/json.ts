// A JSON reader that keeps every number exactly as it was written, and finds doubled properties.
// JSON.parse would turn the case word 4707387510509010945 into …944.
import { inSlices } from './slices.js'
import { CONTROL_CHARACTER } from './text.js'

/** A number as it stood in the text, e.g. `4707387510509010945` or `-0.10`. */
export class JsonNumber {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** An object in the order of the text; a name may stand in it more than once. */
export class JsonObject {
  readonly names: string[] = []
  readonly values: JsonValue[] = []

  /** The last value of the first spelling that fits, or undefined. */
  get(name: string): JsonValue | undefined {
    const at = this.names.lastIndexOf(name)
    return at < 0 ? undefined : this.values[at]
  }
}

export type JsonValue = string | boolean | null | JsonNumber | JsonObject | JsonValue[]

/**
 * Why a text is no JSON: `path` is the member being read (`cbChargeItems[1].Amount`), '' at the
 * top.
 */
export class JsonError extends Error {
  readonly path: string
  readonly position: number
  constructor(message: string, path: string, position: number) {
    super(message)
    this.path = path
    this.position = position
  }
}

export interface JsonOptions {
  /** Deepest nesting of arrays and objects; 64 unless told. */
  depth?: number
  /** Accept `// …` to the end of the line and `/* … *\/` wherever a blank may stand. */
  comments?: boolean
  /** Accept one comma before a closing bracket, as the field's older hosts do. */
  trailingComma?: boolean
  /**
   * Refuse control characters (other than tab and line ends) and half surrogate pairs in strings.
   */
  cleanText?: boolean
  /** Most values of all levels together, containers included; unlimited unless told. */
  values?: number
}

const LINE_END = /[\n\r]/g

/** What may follow a backslash, beside `u` and four digits. */
const ESCAPES = '"\\/bfnrt'
/** Letters from which on the end of a string is looked for in the way of files. */
const LONG = 1024
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const PLAIN = /^[^\\\u0000-\u001f]*$/
const HEX = /^[0-9a-fA-F]{4}$/

/** As registers write it, and as what they sent is read again. */
export const LENIENT: JsonOptions = { trailingComma: true, comments: true }

/**
 * Reads one JSON document. Throws JsonError for anything else, and for nesting beyond the depth.
 */
export function parseJson(text: string, options: JsonOptions = {}): JsonValue {
  const reader = new Reader(text, options)
  if (!reader.read(options.values ?? Number.POSITIVE_INFINITY)) throw reader.tooMany()
  return reader.result
}

/** Values between two looks at the clock. */
const PIECE = 256

/** The same value or error in short pieces, with turns of others between them. */
export async function parseJsonInSlices(
  text: string,
  options: JsonOptions = {},
): Promise<JsonValue> {
  const reader = new Reader(text, options)
  let left = options.values ?? Number.POSITIVE_INFINITY
  await inSlices(() => {
    if (reader.read(Math.min(PIECE, left))) return true
    left -= PIECE
    if (left <= 0) throw reader.tooMany()
    return false
  })
  return reader.result
}

/** As parseJson; undefined for what is no JSON. */
export function jsonIn(text: string, options: JsonOptions = {}): JsonValue | undefined {
  try {
    return parseJson(text, options)
  } catch (error) {
    if (error instanceof JsonError) return undefined
    throw error
  }
}

/** The object in a text; undefined for every other text. */
export function objectIn(text: string | null, options: JsonOptions = {}): JsonObject | undefined {
  if (text === null || !(options.comments || text.trimStart().startsWith('{'))) return undefined
  const value = jsonIn(text, options)
  return value instanceof JsonObject ? value : undefined
}

/** Reads value after value, so that it can pause behind any of them. */
class Reader {
  private readonly text: string
  private readonly most: number | undefined
  private readonly depth: number
  private readonly trailingComma: boolean
  private readonly comments: boolean
  private readonly cleanText: boolean
  private at = 0
  /** Of the value that is read: a name or a place for each container around it. */
  private readonly path: (string | number)[] = []
  /** The containers around it, the outermost first. */
  private readonly around: (JsonObject | JsonValue[])[] = []
  /** Set when the document was read. */
  result: JsonValue = null

  constructor(text: string, options: JsonOptions) {
    this.text = text
    this.most = options.values
    this.depth = options.depth ?? 64
    this.comments = options.comments ?? false
    this.trailingComma = options.trailingComma ?? false
    this.cleanText = options.cleanText ?? false
  }

  /** Reads so many values at most; true behind the end of the document. */
  read(most: number): boolean {
    for (let count = 0; count < most; count += 1) {
      this.space()
      const code = this.code()
      const value =
        code === 0x7b || code === 0x5b ? this.container(code === 0x7b) : this.plain(code)
      if (value !== undefined && this.close(value)) return true
    }
    return false
  }

  tooMany(): JsonError {
    return this.fault(`more than ${this.most} values`)
  }

  private plain(code: number): JsonValue {
    if (code === 0x22) return this.string()
    if (code === 0x2d || (code >= 0x30 && code <= 0x39)) return this.number()
    if (this.text.startsWith('true', this.at)) return this.word(4, true)
    if (this.text.startsWith('false', this.at)) return this.word(5, false)
    if (this.text.startsWith('null', this.at)) return this.word(4, null)
    throw this.fault('expected a JSON value')
  }

  /** An empty one as it is; of others the values follow, and undefined is returned. */
  private container(isObject: boolean): JsonValue | undefined {
    if (this.around.length >= this.depth) {
      throw this.fault(`nested deeper than ${this.depth} levels`)
    }
    this.at += 1
    const made = isObject ? new JsonObject() : []
    if (this.closes(isObject ? 0x7d : 0x5d)) return made
    this.around.push(made)
    if (isObject) this.name()
    else this.path.push(0)
    return undefined
  }

  /** Puts a value in its place, and every container that ends with it; true at the outermost. */
  private close(read: JsonValue): boolean {
    let value = read
    for (;;) {
      const outer = this.around[this.around.length - 1]
      if (outer === undefined) return this.end(value)
      const place = this.path.pop()
      if (outer instanceof JsonObject) {
        outer.names.push(place as string)
        outer.values.push(value)
        if (this.more(0x7d)) {
          this.name()
          return false
        }
      } else {
        outer.push(value)
        if (this.more(0x5d)) {
          this.path.push(outer.length)
          return false
        }
      }
      this.around.pop()
      value = outer
    }
  }

  private end(value: JsonValue): boolean {
    this.space()
    if (this.at < this.text.length) throw this.fault('unexpected text after the JSON document')
    this.result = value
    return true
  }

  private name(): void {
    this.space()
    if (this.code() !== 0x22) throw this.fault('expected a member name')
    const name = this.string()
    this.space()
    if (this.code() !== 0x3a) throw this.fault('expected ":"')
    this.at += 1
    this.path.push(name)
  }

  private closes(bracket: number): boolean {
    this.space()
    if (this.text.charCodeAt(this.at) !== bracket) return false
    this.at += 1
    return true
  }

  /** After an element: true when another one follows, false after the closing bracket. */
  private more(bracket: number): boolean {
    if (this.closes(bracket)) return false
    if (this.text.charCodeAt(this.at) !== 0x2c)
      throw this.fault('expected "," or a closing bracket')
    this.at += 1
    return !(this.trailingComma && this.closes(bracket))
  }

  private number(): JsonNumber {
    const start = this.at
    if (this.code() === 0x2d) this.at += 1
    if (this.code() === 0x30) this.at += 1
    else this.digits()
    if (this.code() === 0x2e) {
      this.at += 1
      this.digits()
    }
    if ((this.code() | 0x20) === 0x65) {
      this.at += 1
      if (this.code() === 0x2b || this.code() === 0x2d) this.at += 1
      this.digits()
    }
    return new JsonNumber(this.text.slice(start, this.at))
  }

  private code(): number {
    return this.text.charCodeAt(this.at)
  }

  private digits(): void {
    const start = this.at
    let code = this.code()
    while (code >= 0x30 && code <= 0x39) {
      this.at += 1
      code = this.code()
    }
    if (this.at === start) throw this.fault('expected a digit')
  }

  private string(): string {
    const { text } = this
    const start = this.at + 1
    let end = start
    let long = start + LONG
    for (;;) {
      const code = text.charCodeAt(end)
      if (code === 0x22) break
      if (code === 0x5c) return this.escaped(start, end)
      if (code < 0x20) throw this.fault('control character in a string')
      if (Number.isNaN(code)) throw this.fault('a string is not closed')
      end += 1
      if (end !== long) continue
      end = this.plainEnd(end)
      long = -1
    }
    this.at = end + 1
    return text.slice(start, end)
  }

  /** Of a long string without escapes its end, found fast; the same place of any other. */
  private plainEnd(from: number): number {
    const end = this.text.indexOf('"', from)
    return end >= 0 && PLAIN.test(this.text.slice(from, end)) ? end : from
  }

  /** A string with an escape at `slash`; its end is the next quote that is not escaped. */
  private escaped(start: number, slash: number): string {
    const { text } = this
    let end = slash
    for (let code = 0x5c; code !== 0x22; code = text.charCodeAt(end)) {
      if (Number.isNaN(code)) throw this.fault('a string is not closed')
      end += code === 0x5c ? 2 : 1
    }
    const result = this.unescape(text.slice(start - 1, end + 1))
    this.at = end + 1
    return result
  }

  /** A million escapes take the program's own code longer than any other caller may wait. */
  private unescape(quoted: string): string {
    let result: string
    try {
      result = JSON.parse(quoted) as string
    } catch {
      throw this.fault(wrongIn(quoted))
    }
    if (this.cleanText) this.refuseStrange(result)
    return result
  }

  /**
   * Only an escape can bring such characters in: raw ones are malformed JSON or malformed UTF-8.
   */
  private refuseStrange(text: string): void {
    if (CONTROL_CHARACTER.test(text)) throw this.fault('control character in a string')
    if (!text.isWellFormed()) throw this.fault('half a surrogate pair in a string')
  }

  private word<T>(length: number, value: T): T {
    this.at += length
    return value
  }

  private space(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at)
      if (code === 0x2f && this.comments) this.comment()
      else if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      else this.at += 1
    }
  }

  private comment(): void {
    const { text, at } = this
    const sign = text[at + 1]
    if (sign === '/') {
      LINE_END.lastIndex = at
      this.at = LINE_END.exec(text)?.index ?? text.length
      return
    }
    const end = sign === '*' ? text.indexOf('*/', at + 2) : -1
    if (end < 0)
      throw this.fault(sign === '*' ? 'a comment is not closed' : 'expected a JSON value')
    this.at = end + 2
  }

  private fault(message: string): JsonError {
    return new JsonError(`${message} at position ${this.at}`, pathText(this.path), this.at)
  }
}

/** What is wrong with the first escape or character of a string that is not right. */
function wrongIn(quoted: string): string {
  for (let at = 0; at < quoted.length; at += 1) {
    const code = quoted.charCodeAt(at)
    if (code < 0x20) break
    if (code !== 0x5c) continue
    at += 1
    const sign = quoted.charAt(at)
    if (sign === 'u') {
      if (!HEX.test(quoted.slice(at + 1, at + 5))) return 'wrong \\u escape in a string'
      at += 4
    } else if (!ESCAPES.includes(sign)) return 'wrong escape in a string'
  }
  return 'control character in a string'
}

/** Longer names and paths are cut: a fault must not give the whole input back. */
const LONGEST_NAME = 64
const LONGEST_PATH = 200

function pathText(parts: readonly (string | number)[]): string {
  const text = parts.reduce<string>((path, part) => {
    if (typeof part === 'number') return `${path}[${part}]`
    const name = part.length > LONGEST_NAME ? `${part.slice(0, LONGEST_NAME)}…` : part
    return path === '' ? name : `${path}.${name}`
  }, '')
  return text.length > LONGEST_PATH ? `…${text.slice(-LONGEST_PATH)}` : text
}
