// Issued receipts that no database has seen, drawn as the threads draw them.

import type { RenderedFormat, RenderTask } from '../../src/core/receipts/render.js'
import { work } from '../../src/core/receipts/render-worker.js'
import type { IssuedReceipt } from '../../src/store/receipt/issued.js'

export function issued(members: Partial<IssuedReceipt> = {}): IssuedReceipt {
  return {
    accountId: '11111111-1111-4111-8111-111111111111',
    queueId: '22222222-2222-4222-8222-222222222222',
    queueItemId: '33333333-3333-4333-8333-333333333333',
    cashBoxId: '44444444-4444-4444-8444-444444444444',
    verified: true,
    request: '{}',
    response: '{}',
    market: 'AT',
    accountName: 'Café Zentral',
    accountCountry: 'AT',
    outletName: null,
    outletDetails: '{"street":"Ringstraße 1","zip":"1010","city":"Wien"}',
    issuedAt: new Date('2026-07-01T10:15:01Z'),
    settingsVersion: '',
    files: [],
    ...members,
  }
}

export type Wish = Partial<Omit<RenderTask, 'format' | 'receipt'>>

export function taskOf(
  receipt: IssuedReceipt,
  format: RenderedFormat,
  wish: Wish = {},
): RenderTask {
  return {
    receipt,
    format,
    widthMm: 80,
    language: 'de',
    copy: false,
    brand: 'epson',
    links: undefined,
    ...wish,
  }
}

export async function drawn(
  receipt: IssuedReceipt,
  format: RenderedFormat,
  wish: Wish = {},
): Promise<Buffer> {
  const rendered = await work(taskOf(receipt, format, wish))
  if ('refused' in rendered) throw new Error(rendered.refused)
  return Buffer.from(rendered.bytes)
}

/** A receipt with items of these descriptions. */
export function soldItems(descriptions: readonly string[]): IssuedReceipt {
  const items = descriptions.map((Description, at) => ({
    ...{ Quantity: (at % 3) + 1, Description, Amount: 1.5 * (at + 1), VATRate: at % 2 ? 20 : 10 },
  }))
  const request = { ftReceiptCase: '0x4154_2000_0000_0001', cbChargeItems: items, cbPayItems: [] }
  return issued({ request: JSON.stringify(request), response: RESPONSE })
}

const RESPONSE = JSON.stringify({
  ftReceiptIdentification: 'ft1A#',
  ftCashBoxIdentification: 'KASSE-1',
  ftReceiptMoment: '2026-07-01T10:15:00Z',
  ftSignatures: [{ ftSignatureFormat: 3, Caption: 'Code', Data: 'https://example.com/code' }],
})
