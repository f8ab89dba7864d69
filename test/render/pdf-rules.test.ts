// PDF/A-3a (ISO 19005-3) and PDF/UA-1 (ISO 14289-1): what a file that declares them has to keep,
// by clause, for receipts of all markets. `npm run -s judge:pdf` asks veraPDF where that is there.
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { beforeAll, describe, expect, it } from 'vitest'
import { drawn } from '../support/drawn.js'
import { type PdfObject, pdfObjects } from '../support/pdf-check.js'
import { PDF_MARKETS, pdfReceiptOf } from '../support/pdf-receipts.js'

type Dictionary = Record<string, unknown>

describe.each(PDF_MARKETS)('a PDF of %s', (market, ftReceiptCase, language) => {
  let objects: Map<string, PdfObject>

  beforeAll(async () => {
    const file = await drawn(pdfReceiptOf(market, ftReceiptCase), 'pdf', { language })
    objects = await pdfObjects(file)
  })

  const at = (value: unknown): Dictionary => {
    const found = typeof value === 'string' ? objects.get(value)?.value : value
    return Object(found) as Dictionary
  }
  const root = () => at(at(objects.get('trailer')?.value)['/Root'])
  const all = (key: string, value: string) =>
    [...objects.values()]
      .map((one) => Object(one.value) as Dictionary)
      .filter((one) => one[key] === value)

  it('declares both standards in well-formed metadata (19005-3 6.6.2, 6.6.4; 14289-1 5)', () => {
    const xml = String(objects.get(String(root()['/Metadata']))?.bytes)
    expect(XMLValidator.validate(xml.trim())).toBe(true)
    const parser = new XMLParser({
      ignoreAttributes: false,
      isArray: (name) => name === 'rdf:Description',
    })
    const about = parser.parse(xml)['x:xmpmeta']['rdf:RDF']['rdf:Description'] as Dictionary[]
    const told = Object.assign({}, ...about) as Dictionary
    expect(told).toMatchObject({ 'pdfaid:part': 3, 'pdfaid:conformance': 'A', 'pdfuaid:part': 1 })
    expect(told['dc:title']).toMatchObject({
      'rdf:Alt': { 'rdf:li': { '#text': expect.stringContaining('Café & Söhne <1>') } },
    })
    // every property that the standard does not know is described (6.6.2.3)
    expect(xml).toContain('<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>')
  })

  it('has an id and no encryption (19005-3 6.1.3), and an output intent (6.2.3)', () => {
    const trailer = at(objects.get('trailer')?.value)
    expect(trailer['/ID']).toHaveLength(2)
    expect(trailer['/Encrypt']).toBeUndefined()
    const [intent] = root()['/OutputIntents'] as unknown[]
    expect(at(intent)).toMatchObject({ '/S': '/GTS_PDFA1' })
    const profile = objects.get(String(at(intent)['/DestOutputProfile']))
    expect(profile?.value).toMatchObject({ '/N': 3 })
    expect(profile?.bytes?.toString('latin1', 36, 40)).toBe('acsp')
  })

  it('embeds a part of each font and names its letters (19005-3 6.2.11.4, 6.2.11.7)', () => {
    const descriptors = all('/Type', '/FontDescriptor')
    expect(descriptors.length).toBeGreaterThan(3)
    for (const one of descriptors) {
      expect(one['/FontFile2'] ?? one['/FontFile3']).toBeDefined()
      expect(one['/FontName']).toMatch(/^\/[A-Z]{6}\+/)
    }
    const fonts = all('/Subtype', '/Type0')
    expect(fonts).toHaveLength(descriptors.length)
    for (const one of fonts) {
      expect(objects.get(String(one['/ToUnicode']))?.bytes?.length).toBeGreaterThan(0)
      expect(one['/Encoding']).toBe('/Identity-H')
    }
  })

  it('shows only letters that there are (19005-3 6.2.11.8), all tagged (14289-1 7.1)', () => {
    for (const content of contents()) {
      let depth = 0
      let painted = 0
      for (const line of content.split('\n')) {
        if (/ (BDC|BMC)$/.test(line)) depth += 1
        if (/(^| )EMC$/.test(line)) depth -= 1
        if (!/(^| |\])(TJ|Tj|f|S|Do)$/.test(line)) continue
        painted += 1
        expect(depth, line).toBe(1)
        for (const [, hex = ''] of line.matchAll(/<([0-9a-f]+)>/gi)) {
          expect(hex.match(/.{4}/g)).not.toContain('0000')
        }
      }
      expect(depth).toBe(0)
      expect(painted).toBeGreaterThan(2)
    }
  })

  function contents(): string[] {
    return all('/Type', '/Page').map((page) => {
      return String(objects.get(String(page['/Contents']))?.bytes?.toString('latin1'))
    })
  }

  it('is tagged, has a language and shows its title (14289-1 7.1, 7.2)', () => {
    expect(at(root()['/MarkInfo'])['/Marked']).toBe(true)
    expect(at(root()['/MarkInfo'])['/Suspects']).not.toBe(true)
    expect(root()['/Lang']).toBe(`u:${language}`)
    expect(at(root()['/ViewerPreferences'])['/DisplayDocTitle']).toBe(true)
    const kinds = structure().map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === '/Document')).toHaveLength(1)
    expect(kinds.filter((kind) => kind === '/H1')).toHaveLength(1)
    const known = ['/Document', '/Sect', '/P', '/H1', '/Figure', '/Table', '/TR', '/TH', '/TD']
    expect(kinds.filter((kind) => !known.includes(kind))).toEqual([])
  })

  it('says what its pictures are (14289-1 7.3) and names columns of tables (7.5)', () => {
    const elements = structure()
    const figures = elements.filter(({ kind }) => kind === '/Figure')
    expect(figures.length).toBeGreaterThan(0)
    for (const { element } of figures) expect(String(element['/Alt'])).toMatch(/^u:./)
    const rows = elements.filter(({ kind }) => kind === '/TR')
    expect(new Set(rows.map(({ children }) => children)).size).toBeLessThanOrEqual(1)
    const heads = elements.filter(({ kind }) => kind === '/TH')
    for (const { element } of heads)
      expect(at(element['/A'])).toMatchObject({ '/Scope': '/Column' })
    expect(heads.length > 0).toBe(rows.length > 0)
  })

  function structure(): { kind: string; element: Dictionary; children: number }[] {
    const walk = (
      reference: unknown,
    ): { kind: string; element: Dictionary; children: number }[] => {
      const element = at(reference)
      if (typeof element['/S'] !== 'string') return []
      const below = [element['/K']].flat()
      return [{ kind: element['/S'], element, children: below.length }, ...below.flatMap(walk)]
    }
    return [at(root()['/StructTreeRoot'])['/K']].flat().flatMap(walk)
  }

  it('carries its data as a file that says what it is (19005-3 6.8)', () => {
    const [reference, ...others] = root()['/AF'] as unknown[]
    expect(others).toEqual([])
    const file = at(reference)
    expect(file).toMatchObject({ '/AFRelationship': '/Data', '/F': 'u:receipt.json' })
    expect(file['/UF']).toBe('u:receipt.json')
    const embedded = objects.get(String(at(file['/EF'])['/F']))
    expect(embedded?.value).toMatchObject({ '/Subtype': '/application/json' })
    const data = JSON.parse(String(embedded?.bytes)) as { cbChargeItems: unknown[] }
    expect(data).toMatchObject({ country: market, total: '38.00', currency: 'EUR' })
    expect(data.cbChargeItems[0]).toEqual({
      ...{ Quantity: 2, Description: 'Café <groß> & Söhne', Amount: 7.6, VATRate: 20 },
    })
  })
})
