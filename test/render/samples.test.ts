// Every sample receipt of the sandbox in every format: the codes that are read from page, PDF,
// picture, text and printer bytes are what was signed, byte for byte.
import { describe, expect, it } from 'vitest'
import { createSamples } from '../../src/core/receipts/samples/samples.js'
import { JsonObject, parseJson } from '../../src/lib/json.js'
import { factsOf, markets } from '../../src/market/index.js'
import { objectsIn, textIn, wordIn } from '../../src/model/json-members.js'
import type { IssuedReceipt } from '../../src/store/receipt/issued.js'
import { drawn } from '../support/drawn.js'
import { codesIn, pixelsOf, readPdf, svgPixels } from '../support/pictures.js'

const samples = createSamples()
const list = samples.list()

function receiptOf(market: string, name: string): IssuedReceipt {
  const found = samples.receiptOf(market, name)
  if (found === undefined) throw new Error(`no ${market} ${name}`)
  return found
}

const QR = 3n
/** Not to be shown: `don't visualize` of version 2. */
const HIDDEN = 0x20_0000n

/** What was signed to be a code, as the answer has it. */
function signedCodes({ response }: IssuedReceipt): Buffer[] {
  const answer = parseJson(response)
  if (!(answer instanceof JsonObject)) throw new Error('no answer')
  return objectsIn(answer, 'ftSignatures')
    .filter((item) => ((wordIn(item, 'ftSignatureFormat') ?? 0n) & 0xffn) === QR)
    .filter((item) => ((wordIn(item, 'ftSignatureType') ?? 0n) & HIDDEN) === 0n)
    .map((item) => Buffer.from(textIn(item, 'Data')))
}

it('are more than fifty, of every market', () => {
  expect(list.length).toBeGreaterThan(50)
  expect(new Set(list.map(({ market }) => market))).toEqual(new Set(Object.keys(markets)))
  const names = new Set(list.map(({ name }) => name))
  expect(names.size).toBeGreaterThan(30)
  expect(new Set(list.map(({ market, name }) => `${market} ${name}`)).size).toBe(list.length)
})

describe.each(Object.keys(markets))('the samples of %s', (market) => {
  const own = list.filter((one) => one.market === market).map(({ name }) => name)

  it('are pages below 60 kB whose codes are what was signed', async () => {
    for (const name of own.filter((one) => one !== 'many')) {
      const receipt = receiptOf(market, name)
      const page = (await drawn(receipt, 'html')).toString()
      expect(page.length, name).toBeLessThan(60_000)
      const drawings = page.match(/<svg class="qr"[\s\S]*?<\/svg>/g) ?? []
      const read = (await Promise.all(drawings.map(svgPixels))).flatMap(codesIn)
      expect(read.map(String), name).toEqual(signedCodes(receipt).map(String))
    }
  }, 60_000)

  it('are lines of text and printer bytes with what was signed', async () => {
    for (const name of own) {
      const receipt = receiptOf(market, name)
      const text = (await drawn(receipt, 'txt')).toString()
      const plain = text.replace(/\s/g, '')
      const printed = await drawn(receipt, 'escpos')
      for (const code of signedCodes(receipt)) {
        // lines of text have no control characters: a carriage return is in no other format
        // where the law has a form of its own for letters, it is that
        const told = factsOf(market)?.page?.codeText(code.toString()) ?? code.toString()
        expect(plain, name).toContain(told.replace(/[\s\p{Cc}]/gu, ''))
        expect(printed.includes(code), name).toBe(true)
      }
    }
  })
})

/** Every market once, and each kind whose code or length is another one in some of them. */
const DRAWN: Record<string, readonly string[]> = {
  cash: Object.keys(markets),
  void: ['AT', 'ES'],
  'order-return': ['DE', 'FR'],
  outage: ['AT', 'DE', 'GR', 'ES'],
  many: ['FR', 'IT', 'PT'],
  daily: ['AT', 'FR'],
}
const pictured = list.filter(({ market, name }) => DRAWN[name]?.includes(market))

it.each(pictured)('$market $name: PDF and picture hold the code', async ({ market, name }) => {
  const receipt = receiptOf(market, name)
  const codes = signedCodes(receipt).map(String)
  const { pages } = await readPdf(await drawn(receipt, 'pdf'))
  const png = await pixelsOf(await drawn(receipt, 'png'))
  expect(png.width).toBe(640)
  expect(pages.flatMap(({ picture }) => codesIn(picture)).map(String)).toEqual(codes)
  expect(codesIn(png).map(String)).toEqual(codes)
})
