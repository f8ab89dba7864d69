// A stored answer in its data contract form: the text that response-json.ts has written becomes
// elements in one pass, without an object for each member. Every other text (of an older program,
// or with items) is read as a response, and its tree is written.
import { parseMoment } from '../lib/moment.js'
import { isoText } from '../lib/ticks.js'
import { childrenText, escapeXml } from '../lib/xml-write.js'
import { type Field, responseFields, signatureFields } from './receipt-fields.js'
import { ARRAY_NAMESPACE, ITEM_FORMS, prefixedResponseTree, responseTree } from './receipt-xml.js'
import { camelName } from './response-json.js'
import { decodeResponse } from './stored-texts.js'

/** Of the names of all members: none, or the one of `prefixedResponseTree`. */
export type Prefix = '' | 'a:'

/** What is inside of the element of the response. Throws as decodeResponse. */
export function responseMembers(text: string, prefix: Prefix): string {
  return usualMembers(text, prefix) ?? anyMembers(text, prefix)
}

/** The same in the thorough way, which knows every form. */
export function anyMembers(text: string, prefix: Prefix): string {
  const treeOf = prefix === '' ? responseTree : prefixedResponseTree
  return childrenText(treeOf(decodeResponse(text)))
}

/** undefined for whatever is not usual. */
export function usualMembers(text: string, prefix: Prefix): string | undefined {
  const writer = new UsualWriter(text, prefix)
  return writer.document() ? writer.xml : undefined
}

/** A member as the text begins it, and as it is written. */
interface Member {
  kind: Field<never>['kind']
  /** Left out where it is null. */
  isOptional: boolean
  mayBeNull: boolean
  first: Spellings
  further: Spellings
  name: string
}

/** The name in JSON: of items there are two forms. */
interface Spellings {
  camel: string
  pascal: string
}

function membersOf(fields: readonly unknown[], camel: (name: string) => string): Member[] {
  return (fields as readonly Field<never>[]).map(({ name, kind, optional = false, missing }) => ({
    ...{ kind, name, isOptional: optional, mayBeNull: missing === 'null' && !optional },
    first: { camel: `{"${camel(name)}":`, pascal: `{"${name}":` },
    further: { camel: `,"${camel(name)}":`, pascal: `,"${name}":` },
  }))
}

const responseTable = membersOf(responseFields, (name) => name)
const signatureTable = membersOf(signatureFields, camelName)
const SIGNATURE = ITEM_FORMS.signatures?.element ?? ''

/** Neither JSON nor XML has to escape anything of it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const PLAIN = /^[^\\&<>"\u0000-\u001f\ufffe\uffff]*$/
/** Below the ends of 64 bits, and as BigInt writes it. */
const WORD = /(?:0|-?[1-9]\d{0,17}|-?[1-8]\d{18})(?=[,}])/y

class UsualWriter {
  xml = ''
  private at = 0

  constructor(
    private readonly text: string,
    private readonly prefix: Prefix,
  ) {}

  /** Whether all of it could be written. */
  document(): boolean {
    return this.object(responseTable) && this.at === this.text.length
  }

  private object(table: readonly Member[]): boolean {
    let isFirst = true
    for (const member of table) {
      if (!this.begins(isFirst ? member.first : member.further)) {
        if (!member.isOptional) return false
        continue
      }
      isFirst = false
      if (!this.member(member)) return false
    }
    return this.takes('}')
  }

  private begins({ camel, pascal }: Spellings): boolean {
    return this.takes(camel) || (camel !== pascal && this.takes(pascal))
  }

  private takes(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false
    this.at += word.length
    return true
  }

  private member({ kind, name, mayBeNull }: Member): boolean {
    const named = this.prefix + name
    if (mayBeNull && this.takes('null')) {
      this.xml += `<${named} i:nil="true"></${named}>`
      return true
    }
    if (kind === 'texts') return this.texts(named)
    if (kind === 'signatures') return this.signatures(named)
    const text = this.plain(kind)
    if (text === undefined) return false
    this.xml += `<${named}>${text}</${named}>`
    return true
  }

  private plain(kind: Member['kind']): string | undefined {
    switch (kind) {
      case 'text':
        return this.escaped()
      case 'guid':
        return this.string()?.toLowerCase() || undefined
      case 'moment':
        return this.moment()
      case 'int64':
        return this.word()
      default:
        return undefined
    }
  }

  private texts(named: string): boolean {
    if (!this.takes('[')) return false
    if (this.takes(']')) {
      this.xml += `<${named}></${named}>`
      return true
    }
    this.xml += `<${named} xmlns:b="${ARRAY_NAMESPACE}">`
    do {
      const text = this.escaped()
      if (text === undefined) return false
      this.xml += `<b:string>${text}</b:string>`
    } while (this.takes(','))
    this.xml += `</${named}>`
    return this.takes(']')
  }

  private signatures(named: string): boolean {
    if (!this.takes('[')) return false
    const item = this.prefix + SIGNATURE
    this.xml += `<${named}>`
    if (!this.takes(']')) {
      do {
        this.xml += `<${item}>`
        if (!this.object(signatureTable)) return false
        this.xml += `</${item}>`
      } while (this.takes(','))
      if (!this.takes(']')) return false
    }
    this.xml += `</${named}>`
    return true
  }

  private word(): string | undefined {
    WORD.lastIndex = this.at
    if (!WORD.test(this.text)) return undefined
    const start = this.at
    this.at = WORD.lastIndex
    return this.text.slice(start, this.at)
  }

  private moment(): string | undefined {
    const text = this.string()
    const date = text === undefined ? undefined : parseMoment(text)?.date
    return date && isoText(date)
  }

  /** One that needs no escape. */
  private string(): string | undefined {
    const { text, at } = this
    const end = text.indexOf('"', at + 1)
    if (text.charCodeAt(at) !== 0x22 || end < 0) return undefined
    const found = text.slice(at + 1, end)
    if (!PLAIN.test(found)) return undefined
    this.at = end + 1
    return found
  }

  private escaped(): string | undefined {
    const plain = this.string()
    if (plain !== undefined) return plain
    const { text, at } = this
    if (text.charCodeAt(at) !== 0x22) return undefined
    let end = at + 1
    for (let code = text.charCodeAt(end); code !== 0x22; code = text.charCodeAt(end)) {
      if (Number.isNaN(code)) return undefined
      end += code === 0x5c ? 2 : 1
    }
    const quoted = text.slice(at, end + 1)
    this.at = end + 1
    return unquoted(quoted)
  }
}

function unquoted(quoted: string): string | undefined {
  try {
    return escapeXml(JSON.parse(quoted) as string)
  } catch {
    return undefined
  }
}
