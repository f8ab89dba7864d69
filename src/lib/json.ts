// A JSON reader that keeps every number exactly as it was written, and finds doubled properties.
// JSON.parse would turn the case word 4707387510509010945 into …944. Called by the wire codecs.

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

/** Why a text is no JSON; `path`: the member being read (`cbPayItems[1].Amount`), '' at the top. */
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
  /** Accept one comma before a closing bracket, as the field's older hosts do. */
  trailingComma?: boolean
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for raw control characters
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

/** Reads one JSON document. Throws JsonError for anything else and for too deep nesting. */
export function parseJson(text: string, options: JsonOptions = {}): JsonValue {
  const reader = new Reader(text, options)
  const value = reader.value(0)
  reader.end()
  return value
}

class Reader {
  private readonly text: string
  private readonly depth: number
  private readonly trailingComma: boolean
  private at = 0
  private readonly path: (string | number)[] = []

  constructor(text: string, options: JsonOptions) {
    this.text = text
    this.depth = options.depth ?? 64
    this.trailingComma = options.trailingComma ?? false
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
    NUMBER.lastIndex = this.at
    const found = NUMBER.exec(this.text)
    if (found === null) throw this.fault('expected a number')
    this.at += found[0].length
    return new JsonNumber(found[0])
  }

  private string(): string {
    const start = this.at + 1
    let end = this.text.indexOf('"', start)
    if (end < 0) throw this.fault('a string is not closed')
    const plain = this.text.slice(start, end)
    if (PLAIN.test(plain)) {
      this.at = end + 1
      return plain
    }
    while (this.backslashesBefore(end) % 2 === 1) {
      end = this.text.indexOf('"', end + 1)
      if (end < 0) throw this.fault('a string is not closed')
    }
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
      const letter = raw.charAt(at + 1)
      if (letter === 'u') {
        const hex = raw.slice(at + 2, at + 6)
        if (!/^[0-9a-fA-F]{4}$/.test(hex)) throw this.fault('wrong \\u escape in a string')
        result += String.fromCharCode(Number.parseInt(hex, 16))
        from = at + 6
      } else {
        const plain = ESCAPES[letter]
        if (plain === undefined) throw this.fault('wrong escape in a string')
        result += plain
        from = at + 2
      }
    }
    return result + this.literal(raw.slice(from))
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
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.at += 1
    }
  }

  private fault(message: string): JsonError {
    const path = this.path.reduce<string>(
      (text, part) =>
        typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`,
      '',
    )
    return new JsonError(`${message} at position ${this.at}`, path, this.at)
  }
}
