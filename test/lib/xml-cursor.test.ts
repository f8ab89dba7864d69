// The quick way through a document: what it takes, the strict parser reads as the same elements.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { XmlCursor } from '../../src/lib/xml-cursor.js'
import { isNil, parseXml, type XmlElement } from '../../src/lib/xml-read.js'

interface Node {
  name: string
  uri: string
  isNil: boolean
  text: string
  children: Node[]
}

/** Elements with elements, or with text; undefined for whatever is unusual. */
function walked(text: string): Node | undefined {
  const cursor = new XmlCursor(text)
  const node = cursor.opens() ? nodeAt(cursor) : undefined
  return cursor.ends() && !cursor.unusual ? node : undefined
}

function nodeAt(cursor: XmlCursor): Node {
  const node: Node = {
    ...{ name: cursor.name(), uri: cursor.uri, isNil: cursor.isNil, text: '', children: [] },
  }
  if (cursor.isEmpty) return node
  node.text = cursor.content()
  while (cursor.opens()) {
    node.children.push(nodeAt(cursor))
    node.text += cursor.content()
  }
  if (!cursor.unusual) cursor.closes()
  return node
}

function parsed(text: string): Node | undefined {
  const node = (element: XmlElement): Node => ({
    ...{ name: element.name, uri: element.uri, isNil: isNil(element), text: element.text },
    children: element.children.map(node),
  })
  try {
    return node(parseXml(text))
  } catch {
    return undefined
  }
}

const XSI = 'http://www.w3.org/2001/XMLSchema-instance'
const USUAL = [
  '<a/>',
  "<?xml version='1.0' encoding='utf-8'?>\r\n<a xmlns='urn:1'/>",
  `<?xml version="1.0" encoding="utf-8"?><a xmlns:b="${XSI}" b:nil="true"></a>\n`,
  `<s:a xmlns:s="urn:s" xmlns:i="${XSI}"><b xmlns="urn:b">\n<c i:nil="1"/>` +
    '<s:d>1 &lt; 2</s:d></b></s:a>',
  '<p:a xmlns:p="urn:1"><p:a xmlns:p="urn:2"><p:b/></p:a><p:b>ä&amp;&quot;&apos;&gt;</p:b></p:a>',
  '<a xmlns="urn:1"><b xmlns=""><c/></b><b>]] ></b>\t</a>',
]

const piece = fc.oneof(
  fc.constantFrom(...'<>/&;:="\' \n\r]-.9äaps', 'p:', ' xmlns:p="urn:3"', ' x="1"', '<!--x-->'),
  fc.constantFrom('<![CDATA[x]]>', ']]>', '&#65;', '<?x?>', '\u0000', '😀', '\u0085', '\ufffe'),
  fc.constantFrom(' xmlns="urn:4"', ' xmlns:p=""', ' p:nil="true"', ' i:nil=" true "', '<p:b/>'),
  fc.constantFrom('<!DOCTYPE a>', '</a>', '<a>', ' xmlns:xml="urn:5"', ' xmlns:q="urn:&lt;"'),
)
const change = fc.record({ at: fc.nat(), gone: fc.nat(6), piece })

describe('the quick way through a document', () => {
  it.each(USUAL)('takes %s', (text) => {
    expect(walked(text)).toBeDefined()
    expect(walked(text)).toEqual(parsed(text))
  })

  it('reads of a broken document what the parser reads, or nothing', () => {
    let taken = 0
    fc.assert(
      fc.property(
        fc.constantFrom(...USUAL),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        (text, changes) => {
          const broken = changes.reduce((whole, { at, gone, piece }) => {
            const start = at % whole.length
            return whole.slice(0, start) + piece + whole.slice(start + gone) || ' '
          }, text)
          const quick = walked(broken)
          if (quick === undefined) return
          taken += 1
          expect(quick).toEqual(parsed(broken))
        },
      ),
      { numRuns: 20_000 },
    )
    expect(taken).toBeGreaterThan(200)
  })

  it.each([
    ['a document type', '<!DOCTYPE a><a/>'],
    ['a comment', '<a><!--x--></a>'],
    ['CDATA', '<a><![CDATA[x]]></a>'],
    ['a processing instruction', '<a><?x?></a>'],
    ['a reference by number', '<a>&#13;</a>'],
    ['an unknown entity', '<a>&x;</a>'],
    ['a carriage return in a text', '<a>x\r\n</a>'],
    ['a character that XML cannot have', '<a>\u0001</a>'],
    ['the end of CDATA in a text', '<a>]]></a>'],
    ['an attribute of another kind', '<a x="1"/>'],
    ['an attribute twice', '<a xmlns:b="urn:b" xmlns:b="urn:b"/>'],
    ['an unbound prefix', '<b:a/>'],
    ['a prefix that was bound in a sibling', '<a><x xmlns:b="urn:b"/><b:c/></a>'],
    ['another end tag', '<a></b>'],
    ['no end tag', '<a><b></b>'],
    ['two roots', '<a/><a/>'],
    ['a prefix without a name', '<a xmlns:="urn:b"/>'],
    ['a prefix of two names', '<a xmlns:b:c="urn:b"/>'],
    ['nil of another namespace', '<a xmlns:b="urn:b" b:nil="true"/>'],
    ['nil that is false', `<a xmlns:b="${XSI}" b:nil="false"/>`],
  ])('leaves %s to the parser', (_what, text) => {
    expect(walked(text)).toBeUndefined()
  })
})
