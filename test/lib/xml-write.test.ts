// The XML writer: what it writes is read back the same by two readers that are not its own.
import fc from 'fast-check'
import { XMLParser } from 'fast-xml-parser'
import { describe, expect, it } from 'vitest'
import { parseXml, type XmlElement } from '../../src/lib/xml-read.js'
import { element, escapeXml, type XmlTree } from '../../src/lib/xml-write.js'

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const impossible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('&', '<', '>', '"', "'", '\r', '\n', '\u0001', ']]>', 'ä') }),
)
const name = fc.constantFrom('a', 'b', 'c', 'x:d')

interface Node {
  name: string
  attributes: Record<string, string>
  content: string | Node[]
}

const leaf: fc.Arbitrary<Node> = fc.record({
  name,
  attributes: fc.dictionary(fc.constantFrom('k', 'l'), text),
  content: text,
})
const branch = (inside: fc.Arbitrary<Node>): fc.Arbitrary<Node> =>
  fc.record({
    name,
    attributes: fc.dictionary(fc.constantFrom('k', 'l'), text),
    content: fc.uniqueArray(inside, { selector: (one) => one.name, minLength: 1, maxLength: 3 }),
  })

function treeOf({ attributes, content }: Node): XmlTree {
  const given = Object.entries(attributes).map(([key, value]) => [`@${key}`, value])
  if (typeof content === 'string') return Object.fromEntries([...given, ['#text', content]])
  return Object.fromEntries([...given, ...content.map((one) => [one.name, treeOf(one)])])
}

/** XML has no way to say some characters. */
const sayable = (value: string) => value.replace(impossible, '\ufffd')

function expected(node: Node): unknown {
  return {
    name: node.name.split(':').at(-1),
    attributes: Object.fromEntries(
      Object.entries(node.attributes).map(([key, value]) => [
        key,
        // line feeds and tabs in attributes are blanks to every reader
        sayable(value).replace(/[\n\t]/g, ' '),
      ]),
    ),
    content: typeof node.content === 'string' ? sayable(node.content) : node.content.map(expected),
  }
}

function read(found: XmlElement): unknown {
  return {
    name: found.name,
    attributes: Object.fromEntries(found.attributes.map((one) => [one.name, one.value])),
    content: found.children.length > 0 ? found.children.map(read) : found.text,
  }
}

describe('an element', () => {
  it('is read back as it was given, whatever the texts are', () => {
    fc.assert(
      fc.property(branch(fc.oneof(leaf, branch(leaf))), (node) => {
        const written = element('root', { '@xmlns:x': 'urn:x', inside: treeOf(node) })
        const [root] = parseXml(written).children
        expect(root && read(root)).toEqual({ ...Object(expected(node)), name: 'inside' })
      }),
    )
  })

  it('has its attributes, texts and lists in order, by another reader', () => {
    const written = element('a', { b: ['1', { '@c': '2"', d: '<3>' }, ''], '@e': '4', f: '' })
    const parser = new XMLParser({ ignoreAttributes: false, parseTagValue: false })
    expect(parser.parse(written)).toEqual({
      a: { '@_e': '4', b: ['1', { '@_c': '2"', d: '<3>' }, ''], f: '' },
    })
  })
})

describe('escaping', () => {
  it('leaves nothing that a reader would take for markup or would change', () => {
    fc.assert(
      fc.property(text, (given) => {
        const escaped = escapeXml(given)
        expect(escaped).not.toMatch(/[<>"\r]|&(?!(amp|lt|gt|quot|#13);)/)
        expect(parseXml(`<a>${escaped}</a>`).text).toBe(sayable(given))
      }),
    )
  })
})
