// PDF/A-3a and PDF/UA-1 by clause, over a receipt of every kind that there is, the markets in turn.
// What reads them knows nothing of what wrote them; each rule is broken once to be seen.
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { createSamples } from '../../src/core/receipts/samples/samples.js'
import { drawn } from '../support/drawn.js'
import { brandedReceipt, PDF_MARKETS, pdfReceiptOf } from '../support/pdf-receipts.js'
import { METADATA_RULES, STRUCTURE_RULES } from '../support/pdf-standards/access.js'
import { FILE_RULES } from '../support/pdf-standards/archive.js'
import { copyOf, type PdfFile, readPdf, structureOf } from '../support/pdf-standards/file.js'
import { FONT_RULES } from '../support/pdf-standards/fonts.js'
import { SYNTAX_RULES } from '../support/pdf-standards/syntax.js'

const FORM = [...SYNTAX_RULES, ...FILE_RULES]
const RULES = [...FORM, ...FONT_RULES, ...METADATA_RULES, ...STRUCTURE_RULES]
const LANGUAGES: Record<string, string> = {
  ...{ AT: 'de', DE: 'de', FR: 'fr', GR: 'el', IT: 'it', PT: 'pt', ES: 'es' },
}

/** One market for each kind; every market has its turn. */
function chosen(): { market: string; name: string }[] {
  const kinds = new Map<string, string[]>()
  for (const { market, name } of createSamples().list()) {
    kinds.set(name, [...(kinds.get(name) ?? []), market])
  }
  return [...kinds].map(([name, markets], at) => ({
    ...{ name, market: markets[at % markets.length] ?? 'AT' },
  }))
}

describe('a PDF of every kind of receipt', () => {
  const files = new Map<string, PdfFile>()

  beforeAll(async () => {
    const samples = createSamples()
    for (const { market, name } of chosen()) {
      const receipt = samples.receiptOf(market, name)
      if (receipt === undefined) throw new Error(name)
      const language = LANGUAGES[market] as 'de'
      files.set(`${market} ${name}`, await readPdf(await drawn(receipt, 'pdf', { language })))
    }
    for (const [market, ftReceiptCase, language] of PDF_MARKETS) {
      const receipt = pdfReceiptOf(market, ftReceiptCase)
      files.set(`scripts ${market}`, await readPdf(await drawn(receipt, 'pdf', { language })))
    }
    files.set('branded', await readPdf(await drawn(brandedReceipt(), 'pdf')))
  }, 120_000)

  it('there are many kinds, of all markets, with tables and pictures', () => {
    const all = [...files.values()].flatMap(structureOf).map(({ kind }) => kind)
    expect(all.filter((kind) => kind === '/Table').length).toBeGreaterThan(20)
    expect(all.filter((kind) => kind === '/Figure').length).toBeGreaterThan(20)
    expect(files.size).toBeGreaterThan(40)
    expect(new Set(chosen().map(({ market }) => market)).size).toBe(7)
  })

  it.each(RULES.map((rule) => [rule.clause, rule.holds, rule] as const))('%s: it %s', (...told) => {
    const [, , { faults, spoil }] = told
    const found = [...files].flatMap(([name, file]) =>
      faults(file).map((fault) => `${name}: ${fault}`),
    )
    expect(found).toEqual([])
    const branded = files.get('branded')
    if (branded === undefined) throw new Error('no file')
    const broken = copyOf(branded)
    spoil(broken)
    expect(faults(broken)).not.toEqual([])
  })

  it('the page of clauses says what is looked at, no more and no less', () => {
    const page = readFileSync('docs/pdf-standards.md', 'utf8')
    const rows = page.split('\n').filter((line) => line.startsWith('| ISO '))
    expect(rows).toEqual(RULES.map(({ clause, holds }) => `| ${clause} | ${holds} |`))
  })
})
