// Namespaces of the XML reader: the same meaning, and the same refusals, as the parser's own
// resolution of namespaces has.
import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { describe, expect, it } from 'vitest'
import { parseXml, type XmlElement } from '../../src/lib/xml-read.js'
import { workedSince } from '../support/cpu-time.js'

type Meaning = [uri: string, local: string, attributes: string[], children: Meaning[]]

/** By the parser itself; undefined where it refuses. */
function meantBySaxes(text: string): Meaning | undefined {
  const trail: Meaning[] = []
  let root: Meaning | undefined
  const parser = new SaxesParser({ xmlns: true })
  parser.on('opentag', ({ uri, local, attributes }) => {
    const own = Object.values(attributes).filter(
      ({ name, prefix }) => name !== 'xmlns' && prefix !== 'xmlns',
    )
    const meaning: Meaning = [uri, local, own.map((one) => `{${one.uri}}${one.local}`).sort(), []]
    trail.at(-1)?.[3].push(meaning)
    root ??= meaning
    trail.push(meaning)
  })
  parser.on('closetag', () => void trail.pop())
  try {
    parser.write(text).close()
  } catch {
    return undefined
  }
  return root
}

function meantHere(text: string): Meaning | undefined {
  const meaning = ({ uri, name, attributes, children }: XmlElement): Meaning => [
    uri,
    name,
    attributes.map((one) => `{${one.uri}}${one.name}`).sort(),
    children.map(meaning),
  ]
  try {
    return meaning(parseXml(text))
  } catch {
    return undefined
  }
}

const prefix = fc.constantFrom('', '', 'a:', 'b:', 'xml:', 'xmlns:', ':')
const local = fc.constantFrom('x', 'y', 'lang', 'x:y', '')
const uri = fc.constantFrom(
  'urn:1',
  'urn:2',
  '',
  ' urn:1 ',
  'http://www.w3.org/XML/1998/namespace',
  'http://www.w3.org/2000/xmlns/',
)
const declaration = fc
  .tuple(fc.constantFrom('xmlns', 'xmlns:a', 'xmlns:b', 'xmlns:xml', 'xmlns:xmlns'), uri)
  .map(([name, value]) => [name, value] as const)
const usualDeclaration = fc
  .tuple(fc.constantFrom('xmlns', 'xmlns:a', 'xmlns:b'), fc.constantFrom('urn:1', 'urn:2'))
  .map(([name, value]) => [name, value] as const)
const attribute = fc
  .tuple(prefix, fc.constantFrom('x', 'y', 'lang'))
  .map(([before, name]) => [`${before}${name}`, '1'] as const)

const name = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('x', 'a:x', 'b:y') },
  fc.tuple(prefix, local).map((parts) => parts.join('')),
)
const attributes = fc.array(
  fc.oneof({ weight: 6, arbitrary: usualDeclaration }, declaration, attribute),
  { maxLength: 4 },
)

function elementAround(content: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(name, attributes, content).map(([word, given, inside]) => {
    const texts = given.map(([key, value]) => ` ${key}="${value}"`)
    return `<${word}${texts.join('')}>${inside}</${word}>`
  })
}

function several(element: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.array(element, { maxLength: 2 }).map((all) => all.join(''))
}

const leaf = elementAround(fc.constant(''))
const documents = elementAround(several(elementAround(several(leaf))))

describe('namespaces', () => {
  it('mean what they mean to the parser, and what it refuses is refused', () => {
    let accepted = 0
    fc.assert(
      fc.property(documents, (text) => {
        const expected = meantBySaxes(text)
        if (expected !== undefined) accepted += 1
        expect(meantHere(text), text).toEqual(expected)
      }),
      { numRuns: 3_000 },
    )
    // neither all nor none of them
    expect(accepted).toBeGreaterThan(300)
    expect(accepted).toBeLessThan(2_900)
  })

  it('declared four thousand times and once more in each of many elements cost little', () => {
    const deep = Array.from({ length: 60 }, (_, level) => {
      const declared = Array.from({ length: 64 }, (_, n) => `xmlns:p${level}-${n}="u"`).join(' ')
      return `<a ${declared}>`
    }).join('')
    const text = `${deep}${'<b xmlns:c="u"/>'.repeat(90_000)}${'</a>'.repeat(60)}`
    const before = process.cpuUsage()
    expect(parseXml(text).name).toBe('a')
    // copying all that is declared into each would take half a minute
    expect(workedSince(before)).toBeLessThan(5)
  })
})
