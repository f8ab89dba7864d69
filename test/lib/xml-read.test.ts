// The XML reader: what it reads, what it refuses, and that neither costs much.
import { describe, expect, it } from 'vitest'
import { childOf, isNil, parseXml, XmlError, xmlText } from '../../src/lib/xml-read.js'
import { workedSince } from '../support/cpu-time.js'

describe('a document', () => {
  it('is read by local names, whatever the prefixes are', () => {
    const root = parseXml('<x:a xmlns:x="urn:1"><b xmlns="urn:2">1</b><x:c>2</x:c><!-- - --></x:a>')
    expect([root.name, root.uri]).toEqual(['a', 'urn:1'])
    expect(root.children.map(({ name, uri, text }) => [name, uri, text])).toEqual([
      ['b', 'urn:2', '1'],
      ['c', 'urn:1', '2'],
    ])
    expect(childOf(root, 'C')?.text).toBe('2')
  })

  it('keeps text exactly: entities, character references, CDATA, blanks', () => {
    const root = parseXml('<a> &lt;&amp;&#13;&#x1F30D;<![CDATA[<b>&amp;</b>]]>\t\n</a>')
    expect(root.text).toBe(' <&\r\u{1f30d}<b>&amp;</b>\t\n')
  })

  it('says what is nil, and only in its namespace', () => {
    const xsi = 'xmlns:i="http://www.w3.org/2001/XMLSchema-instance"'
    expect(isNil(parseXml(`<a ${xsi} i:nil="true"/>`))).toBe(true)
    expect(isNil(parseXml(`<a ${xsi} i:nil=" 1 "/>`))).toBe(true)
    expect(isNil(parseXml(`<a ${xsi} i:nil="false"/>`))).toBe(false)
    expect(isNil(parseXml('<a nil="true"/>'))).toBe(false)
  })
})

describe('refused', () => {
  const bombs: [string, string, string][] = [
    ['an open element', '<a><b></a>', 'close tag'],
    ['nothing', '   ', 'root element'],
    ['two roots', '<a/><b/>', 'only one root'],
    ['text outside', '<a/>x', 'outside of root'],
    ['an unknown prefix', '<x:a/>', 'prefix'],
    ['an unknown entity', '<a>&nbsp;</a>', 'entity'],
    ['a document type', '<!DOCTYPE a><a/>', 'DOCTYPE'],
    ['a document type with entities', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'DOCTYPE'],
    [
      'a document type behind others',
      '<?xml version="1.0"?> <!-- < --><!DOCTYPE a><a/>',
      'DOCTYPE',
    ],
    ['a document type inside', '<a><!DOCTYPE a></a>', 'doctype'],
    ['a control character', '<a>\u0001</a>', 'disallowed'],
    ['a control character by reference', '<a>&#1;</a>', 'character entity'],
    ['a control character of XML 1.1', '<?xml version="1.1"?><a>&#1;</a>', 'character entity'],
    ['half a pair by reference', '<a>&#xD800;</a>', 'character entity'],
    ['a doubled attribute', '<a b="1" b="2"/>', 'attribute'],
    ['depth', `${'<a>'.repeat(65)}${'</a>'.repeat(65)}`, 'deeper than 64'],
    ['elements', `<a>${'<b/>'.repeat(100_000)}</a>`, '100000 elements'],
    [
      'attributes',
      `<a ${'x '.repeat(65).replace(/x /g, () => `a${Math.random()}="" `)}/>`,
      '64 attr',
    ],
    [
      'namespaces',
      `<a ${Array.from({ length: 65 }, (_, n) => `xmlns:a${n}="u"`).join(' ')}/>`,
      '64',
    ],
  ]

  it.each(bombs)('%s', (_name, text, reason) => {
    expect(() => parseXml(text)).toThrow(XmlError)
    expect(() => parseXml(text)).toThrow(reason)
  })

  it('two megabytes of anything within a second, with a short reason', () => {
    const long = 'x'.repeat(2_000_000)
    const many = Array.from({ length: 300_000 }, (_, n) => `a${n}=""`).join(' ')
    const texts = [
      `<${long}>`,
      `<a ${long}="1">`,
      `<a b="${long}">`,
      `<a>&${long};</a>`,
      `<a ${many}/>`,
      '<a>'.repeat(600_000),
      `<!-- <a> --><!DOCTYPE a [${'<!ENTITY b "c">'.repeat(130_000)}]><a/>`,
      `<a>${'&amp;'.repeat(400_000)}`,
      `<!--${'-'.repeat(2_000_000)}`,
    ]
    for (const text of texts) {
      const from = process.cpuUsage()
      let reason = ''
      try {
        parseXml(text)
      } catch (error) {
        reason = String(error)
      }
      expect(reason, text.slice(0, 20)).toMatch(/^XmlError: .{1,250}$/s)
      expect(workedSince(from), text.slice(0, 20)).toBeLessThan(1)
    }
  })
})

describe('bytes', () => {
  const text = '<?xml version="1.0" encoding="utf-16"?><a>ä€🌍</a>'
  const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16()

  it.each<[string, Buffer]>([
    ['UTF-8, although UTF-16 is declared', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 with a mark, little end first', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 with a mark, big end first', swapped(Buffer.from(`\ufeff${text}`, 'utf16le'))],
    ['UTF-16 without a mark, little end first', Buffer.from(text, 'utf16le')],
    ['UTF-16 without a mark, big end first', swapped(Buffer.from(text, 'utf16le'))],
  ])('%s', (_name, bytes) => {
    expect(xmlText(bytes)).toBe(text)
  })

  it.each<[string, Buffer]>([
    ['Latin-1', Buffer.from('<a>\xe4</a>', 'latin1')],
    ['an odd number of bytes of UTF-16', Buffer.from('\ufeff<a/>', 'utf16le').subarray(0, -1)],
    ['half a pair in UTF-16', Buffer.from('\ufeff<a>\ud800</a>', 'utf16le')],
    ['UTF-8 cut in a character', Buffer.from('<a>ä').subarray(0, -1)],
  ])('%s is none', (_name, bytes) => {
    expect(xmlText(bytes)).toBeUndefined()
  })
})
