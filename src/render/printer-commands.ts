// The commands of receipt printers: ESC/POS of Epson, line mode of Star.

/** How a printer is told what letters cannot say. */
export interface Commands {
  /** Before anything else: forget the job before, code page 858. */
  start: Buffer
  /** To the page of Greek letters (ISO 8859-7) and back. */
  greek: readonly [on: Buffer, off: Buffer]
  bold: readonly [on: Buffer, off: Buffer]
  large: readonly [on: Buffer, off: Buffer]
  centre: readonly [on: Buffer, off: Buffer]
  /** A QR code of level M; `module` is the size of a module in dots. */
  code(data: Buffer, module: number): Buffer
  /** Paper out and cut. */
  end: Buffer
}

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')

/** Function `fn` of the symbol commands: two bytes of length, then class 31 and its data. */
function symbol(fn: string, data: Buffer): Buffer {
  const length = data.length + 2
  return Buffer.concat([
    hex('1D 28 6B'),
    Buffer.of(length & 0xff, length >> 8),
    hex(`31 ${fn}`),
    data,
  ])
}

const MODEL_2 = hex('32 00')
const LEVEL_M = Buffer.of(49)
const ALL_OF_IT = hex('30')

export const EPSON: Commands = {
  start: hex('1B 40 1B 74 13'),
  greek: [hex('1B 74 0F'), hex('1B 74 13')],
  bold: [hex('1B 45 01'), hex('1B 45 00')],
  large: [hex('1D 21 11'), hex('1D 21 00')],
  centre: [hex('1B 61 01'), hex('1B 61 00')],
  code: (data, module) =>
    Buffer.concat([
      symbol('41', MODEL_2),
      symbol('43', Buffer.of(module)),
      symbol('45', LEVEL_M),
      symbol('50', Buffer.concat([ALL_OF_IT, data])),
      symbol('51', ALL_OF_IT),
    ]),
  end: hex('1D 56 42 00'),
}

/** Largest module of a Star printer, in dots. */
const STAR_MODULE = 8

export const STAR: Commands = {
  start: hex('1B 40 1B 1D 74 04'),
  // as CP928, which has the letters in the same places
  greek: [hex('1B 1D 74 12'), hex('1B 1D 74 04')],
  bold: [hex('1B 45'), hex('1B 46')],
  large: [hex('1B 69 01 01'), hex('1B 69 00 00')],
  centre: [hex('1B 1D 61 01'), hex('1B 1D 61 00')],
  code: (data, module) =>
    Buffer.concat([
      hex('1B 1D 79 53 30 02 1B 1D 79 53 31 01 1B 1D 79 53 32'),
      Buffer.of(Math.min(module, STAR_MODULE)),
      hex('1B 1D 79 44 31 00'),
      Buffer.of(data.length & 0xff, data.length >> 8),
      data,
      hex('1B 1D 79 50'),
    ]),
  end: hex('1B 64 02'),
}
