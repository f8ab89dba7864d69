// The text of a template: taken out of a body that is often no strict JSON, and filled with values
// before it is parsed.
import { jsonIn } from '../../../lib/json.js'

const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/**
 * What a body holds: the content of a JSON string, or the body itself. Published senders leave raw
 * line breaks and tabs in the string, so what is no strict JSON is unescaped by hand.
 */
export function templateText(body: string): string {
  const text = body.replace(/^\ufeff/, '').trim()
  if (!text.startsWith('"')) return text
  const strict = jsonIn(text)
  if (typeof strict === 'string') return strict.replace(/^\ufeff/, '')
  if (text.length < 2 || !text.endsWith('"')) return text
  return text
    .slice(1, -1)
    .replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (_, hex: string | undefined, sign: string) =>
      hex === undefined ? (ESCAPES[sign] ?? sign) : String.fromCharCode(Number.parseInt(hex, 16)),
    )
}

export interface Filled {
  /** Without comments. */
  text: string
  /** Names without a value, each once. */
  missing: string[]
}

const VARIABLE = /\|\[([^\]|\r\n]{1,200})\]\|/y

/**
 * The text with a value for each `|[name]|`. Inside a string the value is escaped, twice inside a
 * string that holds JSON; elsewhere it is inserted as it is, so that it can be a number.
 */
export function filled(text: string, valueFor: (name: string) => string | undefined): Filled {
  const scanner = new Scanner(text, valueFor)
  return scanner.run()
}

class Scanner {
  private readonly text: string
  private readonly valueFor: (name: string) => string | undefined
  private readonly missing = new Set<string>()
  private out = ''
  private at = 0
  private inString = false
  /** Of the JSON that a string holds. */
  private inner = { inString: false, escaped: false }

  constructor(text: string, valueFor: (name: string) => string | undefined) {
    this.text = text
    this.valueFor = valueFor
  }

  run(): Filled {
    while (this.at < this.text.length) {
      if (this.variable()) continue
      if (this.inString) this.inside()
      else this.outside()
    }
    return { text: this.out, missing: [...this.missing] }
  }

  private variable(): boolean {
    VARIABLE.lastIndex = this.at
    const found = VARIABLE.exec(this.text)
    const name = found?.[1]
    if (found === null || name === undefined) return false
    const value = this.valueFor(name.trim())
    if (value === undefined) this.missing.add(name.trim())
    this.out += this.escaped(value ?? '')
    this.at += found[0].length
    return true
  }

  private escaped(value: string): string {
    if (!this.inString) return value
    const once = JSON.stringify(value).slice(1, -1)
    return this.inner.inString ? JSON.stringify(once).slice(1, -1) : once
  }

  private outside(): void {
    const two = this.text.slice(this.at, this.at + 2)
    if (two === '//') this.skipTo('\n', 0)
    else if (two === '/*') this.skipTo('*/', 2)
    else if (this.take(1) === '"') {
      this.inString = true
      this.inner = { inString: false, escaped: false }
    }
  }

  private inside(): void {
    const sign = this.take(1)
    if (sign === '"') {
      this.inString = false
      return
    }
    this.follow(sign === '\\' ? this.take(1) : sign)
  }

  /** Quotes within quotes: `"[\"…\"]"`. */
  private follow(sign: string): void {
    const { inner } = this
    if (inner.escaped) inner.escaped = false
    else if (inner.inString && sign === '\\') inner.escaped = true
    else if (sign === '"') inner.inString = !inner.inString
  }

  private take(count: number): string {
    const part = this.text.slice(this.at, this.at + count)
    this.out += part
    this.at += count
    return part
  }

  private skipTo(end: string, length: number): void {
    const found = this.text.indexOf(end, this.at + 2)
    this.at = found < 0 ? this.text.length : found + length
  }
}
