// The codes of signed receipts, read from the pictures as a phone reads them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeJson } from '../../src/lib/json-write.js'
import type { IssuedReceipt } from '../../src/store/receipt/issued.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'
import { drawn, issued } from '../support/drawn.js'
import { codeIn, codesIn, pixelsOf, readPdf } from '../support/pictures.js'
import { createPosTill, receipt, signed } from '../support/pos-till.js'
import { openStand, type Stand } from '../support/stand.js'

let database: TestDatabase
let stand: Stand
const receipts = new Map<string, { shown: IssuedReceipt; code: string }>()

const SALES = { AT: 0x4154_2000_0000_0001n, DE: 0x4445_2000_0000_0001n }

beforeAll(async () => {
  database = await createTestDatabase()
  stand = openStand(database.config)
  for (const market of ['AT', 'DE'] as const) {
    const till = await createPosTill(stand, market)
    const request = receipt({
      cbChargeItems: [{ Quantity: 2, Description: 'Kaffee', Amount: 7.6, VATRate: 20 }],
      cbPayItems: [{ Description: 'Bar', Amount: 7.6 }],
      ftReceiptCase: SALES[market],
    })
    const answer = await signed(till, request)
    const [code] = answer.signatures.filter(({ format }) => (format & 0xffn) === 3n)
    if (code === undefined) throw new Error('the receipt has no code')
    const texts = { request: writeJson(request), response: answer.text }
    const shown = issued({ market, accountCountry: market, ...texts })
    receipts.set(market, { shown, code: code.data })
  }
})
afterAll(async () => {
  await stand.close()
  await database.drop()
})

function of(market: string): { shown: IssuedReceipt; code: string } {
  const found = receipts.get(market)
  if (found === undefined) throw new Error(`no receipt of ${market}`)
  return found
}

describe.each(['AT', 'DE'])('the code of a receipt of %s', (market) => {
  it.each([48, 58, 72, 80, 120])('can be scanned from a PNG of %i mm', async (widthMm) => {
    const { shown, code } = of(market)
    const png = await drawn(shown, 'png', { widthMm })
    const pixels = await pixelsOf(png)
    expect(pixels.width).toBe(widthMm * 8)
    expect(codeIn(pixels)).toBe(code)
  })

  it.each([48, 80])('can be scanned from a PDF of %i mm', async (widthMm) => {
    const { shown, code } = of(market)
    const { pages } = await readPdf(await drawn(shown, 'pdf', { widthMm }))
    // four millimetres of margin on both sides
    expect(pages[0]?.width).toBeCloseTo(((widthMm + 8) * 72) / 25.4, 1)
    expect(pages.flatMap(({ picture }) => codesIn(picture)).map(String)).toEqual([code])
  })

  it('can be scanned from a JPEG', async () => {
    const { shown, code } = of(market)
    expect(codeIn(await pixelsOf(await drawn(shown, 'jpg')))).toBe(code)
  })

  it('is sent to a printer as it was signed', async () => {
    const { shown, code } = of(market)
    const bytes = await drawn(shown, 'escpos')
    expect(bytes.includes(Buffer.from(`1P0${code}`))).toBe(true)
  })
})
