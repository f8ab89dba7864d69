// Whatever stands in a receipt becomes a harmless picture: no renderer gives up, and no text
// becomes a command.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cellsOf } from '../../src/render/cells.js'
import type { IssuedReceipt } from '../../src/store/receipt/issued.js'
import { drawn, issued } from '../support/drawn.js'
import { NAUGHTY_STRINGS } from '../support/naughty-strings.js'
import { pdfFaults } from '../support/pdf-check.js'
import { pixelsOf, readPdf } from '../support/pictures.js'

/** The text in every member that is shown. */
const everywhere = (text: string): IssuedReceipt => receiptWith(() => text)

/** One receipt in so many, and how far its next text lies: every text comes in several members. */
const APART = 4
const STEP = 5
/** All of them in one receipt, each part in several members. */
const PARTS = 6

/** Receipts that have all of the texts. */
function scattered(texts: readonly string[]): IssuedReceipt[] {
  const starts = texts.flatMap((_, at) => (at % APART === 0 ? [at] : []))
  return starts.map((start) => {
    let at = start
    return receiptWith(() => {
      at = (at + STEP) % texts.length
      return texts[at] ?? ''
    })
  })
}

function receiptWith(text: () => string): IssuedReceipt {
  const item = { Description: text(), Unit: text(), Quantity: 2, Amount: 1, VATRate: 20 }
  return issued({
    accountName: text(),
    outletName: `${text()}.`,
    outletDetails: JSON.stringify({ street: text(), zip: text(), city: text() }),
    request: JSON.stringify({
      cbChargeItems: [{ ...item, ftChargeItemCaseData: { cbChargeItemLines: [text()] } }],
      cbPayItems: [{ Description: text(), Amount: 1, ftPayItemCaseData: { Receipt: [text()] } }],
      cbTerminalID: text(),
      cbReceiptReference: text(),
      Currency: text(),
      cbCustomer: { CustomerName: text(), CustomerStreet: text() },
      ftReceiptCaseData: { cbReceiptLines: [text()] },
    }),
    response: JSON.stringify({
      ...{ ftReceiptIdentification: text(), ftCashBoxIdentification: text() },
      ...{ ftReceiptHeader: [text()], ftReceiptFooter: [text()], ftPayLines: [text()] },
      ftSignatures: [
        { ftSignatureFormat: 1, Caption: text(), Data: text() },
        { ftSignatureFormat: 3, Caption: text(), Data: text() },
      ],
    }),
  })
}

const CONTROL = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

async function checkText(receipt: IssuedReceipt, columns: number, widthMm: number): Promise<void> {
  const text = (await drawn(receipt, 'txt', { widthMm })).toString()
  expect(text.isWellFormed()).toBe(true)
  const wrong = text.split('\n').filter((line) => CONTROL.test(line) || cellsOf(line) > columns)
  expect(wrong).toEqual([])
}

describe('hostile texts', () => {
  it('leave no control character in a text, and no line that is too long', async () => {
    for (const text of NAUGHTY_STRINGS) {
      await checkText(everywhere(text), 48, 80)
      await checkText(everywhere(text), 32, 48)
    }
  })

  it('leave no command in the lines of a printer', async () => {
    for (const text of NAUGHTY_STRINGS) {
      const bytes = await drawn(everywhere(text), 'escpos', { brand: 'none' })
      expect([...bytes].every((byte) => byte === 0x0a || (byte >= 0x20 && byte !== 0x7f))).toBe(
        true,
      )
    }
  })

  it('are drawn', async () => {
    for (const receipt of scattered(NAUGHTY_STRINGS)) {
      expect(await pdfFaults(await drawn(receipt, 'pdf')), receipt.request).toEqual([])
      expect((await drawn(receipt, 'png')).subarray(1, 4).toString()).toBe('PNG')
    }
  }, 120_000)

  it('make files that a viewer reads', async () => {
    const parts = Array.from({ length: PARTS }, (_, part) =>
      NAUGHTY_STRINGS.filter((_one, at) => at % PARTS === part).join(' '),
    )
    let next = 0
    const all = receiptWith(() => parts[next++ % PARTS] ?? '')
    expect((await readPdf(await drawn(all, 'pdf'), 0.1)).pages.length).toBeGreaterThan(0)
    expect((await pixelsOf(await drawn(all, 'png'))).width).toBe(640)
  }, 60_000)

  it('by chance', async () => {
    const texts = fc.string({ unit: 'binary', maxLength: 60 })
    const sample = fc.sample(texts, { numRuns: 25, seed: 20261121 })
    for (const text of sample) {
      await checkText(everywhere(text), 42, 72)
      for (const format of ['pdf', 'png', 'escpos'] as const) await drawn(everywhere(text), format)
    }
  }, 120_000)

  it.each([40, 48, 120])('descriptions of 1,023 letters on %i mm', async (widthMm) => {
    const receipt = everywhere('M'.repeat(1023))
    await checkText(receipt, widthMm === 120 ? 48 : 32, widthMm)
    expect((await pixelsOf(await drawn(receipt, 'png', { widthMm }))).width).toBe(widthMm * 8)
    const file = await drawn(receipt, 'pdf', { widthMm })
    expect(await pdfFaults(file)).toEqual([])
    if (widthMm === 48) await readPdf(file, 0)
  })
})
