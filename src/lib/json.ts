// A JSON reader that keeps every number exactly as it was written, and finds doubled properties.
// JSON.parse would turn the case word 4707387510509010945 into …944. Called by the wire codecs.
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
}

const LINE_END = /[\n\r]/g

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const PLAIN = /^[^\\\u0000-\u001f]*$/
const ESCAPES: Record<string, string> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** As registers write it, and as what they sent is read again. */
export const LENIENT: JsonOptions = { trailingComma: true, comments: true }

/**
 * Reads one JSON document. Throws JsonError for anything else, and for nesting beyond the depth.
 */
export function parseJson(text: string, options: JsonOptions = {}): JsonValue {
  const reader = new Reader(text, options)
  const value = reader.value(0)
  reader.end()
  return value
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

class Reader {
  private readonly text: string
  private readonly depth: number
  private readonly trailingComma: boolean
  private readonly comments: boolean
  private readonly cleanText: boolean
  private at = 0
  private readonly path: (string | number)[] = []

  constructor(text: string, options: JsonOptions) {
    this.text = text
    this.depth = options.depth ?? 64
    this.comments = options.comments ?? false
    this.trailingComma = options.trailingComma ?? false
    this.cleanText = options.cleanText ?? false
  }

  value(level: number): JsonValue {
    this.space()
    const code = this.text.charCodeAt(this.at)
    if (code === 0x22) return this.string()
    if (code === 0x7b) return this.object(level + 1)
    if (code === 0x5b) return this.array(level + 1)
    if (code === 0x2d || (code >= 0x30 && code <= 0x39)) return this.number()
    if (this.text.startsWith('true', this.at)) return this.word(4, true)
    if (this.text.startsWith('false', this.at)) return this.word(5, false)
    if (this.text.startsWith('null', this.at)) return this.word(4, null)
    throw this.fault('expected a JSON value')
  }

  end(): void {
    this.space()
    if (this.at < this.text.length) throw this.fault('unexpected text after the JSON document')
  }

  private object(level: number): JsonObject {
    this.enter(level)
    const result = new JsonObject()
    if (this.closes(0x7d)) return result
    for (;;) {
      this.space()
      if (this.text.charCodeAt(this.at) !== 0x22) throw this.fault('expected a member name')
      const name = this.string()
      this.space()
      if (this.text.charCodeAt(this.at) !== 0x3a) throw this.fault('expected ":"')
      this.at += 1
      this.path.push(name)
      const value = this.value(level)
      this.path.pop()
      result.names.push(name)
      result.values.push(value)
      if (!this.more(0x7d)) return result
    }
  }

  private array(level: number): JsonValue[] {
    this.enter(level)
    const result: JsonValue[] = []
    if (this.closes(0x5d)) return result
    for (;;) {
      this.path.push(result.length)
      result.push(this.value(level))
      this.path.pop()
      if (!this.more(0x5d)) return result
    }
  }

  private enter(level: number): void {
    if (level > this.depth) throw this.fault(`nested deeper than ${this.depth} levels`)
    this.at += 1
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
    for (;;) {
      const code = text.charCodeAt(end)
      if (code === 0x22) break
      if (code === 0x5c) return this.escaped(start, end)
      if (code < 0x20) throw this.fault('control character in a string')
      if (Number.isNaN(code)) throw this.fault('a string is not closed')
      end += 1
    }
    this.at = end + 1
    return text.slice(start, end)
  }

  /** A string with an escape at `slash`; its end is the next quote that is not escaped. */
  private escaped(start: number, slash: number): string {
    let end = this.text.indexOf('"', slash)
    while (end >= 0 && this.backslashesBefore(end) % 2 === 1) end = this.text.indexOf('"', end + 1)
    if (end < 0) throw this.fault('a string is not closed')
    const result = this.unescape(this.text.slice(start, end))
    this.at = end + 1
    return result
  }

  private backslashesBefore(position: number): number {
    let count = 0
    while (this.text.charCodeAt(position - 1 - count) === 0x5c) count += 1
    return count
  }

  private unescape(raw: string): string {
    let result = ''
    let from = 0
    for (let at = raw.indexOf('\\'); at >= 0; at = raw.indexOf('\\', from)) {
      result += this.literal(raw.slice(from, at))
      const sign = raw.charAt(at + 1)
      if (sign === 'u') {
        const hex = raw.slice(at + 2, at + 6)
        if (!/^[0-9a-fA-F]{4}$/.test(hex)) throw this.fault('wrong \\u escape in a string')
        result += String.fromCharCode(Number.parseInt(hex, 16))
        from = at + 6
      } else {
        const plain = ESCAPES[sign]
        if (plain === undefined) throw this.fault('wrong escape in a string')
        result += plain
        from = at + 2
      }
    }
    result += this.literal(raw.slice(from))
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

  private literal(part: string): string {
    if (!PLAIN.test(part)) throw this.fault('control character in a string')
    return part
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
