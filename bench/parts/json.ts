// Reading a receipt: JSON.parse, the lossless reader, and the reader of requests with every check.
import type { Options } from '../options.js'
import { type Figure, median, type PartResult } from '../report/figures.js'
import { built } from '../stand/built.js'
import { interleaved } from '../stand/pace.js'
import { numbered, saleText } from '../stand/receipt.js'

const CASH_BOX = '8f2d5cba-6f3c-4c0e-9b8a-1f4f0c8c7a11'

export async function benchJson({ rounds, seconds }: Options): Promise<PartResult> {
  const { parseJson } = await built<typeof import('../../src/lib/json.js')>('lib/json.js')
  const { decodeRequest } =
    await built<typeof import('../../src/model/receipt-json.js')>('model/receipt-json.js')
  const text = numbered(saleText(CASH_BOX, '2026-11-20T10:15:00.000Z'), 1)
  const rows = await interleaved(
    {
      parse: () => JSON.parse(text) as unknown,
      lossless: () => parseJson(text),
      request: () => decodeRequest(text),
    },
    { rounds, seconds: seconds / 3 },
  )
  const rate = (name: string) => median(rows.map((row) => row[name] ?? Number.NaN))
  const micros = (name: string) => 1e6 / rate(name)
  const figures: Figure[] = [
    { name: 'JSON.parse of the receipt', value: micros('parse'), unit: 'µs' },
    { name: 'Lossless JSON reader', value: micros('lossless'), unit: 'µs' },
    {
      name: 'Lossless JSON reader, by JSON.parse',
      value: rate('parse') / rate('lossless'),
      unit: 'times as long',
    },
    { name: 'Receipt request read and checked', value: micros('request'), unit: 'µs' },
  ]
  return { figures, rounds: rows, notes: [`The receipt has ${Buffer.byteLength(text)} bytes.`] }
}
