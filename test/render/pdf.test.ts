// PDF: what a viewer shows, what can be selected, and that the file is as it has to be.
import { createCanvas } from '@napi-rs/canvas'
import { describe, expect, it } from 'vitest'
import { type Logo, NO_BRANDING } from '../../src/model/branding.js'
import { RECEIPT_LANGUAGES } from '../../src/words/words.js'
import { drawn, issued, soldItems } from '../support/drawn.js'
import { pdfFaults } from '../support/pdf-check.js'
import { PDF_MARKETS, pdfReceiptOf } from '../support/pdf-receipts.js'
import { readPdf } from '../support/pictures.js'

const CARD = issued({
  request: JSON.stringify({
    ftReceiptCase: '0x4154_2000_0000_0001',
    cbChargeItems: [
      { Quantity: 2, Description: 'Verlängerter "groß" – süß', Amount: 7.6, VATRate: 20 },
      { Description: 'Žluťoučký kůň, Łódź, Ελλάδα, Привет', Amount: 1, VATRate: 10 },
    ],
    cbPayItems: [
      {
        Description: 'Karte',
        Amount: 8.6,
        ftPayItemCaseData: { Receipt: ['TERMINAL 7', '', 'GENEHMIGT'] },
      },
    ],
  }),
  response: '{"ftReceiptIdentification":"ft1A#","ftReceiptMoment":"2026-07-01T10:15:00Z"}',
})

describe('a PDF', () => {
  it('has every line as text, and card receipts on a page of their own', async () => {
    const { pages } = await readPdf(await drawn(CARD, 'pdf'), 0)
    expect(pages.map(({ lines }) => lines)).toEqual([
      [
        'Café Zentral',
        'Ringstraße 1',
        '1010 Wien',
        'Beleg',
        'Belegnummer: ft1A#',
        'Datum: 01.07.2026 12:15',
        'Verlängerter "groß" – süß 7,60 A',
        '2 \u00d7 3,80 €',
        'Žluťoučký kůň, Łódź, Ελλάδα, Привет 1,00 B',
        'Summe 8,60 €',
        'USt Netto Steuer Brutto',
        'A 20 % 6,33 1,27 7,60',
        'B 10 % 0,91 0,09 1,00',
        'Karte 8,60',
      ],
      ['Karte – Transaktionsdaten, 8,60', 'TERMINAL 7', 'GENEHMIGT'],
    ])
  })

  it('names itself, its merchant and its language, and is tagged', async () => {
    const file = await readPdf(await drawn(CARD, 'pdf', { language: 'fr' }), 0)
    expect(file).toMatchObject({
      title: 'Café Zentral: Ticket de caisse ft1A#',
      author: 'Café Zentral',
      language: 'fr',
      tagged: true,
    })
  })

  it('has the same bytes for the same receipt', async () => {
    expect((await drawn(CARD, 'pdf')).equals(await drawn(CARD, 'pdf'))).toBe(true)
    expect((await drawn(CARD, 'pdf')).equals(await drawn(CARD, 'pdf', { copy: true }))).toBe(false)
  })

  it('is sound to a checker of PDF files, in every language and width', async () => {
    const languages = RECEIPT_LANGUAGES.map((language) => ({ language, widthMm: 80 }))
    const widths = [48, 58, 120].map((widthMm) => ({ language: 'fr' as const, widthMm }))
    for (const wish of [...languages, ...widths]) {
      expect(await pdfFaults(await drawn(CARD, 'pdf', wish)), JSON.stringify(wish)).toEqual([])
    }
  })

  it.each(PDF_MARKETS)(
    'of %s carries its data, and names itself in the language',
    async (...of) => {
      const [market, ftReceiptCase, language] = of
      const file = await readPdf(
        await drawn(pdfReceiptOf(market, ftReceiptCase), 'pdf', { language }),
        0,
      )
      expect(file).toMatchObject({ language, title: expect.stringContaining('Café & Söhne <1>') })
      expect([...file.files.keys()]).toEqual(['receipt.json'])
      const data = JSON.parse(String(file.files.get('receipt.json')))
      expect(data).toMatchObject({ country: market, total: '38.00', currency: 'EUR' })
      expect(data.cbChargeItems[0]).toEqual({
        ...{ Quantity: 2, Description: 'Café <groß> & Söhne', Amount: 7.6, VATRate: 20 },
      })
    },
  )

  it('that is damaged is not: the checker sees it', async () => {
    const file = await drawn(CARD, 'pdf')
    const wrong = Buffer.from(file)
    const table = wrong.lastIndexOf('xref\n0')
    wrong.fill(0x20, table + 40, table + 60)
    for (const bad of [Buffer.from('no PDF'), file.subarray(0, -40), wrong]) {
      expect(await pdfFaults(bad)).not.toEqual([])
    }
    expect(await pdfFaults(file)).toEqual([])
  })

  it('marks a copy', async () => {
    const { pages } = await readPdf(await drawn(CARD, 'pdf', { copy: true }), 0)
    expect(pages[0]?.lines).toContain('Duplikat')
  })

  it('goes on on a next page after three metres', async () => {
    // the longest descriptions that there are, on narrow paper
    const texts = Array.from({ length: 31 }, (_, at) => `${at} ${'wort '.repeat(203)}`)
    const file = await drawn(soldItems(texts), 'pdf', { widthMm: 48 })
    const { pages } = await readPdf(file, 0)
    expect(pages.length).toBeGreaterThan(1)
    for (const { height } of pages) expect(height).toBeLessThanOrEqual((3000 * 72) / 25.4)
    const words = pages
      .flatMap(({ lines }) => lines)
      .join(' ')
      .match(/wort/g)
    expect(words).toHaveLength(31 * 203)
  })

  it('shows every one of 500 items', async () => {
    const names = Array.from({ length: 500 }, (_, at) => `Artikel ${at + 1}`)
    const { pages } = await readPdf(await drawn(soldItems(names), 'pdf'), 0)
    const all = pages.flatMap(({ lines }) => lines)
    expect(all.filter((line) => line.startsWith('Artikel ')).map(nameOf)).toEqual(names)
  })

  it('has letters of every kind, and says where it has none', async () => {
    const { pages } = await readPdf(
      await drawn(
        soldItems(['שלום עולם', 'مرحبا بالعالم', 'Sushi 寿司', '김치 ★ 🍕', 'Rune \u{10fffd}']),
        'pdf',
      ),
    )
    const text = pages.flatMap(({ lines }) => lines).join('\n')
    for (const part of ['שלום עולם', 'مرحبا', 'Sushi 寿司', '김치 ★ 🍕', 'Rune \ufffd']) {
      expect(text).toContain(part)
    }
  })

  it('has the logo of the merchant', async () => {
    const canvas = createCanvas(40, 20)
    const context = canvas.getContext('2d')
    context.fillStyle = '#000'
    context.fillRect(0, 0, 40, 20)
    const data = canvas.encodeSync('png')
    const logo: Logo = { type: 'image/png', data, width: 40, height: 20 }
    const branded = { ...CARD, branding: { ...NO_BRANDING, logo } }
    const [page] = (await readPdf(await drawn(branded, 'pdf'), 72 / 25.4)).pages
    if (page === undefined) throw new Error('no page')
    // four millimetres of margin, then the logo in the middle
    const at = (Math.round(6 * 8) * page.picture.width + Math.round(page.picture.width / 2)) * 4
    expect([...page.picture.data.slice(at, at + 3)].every((part) => part < 40)).toBe(true)
    expect((await drawn(branded, 'png')).equals(await drawn(CARD, 'png'))).toBe(false)
  })
})

function nameOf(line: string): string {
  return /^Artikel \d+/.exec(line)?.[0] ?? ''
}
