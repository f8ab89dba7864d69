// Receipts of every market with all that a PDF can hold.
import { createCanvas } from '@napi-rs/canvas'
import { NO_BRANDING } from '../../src/model/branding.js'
import type { IssuedReceipt } from '../../src/store/receipt/issued.js'
import { issued } from './drawn.js'

export const PDF_MARKETS = [
  ['AT', '0x4154_2000_0000_0001', 'de'],
  ['DE', '0x4445_2000_0000_0001', 'de'],
  ['FR', '0x4652_2000_0000_0001', 'fr'],
  ['ES', '0x4553_2000_0000_0001', 'es'],
  ['PT', '0x5054_2000_0000_0001', 'en'],
] as const

export function pdfReceiptOf(market: string, ftReceiptCase: string) {
  const texts = [
    'Café <groß> & Söhne',
    'Ελλάδα Привет',
    'Sushi 寿司 김치',
    'שלום 12',
    '★ 🍕 \u{10fffd}',
  ]
  const request = {
    ftReceiptCase,
    cbChargeItems: texts.map((Description) => ({
      ...{ Quantity: 2, Description, Amount: 7.6, VATRate: 20, cbChargeItemLines: ['warm'] },
    })),
    cbPayItems: [
      {
        Description: 'Card',
        Amount: 38,
        ftPayItemCaseData: { Receipt: ['TERMINAL  7', '', 'OK'] },
      },
    ],
  }
  const response = {
    ...{ ftReceiptIdentification: 'ft1A#', ftReceiptMoment: '2026-07-01T10:15:00Z' },
    ftSignatures: [{ ftSignatureFormat: 3, Caption: 'Code', Data: 'https://example.com/code' }],
  }
  const texted = { request: JSON.stringify(request), response: JSON.stringify(response) }
  return issued({ ...texted, market, accountCountry: market, accountName: 'Café & Söhne <1>' })
}

/** With everything that a file can have: a logo, a code, a table, the slip of a card. */
export function brandedReceipt(): IssuedReceipt {
  const canvas = createCanvas(40, 20)
  canvas.getContext('2d').fillRect(0, 0, 20, 20)
  const data = canvas.toBuffer('image/png')
  const logo = { type: 'image/png' as const, data, width: 40, height: 20 }
  const branding = { ...NO_BRANDING, version: '1', logo }
  return { ...pdfReceiptOf('AT', '0x4154_2000_0000_0001'), branding }
}
