// How long a receipt of twenty lines takes in each format: what is written in the thread that asks,
// what is drawn in a thread of the pool, as in the server.
import { performance } from 'node:perf_hooks'
import type { RenderedFormat } from '../../src/core/receipts/render.js'
import type { IssuedReceipt } from '../../src/store/receipt/issued.js'
import { type Figure, median } from '../report/figures.js'
import { built } from '../stand/built.js'
import { numbered, saleText } from '../stand/receipt.js'

export const LINES = 20
const RECEIPTS = 200
const CASH_BOX = '8f2d5cba-6f3c-4c0e-9b8a-1f4f0c8c7a11'

/** The receipts of a server, each with a code of its own. */
function receiptOf(number: number): IssuedReceipt {
  const moment = '2026-11-20T10:15:00.000Z'
  const code = `_R1-AT1_BENCH-1_ft${number}_2026-11-20T11:15:00_${`x${number}/`.repeat(30)}`
  const id = String(number).padStart(12, '0')
  return {
    accountId: CASH_BOX,
    queueId: CASH_BOX,
    queueItemId: `00000000-0000-4000-8000-${id}`,
    cashBoxId: CASH_BOX,
    verified: true,
    request: numbered(saleText(CASH_BOX, moment, LINES), number),
    response: JSON.stringify({
      ...{ ftReceiptIdentification: `ft${number}#`, ftReceiptMoment: moment },
      ...{ ftCashBoxIdentification: 'BENCH-1', ftState: '4707387510509010944' },
      ftSignatures: [{ ftSignatureFormat: 3, Caption: 'www.example.com', Data: code }],
    }),
    market: 'AT',
    accountName: 'Café Bench',
    accountCountry: 'AT',
    outletName: null,
    outletDetails: '{"street":"Ringstraße 1","zip":"1010","city":"Wien"}',
    issuedAt: new Date(moment),
    settingsVersion: '',
    files: [],
  }
}

interface Row {
  name: string
  format: RenderedFormat
  /** False: the same receipts were shown before. */
  first: boolean
  atMost?: number
}

const ROWS: readonly Row[] = [
  { name: 'HTML, first time', format: 'html', first: true, atMost: 3 },
  { name: 'HTML, repeated', format: 'html', first: false, atMost: 0.5 },
  { name: 'Text', format: 'txt', first: true, atMost: 0.5 },
  { name: 'ESC/POS', format: 'escpos', first: true },
  { name: 'PDF', format: 'pdf', first: true, atMost: 10 },
  { name: 'PNG', format: 'png', first: true, atMost: 12 },
  { name: 'JPEG', format: 'jpg', first: true },
]

export async function formatFigures(): Promise<Figure[]> {
  const { createRendering } = await built<typeof import('../../src/core/receipts/rendering.js')>(
    'core/receipts/rendering.js',
  )
  const { factsOf } = await built<typeof import('../../src/market/index.js')>('market/index.js')
  const log = { error: (_: object, message: string) => console.warn(message) }
  const rendering = createRendering({ factsOf, threads: 1, cacheBytes: 1 << 30, log })
  const timed = async (format: RenderedFormat, numbers: number[]): Promise<number[]> => {
    const times: number[] = []
    for (const number of numbers) {
      const receipt = receiptOf(number)
      const wish = { widthMm: 80, language: 'de', copy: false, brand: 'epson' } as const
      const from = performance.now()
      await rendering.render({ receipt, format, ...wish, links: undefined })
      times.push(performance.now() - from)
    }
    return times
  }
  try {
    const figures: Figure[] = []
    for (const { name, format, first, atMost } of ROWS) {
      const numbers = (from: number) => Array.from({ length: RECEIPTS }, (_, at) => from + at)
      // V8 compiles what is new to it
      if (first) await timed(format, numbers(RECEIPTS))
      const value = median(await timed(format, numbers(0)))
      const target = atMost === undefined ? {} : { target: { atMost } }
      figures.push({
        name: `${name}, receipt of ${LINES} lines, median`,
        value,
        unit: 'ms',
        ...target,
      })
    }
    return figures
  } finally {
    await rendering.close()
  }
}
