// Elements, escaped so that every character comes back as it was.

export type XmlValue = string | XmlTree | readonly (string | XmlTree)[]

/**
 * Elements in their order; names that begin with @ are attributes, #text is text beside them, a
 * list repeats its element, and what is undefined is left out.
 */
export interface XmlTree {
  [name: string]: XmlValue | undefined
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // readers turn a bare carriage return into a line feed
  '\r': '&#13;',
}
// Everything that is no character of XML 1.0, not even as a reference.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const IMPOSSIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const SPECIAL = /[&<>"\u0000-\u0008\u000b-\u001f\ufffe\uffff]/

/** As text of an element or value of an attribute in double quotes. */
export function escapeXml(text: string): string {
  if (!SPECIAL.test(text)) return text
  return text
    .replace(IMPOSSIBLE, '\ufffd')
    .replace(/[&<>"\r]/g, (character) => ENTITIES[character] ?? character)
}

/**
 * One element with its content. What XML cannot say becomes the replacement character. Names are
 * written as they are: they come from tables, never from a caller.
 */
export function element(name: string, content: XmlTree | string): string {
  if (typeof content === 'string') return `<${name}>${escapeXml(content)}</${name}>`
  let attributes = ''
  let inside = ''
  for (const key of Object.keys(content)) {
    const member = content[key]
    if (member === undefined) continue
    if (typeof member === 'string' && key.startsWith('@')) {
      attributes += ` ${key.slice(1)}="${escapeXml(member)}"`
    } else if (key === '#text') inside += escapeXml(String(member))
    else inside += elements(key, member)
  }
  return `<${name}${attributes}>${inside}</${name}>`
}

/** The elements inside of one with this content. */
export function childrenText(content: XmlTree): string {
  let inside = ''
  for (const key of Object.keys(content)) {
    const member = content[key]
    if (member !== undefined && !key.startsWith('@')) inside += elements(key, member)
  }
  return inside
}

function elements(name: string, content: XmlValue): string {
  if (!isList(content)) return element(name, content)
  let texts = ''
  for (const one of content) texts += element(name, one)
  return texts
}

function isList(content: XmlValue): content is readonly (string | XmlTree)[] {
  return Array.isArray(content)
}

/** These members alone, in this order. */
export const inOrder = (names: readonly string[], members: XmlTree): XmlTree =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = members[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** A text that is left out where it is empty. */
export const unlessEmpty = (text: string): string | undefined => (text === '' ? undefined : text)

/** Whether every character of the text can stand in XML. */
export function isXmlText(text: string): boolean {
  IMPOSSIBLE.lastIndex = 0
  return !IMPOSSIBLE.test(text)
}
