// Bytes for receipt printers, read by a little printer that knows the tables of the manuals and
// nothing of the program.

import ReceiptPrinterEncoder from '@point-of-sale/receipt-printer-encoder'
import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { EPSON, STAR } from '../../src/render/printer-commands.js'
import { drawn, issued, soldItems } from '../support/drawn.js'

interface Printed {
  /** What is done, in order: `text …`, `code …`, `cut`, or the name of a setting. */
  acts: string[]
}

type Command = [start: number[], name: string, more?: (bytes: Buffer) => [string, number]]

/** Everything between escape sequences is text of code page 858. */
function print(bytes: Buffer, commands: readonly Command[]): Printed {
  const acts: string[] = []
  let text: number[] = []
  const flush = (): void => {
    if (text.length > 0) acts.push(`text ${iconv.decode(Buffer.from(text), 'cp858')}`)
    text = []
  }
  for (let at = 0; at < bytes.length; ) {
    const rest = bytes.subarray(at)
    const found = commands.find(([start]) =>
      rest.subarray(0, start.length).equals(Buffer.from(start)),
    )
    if (found !== undefined) {
      flush()
      const [start, name, more] = found
      const [detail, length] = more?.(rest.subarray(start.length)) ?? ['', 0]
      acts.push(`${name}${detail}`)
      at += start.length + length
      continue
    }
    const byte = rest[0] ?? 0
    if (byte === 0x0a) {
      flush()
      acts.push('line')
    } else if (byte < 0x20 || byte === 0x7f) {
      throw new Error(`byte ${byte} at ${at} is no command that is known`)
    } else text.push(byte)
    at += 1
  }
  flush()
  return { acts }
}

/** Little-endian length of the data that follow, less `less` bytes before them. */
const sized =
  (less: number) =>
  (bytes: Buffer): [string, number] => {
    const length = bytes.readUInt16LE(0) - less
    const from = 2 + less
    return [` ${bytes.subarray(from, from + length).toString()}`, from + length]
  }
const byte = (bytes: Buffer): [string, number] => [` ${bytes[0]}`, 1]

/** What a picture of these dots looks like: width, height, and how many of them are black. */
const pictureOf = (bytes: Buffer, width: number): string => {
  const black = [...bytes].reduce((sum, one) => sum + one.toString(2).replaceAll('0', '').length, 0)
  return ` ${width}x${(bytes.length * 8) / width} ${black > 200 ? 'ink' : 'empty'}`
}
const rows = (bytes: Buffer): [string, number] => {
  const [stride, height] = [bytes.readUInt16LE(0), bytes.readUInt16LE(2)]
  const end = 4 + stride * height
  return [pictureOf(bytes.subarray(4, end), stride * 8), end]
}
const columns = (bytes: Buffer): [string, number] => {
  const end = 2 + bytes.readUInt16LE(0) * 3
  return [pictureOf(bytes.subarray(2, end), bytes.readUInt16LE(0)), end]
}

const EPSON_TABLE: Command[] = [
  [[0x1b, 0x40], 'initialise'],
  [[0x1b, 0x74], 'page', byte],
  [[0x1b, 0x61], 'align', byte],
  [[0x1b, 0x45], 'bold', byte],
  [[0x1d, 0x21], 'size', byte],
  [[0x1d, 0x28, 0x6b, 0x04, 0x00, 0x31, 0x41, 0x32, 0x00], 'model 2'],
  [[0x1d, 0x28, 0x6b, 0x03, 0x00, 0x31, 0x43], 'module', byte],
  [[0x1d, 0x28, 0x6b, 0x03, 0x00, 0x31, 0x45], 'level', byte],
  [[0x1d, 0x28, 0x6b, 0x03, 0x00, 0x31, 0x51, 0x30], 'print code'],
  [[0x1d, 0x28, 0x6b], 'code', sized(3)],
  [[0x1d, 0x76, 0x30, 0x00], 'picture', rows],
  [[0x1d, 0x56, 0x42, 0x00], 'cut'],
]

const STAR_TABLE: Command[] = [
  [[0x1b, 0x40], 'initialise'],
  [[0x1b, 0x1d, 0x74], 'page', byte],
  [[0x1b, 0x1d, 0x61], 'align', byte],
  [[0x1b, 0x45], 'bold 1'],
  [[0x1b, 0x46], 'bold 0'],
  [[0x1b, 0x69], 'size', (bytes) => [` ${bytes[0]}${bytes[1]}`, 2]],
  [[0x1b, 0x1d, 0x79, 0x53, 0x30], 'model', byte],
  [[0x1b, 0x1d, 0x79, 0x53, 0x31], 'level', byte],
  [[0x1b, 0x1d, 0x79, 0x53, 0x32], 'module', byte],
  [[0x1b, 0x1d, 0x79, 0x44, 0x31, 0x00], 'code', sized(0)],
  [[0x1b, 0x1d, 0x79, 0x50], 'print code'],
  [[0x1b, 0x30], 'no gap'],
  [[0x1b, 0x7a, 0x01], 'gap'],
  [[0x1b, 0x58], 'picture', columns],
  [[0x1b, 0x64, 0x02], 'cut'],
]

const RECEIPT = issued({
  request: JSON.stringify({
    ftReceiptCase: '0x4154_2000_0002_0001',
    cbChargeItems: [
      {
        Quantity: 2,
        Description: 'Käse 日本 😀 Ł',
        Amount: 7.6,
        VATRate: 20,
        ftChargeItemCaseData: { cbChargeItemLines: ['nicht auf Papier'] },
      },
    ],
  }),
  response:
    '{"ftReceiptIdentification":"ft1A#","ftSignatures":[{"ftSignatureFormat":3,"Data":"HELLO"}]}',
})

describe('the commands', () => {
  it('store HELLO as the manual says', () => {
    const stored = Buffer.from('1d286b0800315030' + '48454c4c4f', 'hex')
    expect(EPSON.code(Buffer.from('HELLO'), 6).includes(stored)).toBe(true)
  })

  it.each([5, 253, 254, 700, 2000])('a code of %i bytes has its length in two bytes', (length) => {
    const data = 'x'.repeat(length)
    const code = EPSON.code(Buffer.from(data), 4)
    expect(print(code, EPSON_TABLE).acts).toEqual([
      ...['model 2', 'module 4', 'level 49', `code ${data}`, 'print code'],
    ])
    expect(print(STAR.code(Buffer.from(data), 4), STAR_TABLE).acts).toEqual([
      ...['model 2', 'level 1', 'module 4', `code ${data}`, 'print code'],
    ])
  })

  it('of Star are those of another program', () => {
    const encoder = new ReceiptPrinterEncoder({ language: 'star-line' })
    const theirs = Buffer.from(
      encoder.qrcode('HELLO', { model: 2, size: 4, errorlevel: 'm' }).encode(),
    )
    const parts = ['1b1d79443100' + '0500' + '48454c4c4f' + '1b1d7950', '1b1d795331' + '01']
    const ours = STAR.code(Buffer.from('HELLO'), 4)
    for (const part of [...parts, '1b1d79533204', '1b1d79533002']) {
      expect(theirs.includes(Buffer.from(part, 'hex')), part).toBe(true)
      expect(ours.includes(Buffer.from(part, 'hex')), part).toBe(true)
    }
  })
})

describe('a receipt for a printer', () => {
  it('of Epson is laid out, with its code in the middle, and cut', async () => {
    const { acts } = print(await drawn(RECEIPT, 'escpos'), EPSON_TABLE)
    expect(acts.slice(0, 2)).toEqual(['initialise', 'page 19'])
    expect(acts.at(-1)).toBe('cut')
    const code = acts.indexOf('code HELLO')
    expect(acts.slice(code - 4, code + 4)).toEqual([
      ...[
        'align 1',
        'model 2',
        'module 6',
        'level 49',
        'code HELLO',
        'print code',
        'line',
        'align 0',
      ],
    ])
    const training = acts.indexOf('text Training')
    expect(acts.slice(training - 2, training + 2)).toEqual([
      ...['align 1', 'size 17', 'text Training', 'size 0'],
    ])
  })

  it.each([
    [80, 48, 6],
    [72, 42, 4],
    [58, 32, 4],
    [48, 32, 4],
  ])('on %i mm has %i columns and modules of %i dots', async (widthMm, columns, module) => {
    const { acts } = print(await drawn(RECEIPT, 'escpos', { widthMm }), EPSON_TABLE)
    expect(acts).toContain(`module ${module}`)
    expect(acts).toContain(`text ${'-'.repeat(columns)}`)
    for (const act of acts) {
      if (act.startsWith('text ')) expect(act.length - 'text '.length).toBeLessThanOrEqual(columns)
    }
  })

  it.each([
    [80, 'size 17'],
    [58, 'bold 1'],
  ])('on %i mm no word of the law is cut to be larger', async (widthMm, style) => {
    // § 17 (4) RKSV: the fixed text in base64 stands where the signature would be
    const failed = Buffer.from('Sicherheitseinrichtung ausgefallen').toString('base64')
    const signature = { ftSignatureFormat: 3, Data: `_R1-AT1_K_1_${failed}` }
    const receipt = issued({ response: JSON.stringify({ ftSignatures: [signature] }) })
    const { acts } = print(await drawn(receipt, 'escpos', { widthMm }), EPSON_TABLE)
    const at = acts.findIndex((act) => act.startsWith('text Sicherheit'))
    expect(acts[at]).toBe('text Sicherheitseinrichtung')
    expect(acts[at - 1]).toBe(style)
    expect(acts.slice(at).find((act) => act.includes('gefallen'))).toBe('text ausgefallen')
  })

  it('draws lines with letters that the code page has not, in their place', async () => {
    const { acts } = print(await drawn(RECEIPT, 'escpos'), EPSON_TABLE)
    const texts = acts.filter((act) => act.startsWith('text '))
    expect(texts.join()).not.toMatch(/Käse|\?/)
    expect(acts.filter((act) => act.startsWith('picture'))).toEqual(['picture 576x24 ink'])
    const star = print(await drawn(RECEIPT, 'escpos', { brand: 'star' }), STAR_TABLE).acts
    const at = star.indexOf('picture 576x24 ink')
    expect(star.slice(at - 1, at + 2)).toEqual(['gap', 'picture 576x24 ink', 'line'])
    expect(texts).toContain('text   2 \u00d7 3,80 €')
    expect(texts.join()).not.toContain('nicht auf Papier')
  })

  it('has simpler signs of print, and question marks for what no font has', async () => {
    const { acts } = print(await drawn(soldItems(['L’eau – „x“ …\u{e000}']), 'escpos'), EPSON_TABLE)
    const texts = acts.filter((act) => act.startsWith('text '))
    expect(texts.some((text) => text.includes(`L'eau - "x" ...?`))).toBe(true)
    expect(acts.some((act) => act.startsWith('picture'))).toBe(false)
  })

  it('of Star speaks its commands', async () => {
    const { acts } = print(await drawn(RECEIPT, 'escpos', { brand: 'star' }), STAR_TABLE)
    expect(acts.slice(0, 2)).toEqual(['initialise', 'page 4'])
    expect(acts).toContain('code HELLO')
    expect(acts).toContain('size 11')
    expect(acts.at(-1)).toBe('cut')
  })

  it('of no brand is lines of text alone, the text of the code, and five line feeds', async () => {
    const bytes = await drawn(RECEIPT, 'escpos', { brand: 'none' })
    const text = iconv.decode(bytes, 'cp858')
    expect(text).toMatch(/Käse \?{4} \?\? \? +7,60 A\n/)
    expect(text).toMatch(/\nHELLO\n{5}$/)
    expect([...bytes].every((one) => one === 0x0a || one >= 0x20)).toBe(true)
  })

  it('prints the text of a code that has no room on the paper', async () => {
    const long = issued({
      response: `{"ftSignatures":[{"ftSignatureFormat":3,"Data":"${'x'.repeat(2000)}"}]}`,
    })
    const { acts } = print(await drawn(long, 'escpos', { widthMm: 48 }), EPSON_TABLE)
    expect(acts.some((act) => act.startsWith('code '))).toBe(false)
    expect(acts).toContain(`text ${'x'.repeat(32)}`)
  })

  it('prints 500 items', async () => {
    const names = Array.from({ length: 500 }, (_, at) => `Artikel ${at + 1}`)
    const { acts } = print(await drawn(soldItems(names), 'escpos'), EPSON_TABLE)
    expect(acts.filter((act) => act.startsWith('text Artikel '))).toHaveLength(500)
  })
})
