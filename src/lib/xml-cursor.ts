// Reads the usual form of a small XML document tag by tag, without an object for each element:
// start tags with namespaces and nil, end tags, and text. Whatever else it meets, a fault included,
// it leaves to xml-read.ts, which reads the whole document anew and says what is wrong.
import { isDeclarable, XSI } from './xml-names.js'

const DECLARATION =
  /<\?xml version=(["'])1\.\d\1(?: encoding=(["'])[A-Za-z][\w.-]*\2)?(?: standalone="yes")? ?\?>/y
const DECLARING = /^xmlns(?::[A-Za-z_][\w.-]*)?$/
/** More than any client writes into one tag. */
const MOST_ATTRIBUTES = 8

const LESS = 0x3c
const GREATER = 0x3e
const SLASH = 0x2f
const COLON = 0x3a

const START = 1
const FURTHER = 2
/** What each letter of ASCII may be in a name; a colon is told apart. */
const NAMES = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code)
  if (/[A-Za-z_]/.test(letter)) return START
  return /[0-9.-]/.test(letter) ? FURTHER : 0
})

const ENTITY = /&(?:amp|lt|gt|quot|apos);/g
const CHARACTERS: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
}

export class XmlCursor {
  /** Set once for all: from then on nothing that is read counts. */
  unusual = false
  /** Where the local name of the start tag that was read last begins and ends. */
  nameStart = 0
  nameEnd = 0
  /** Namespace of that name, '' for none. */
  uri = ''
  /** That tag ends its element as well. */
  isEmpty = false
  /** It says that the element is null. */
  isNil = false
  private rawStart = 0
  private at = 0
  /** Of each open element, where its name begins and ends, and how many prefixes are bound. */
  private readonly open: number[] = []
  private readonly prefixes: string[] = []
  private readonly uris: string[] = []

  constructor(readonly text: string) {
    DECLARATION.lastIndex = 0
    if (DECLARATION.test(text)) this.at = DECLARATION.lastIndex
    this.space()
  }

  /** Whether the start tag that was read last has this local name. */
  isNamed(name: string): boolean {
    const { nameStart, nameEnd } = this
    return nameEnd - nameStart === name.length && this.text.startsWith(name, nameStart)
  }

  /** Local name of the start tag that was read last. */
  name(): string {
    return this.text.slice(this.nameStart, this.nameEnd)
  }

  /** Reads a start tag; false before anything else, which is unusual unless it is an end tag. */
  opens(): boolean {
    const { text } = this
    let at = this.at + 1
    if (text.charCodeAt(this.at) !== LESS) return this.leave()
    if (text.charCodeAt(at) === SLASH) return false
    this.rawStart = at
    this.nameStart = at
    if (!this.startsName(at)) return this.leave()
    let code = text.charCodeAt(at)
    for (; isInName(code) || code === COLON; code = text.charCodeAt(at)) {
      at += 1
      if (code !== COLON) continue
      if (this.nameStart !== this.rawStart || !this.startsName(at)) return this.leave()
      this.nameStart = at
    }
    this.nameEnd = at
    this.isNil = false
    this.isEmpty = false
    const bound = this.prefixes.length
    if (code === GREATER) this.at = at + 1
    else if (!this.attributes(at)) return this.leave()
    const uri = this.bound(this.rawStart, Math.max(this.rawStart, this.nameStart - 1))
    if (uri === undefined && this.nameStart > this.rawStart) return this.leave()
    this.uri = uri ?? ''
    if (!this.isEmpty) this.open.push(this.rawStart, this.nameEnd, bound)
    else this.forget(bound)
    return true
  }

  /** Reads the end tag of the element that was opened last. */
  closes(): boolean {
    const { text, open } = this
    const bound = open.pop() ?? 0
    const end = open.pop() ?? 0
    let from = open.pop() ?? 0
    let at = this.at
    if (text.charCodeAt(at) !== LESS || text.charCodeAt(at + 1) !== SLASH) return this.leave()
    at += 2
    for (; from < end; from += 1, at += 1) {
      if (text.charCodeAt(from) !== text.charCodeAt(at)) return this.leave()
    }
    if (text.charCodeAt(at) !== GREATER) return this.leave()
    this.at = at + 1
    this.forget(bound)
    return true
  }

  /** Text up to the next tag. */
  content(): string {
    const { text, at: start } = this
    let at = start
    let isPlain = true
    for (let code = text.charCodeAt(at); code !== LESS; code = text.charCodeAt(at)) {
      // NaN behind the end is neither
      if (!(code >= 0x20 && code < 0xd800) && code !== 0x0a && code !== 0x09) return this.none()
      if (code === 0x26) isPlain = false
      // a text may not have `]]>`
      else if (code === GREATER && text.charCodeAt(at - 1) === 0x5d) return this.none()
      at += 1
    }
    this.at = at
    return isPlain ? text.slice(start, at) : this.unescaped(text.slice(start, at))
  }

  space(): void {
    while (isSpace(this.text.charCodeAt(this.at))) this.at += 1
  }

  /** Whether nothing but white space is left. */
  ends(): boolean {
    this.space()
    return this.at === this.text.length || this.leave()
  }

  leave(): false {
    this.unusual = true
    return false
  }

  private none(): string {
    this.unusual = true
    return ''
  }

  private unescaped(text: string): string {
    const rest = text.replace(ENTITY, '')
    if (rest.includes('&')) return this.none()
    return text.replace(ENTITY, (entity) => CHARACTERS[entity] ?? entity)
  }

  private startsName(at: number): boolean {
    const code = this.text.charCodeAt(at)
    return code < 128 && NAMES[code] === START
  }

  /** The namespace of a prefix that stands there. */
  private bound(start: number, end: number): string | undefined {
    for (let place = this.prefixes.length - 1; place >= 0; place -= 1) {
      const prefix = this.prefixes[place] ?? ''
      if (prefix.length === end - start && this.text.startsWith(prefix, start)) {
        return this.uris[place]
      }
    }
    return undefined
  }

  private forget(bound: number): void {
    if (this.prefixes.length === bound) return
    this.prefixes.length = bound
    this.uris.length = bound
  }

  /** Declarations and nil behind the name; to the end of the tag. */
  private attributes(from: number): boolean {
    const { text } = this
    const names: string[] = []
    let nil: string | undefined
    this.at = from
    for (;;) {
      const before = this.at
      this.space()
      const code = text.charCodeAt(this.at)
      if (code === GREATER || code === SLASH) break
      if (this.at === before || names.length === MOST_ATTRIBUTES) return false
      const name = this.attributeName()
      const value = this.attributeValue()
      if (value === undefined || names.includes(name)) return false
      names.push(name)
      if (name === 'xmlns' || name.startsWith('xmlns:')) {
        if (!DECLARING.test(name) || !this.declares(name.slice(6), value.trim())) return false
      } else if (nil === undefined && name.endsWith(':nil') && isTrue(value)) nil = name
      else return false
    }
    if (text.charCodeAt(this.at) === SLASH) {
      this.isEmpty = true
      this.at += 1
    }
    if (text.charCodeAt(this.at) !== GREATER) return false
    this.at += 1
    this.isNil = nil !== undefined
    return nil === undefined || this.isXsi(nil.slice(0, -4))
  }

  /** '' for what is none. */
  private attributeName(): string {
    const start = this.at
    while (isInName(this.text.charCodeAt(this.at)) || this.text.charCodeAt(this.at) === COLON) {
      this.at += 1
    }
    return this.text.slice(start, this.at)
  }

  private attributeValue(): string | undefined {
    const { text } = this
    const quote = text.charCodeAt(this.at + 1)
    if (text.charCodeAt(this.at) !== 0x3d || (quote !== 0x22 && quote !== 0x27)) return undefined
    const start = this.at + 2
    let at = start
    for (let code = text.charCodeAt(at); code !== quote; code = text.charCodeAt(at)) {
      if (!(code >= 0x20 && code < 0x7f) || code === 0x26 || code === LESS) return undefined
      at += 1
    }
    this.at = at + 1
    return text.slice(start, at)
  }

  private declares(prefix: string, uri: string): boolean {
    if (!isDeclarable(prefix, uri)) return false
    this.prefixes.push(prefix)
    this.uris.push(uri)
    return true
  }

  private isXsi(prefix: string): boolean {
    const place = this.prefixes.lastIndexOf(prefix)
    return prefix !== '' && this.uris[place] === XSI
  }
}

function isInName(code: number): boolean {
  return code < 128 && NAMES[code] !== 0
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

const isTrue = (value: string): boolean => value.trim() === 'true' || value.trim() === '1'
