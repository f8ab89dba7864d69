// Receipts in Greek: every letter, with accent and diaeresis, is on the page, drawn in PDF and PNG,
// and printed by printers from their page of Greek letters.
import { createHash } from 'node:crypto'
import ReceiptPrinterEncoder from '@point-of-sale/receipt-printer-encoder'
import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { drawn, issued, soldItems } from '../support/drawn.js'
import { pixelsOf, readPdf } from '../support/pictures.js'

const ACCENTED = [...'άέήίόύώϊϋΐΰΆΈΉΊΌΎΏΪΫ']
const PLAIN = [...'αβγδεζηθικλμνξοπρσςτυφχψωΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ']
const REPLACEMENT = '\ufffd'
const BASE = 0x4752_2000_0000_0000n

const hash = (data: Uint8ClampedArray): string => createHash('sha256').update(data).digest('hex')
const wide = (letter: string): string => letter.repeat(8)

/** A Greek receipt with these items. */
function greek(descriptions: readonly string[]) {
  const request = {
    ftReceiptCase: `0x${(BASE | 1n).toString(16)}`,
    cbChargeItems: descriptions.map((Description) => ({
      ...{ Quantity: 1, Description, Amount: 12.4, VATRate: 24 },
      ftChargeItemCase: `0x${(BASE | 0x13n).toString(16)}`,
    })),
    cbPayItems: [{ Description: 'Μετρητά', Amount: 12.4 * descriptions.length }],
  }
  const ftSignatures = [
    ['Μοναδικός αριθμός παραστατικού', '112545020|01/06/2026|0|11.1|CB001|1', 0x12n],
    ['invoiceMark', '400000000000001', 0x14n],
    ['Transmission Failure_2', 'ΧΩΡΙΣ ΜΑΡΚ ΛΟΓΩ ΑΠΩΛΕΙΑΣ ΔΙΑΣΥΝΔΕΣΗΣ', 0x16n],
  ].map(([Caption, Data, number]) => ({
    ...{ Caption, Data, ftSignatureFormat: 1 },
    ftSignatureType: `0x${(BASE | BigInt(number ?? 0)).toString(16)}`,
  }))
  const response = {
    ...{ ftReceiptIdentification: 'ft1A#CB001-1', ftReceiptMoment: '2026-06-01T09:30:00Z' },
    ftSignatures,
  }
  return issued({
    ...{ market: 'GR', accountCountry: 'GR', accountName: 'Καφενείο «Η Ωραία Ελλάς»' },
    ...{ request: JSON.stringify(request), response: JSON.stringify(response) },
    outletDetails: JSON.stringify({ street: 'Οδός Αθηνάς 1', zip: '10551', city: 'Αθήνα' }),
  })
}

const MENU = ['Ελληνικός καφές', 'Ούζο & μεζές', 'Προϊόν με ΐ και ΰ', 'ΦΡΑΠΈ ΫΔΩΡ']

describe('a Greek receipt', () => {
  it('has its words in Greek, its number and its MARK', async () => {
    const printed = (await drawn(greek(MENU), 'txt', { language: 'el' })).toString('utf8')
    const text = printed.replace(/ +/g, ' ')
    for (const part of [
      ...['Καφενείο «Η Ωραία Ελλάς»', 'Οδός Αθηνάς 1', '10551 Αθήνα', ...MENU, 'Μετρητά'],
      ...['ΑΦΜ: 112545020', 'Αριθμός παραστατικού: CB001-1', 'Μ.ΑΡ.Κ.: 400000000000001'],
      ...['ΧΩΡΙΣ ΜΑΡΚ ΛΟΓΩ ΑΠΩΛΕΙΑΣ ΔΙΑΣΥΝΔΕΣΗΣ', 'ΦΠΑ', '12,40'],
    ]) {
      expect(text).toContain(part)
    }
    const page = (await drawn(greek(MENU), 'html', { language: 'el' })).toString('utf8')
    // a number that stands in the head is told once
    for (const told of [text, page]) expect(told.split('400000000000001')).toHaveLength(2)
    expect(page).toContain('<html lang="el"')
    expect(page).toContain('Προϊόν με ΐ και ΰ')
  })

  it('has every letter as a glyph of its own in a picture', async () => {
    const seen = new Map<string, string>()
    for (const letter of [...ACCENTED, ...'αεηιουωΑΕΗΙΟΥΩ', REPLACEMENT]) {
      const { data } = await pixelsOf(await drawn(soldItems([wide(letter)]), 'png'))
      const picture = hash(data)
      expect(seen.get(picture), letter).toBeUndefined()
      seen.set(picture, letter)
    }
  })

  it('has every letter as text and as a glyph of its own in a PDF', async () => {
    const seen = new Map<string, string>()
    // the pictures above show all of them by the same fonts
    for (const letter of ['ΐ', 'ι', 'Ϋ', REPLACEMENT]) {
      const { pages } = await readPdf(await drawn(soldItems([wide(letter)]), 'pdf'), 1)
      const { lines = [], picture } = pages[0] ?? {}
      expect(
        lines.some((line) => line.includes(wide(letter))),
        letter,
      ).toBe(true)
      const drawing = hash(picture?.data ?? new Uint8ClampedArray())
      expect(seen.get(drawing), letter).toBeUndefined()
      seen.set(drawing, letter)
    }
    const all = [PLAIN.slice(0, 25).join(''), PLAIN.slice(25).join(''), ACCENTED.join('')]
    const { pages } = await readPdf(await drawn(greek(all), 'pdf', { language: 'el' }))
    const lines = pages.flatMap((page) => page.lines).join('\n')
    for (const letters of all) expect(lines).toContain(letters)
  })
})

/** What is on paper: `pages` by the number behind the command that changes them. */
function onPaper(bytes: Buffer, command: string, pages: Readonly<Record<number, string>>): string {
  let page = 'cp858'
  return bytes
    .toString('latin1')
    .split(Buffer.from(command, 'hex').toString('latin1'))
    .map((part, at) => {
      if (at > 0) page = pages[part.charCodeAt(0)] ?? 'ascii'
      return iconv.decode(Buffer.from(at > 0 ? part.slice(1) : part, 'latin1'), page)
    })
    .join('')
}

describe.each([
  ['epson', '1b74', { 19: 'cp858', 15: 'iso-8859-7' }, 'esc-pos', 'iso8859-7'],
  ['star', '1b1d74', { 4: 'cp858', 18: 'iso-8859-7' }, 'star-line', 'star/cp928'],
] as const)('a printer of %s', (brand, command, pages, language, page) => {
  it('prints all letters from its Greek page, and goes back to the other one', async () => {
    const items = [...MENU, 'Café à 3 €', PLAIN.join(''), ACCENTED.join('')]
    const bytes = await drawn(greek(items), 'escpos', { language: 'el', brand })
    const text = onPaper(bytes, command, pages)
    for (const part of [...MENU, 'Café à 3 €', ACCENTED.join(''), 'Μετρητά', 'ΦΠΑ']) {
      expect(text).toContain(part)
    }
    expect(text.replaceAll('\n', '')).toContain(PLAIN.slice(0, 40).join(''))
    expect(text).not.toContain('??')
  })

  it('has the letters where another program has them', async () => {
    const word = 'ΆΈΉΊΌΎΏΪΫΐάέήίόύώϊϋΰΑΩαωςσ'
    const encoder = new ReceiptPrinterEncoder({ language })
    const theirs = Buffer.from(encoder.codepage(page).text(word).encode())
    const letters = theirs.subarray(theirs.findIndex((byte) => byte >= 0x80)).subarray(0, 26)
    const ours = await drawn(greek([word]), 'escpos', { language: 'el', brand })
    expect(ours.includes(letters)).toBe(true)
  })
})
