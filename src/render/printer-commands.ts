// The commands of receipt printers: ESC/POS of Epson, line mode of Star.

/** A picture of black and white. */
export interface Dots {
  /** A multiple of eight. */
  width: number
  height: number
  isBlack(x: number, y: number): boolean
}

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
  /** A line that was drawn, and the feed behind it. */
  picture(dots: Dots): Buffer
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

/** Eight dots, beginning at a place and going on in a direction; what is beyond is white. */
function eight(from: number, isBlack: (at: number) => boolean): number {
  let byte = 0
  for (let at = 0; at < 8; at += 1) if (isBlack(from + at)) byte |= 0x80 >> at
  return byte
}

/** GS v 0: rows of dots; the paper goes on by as much as they are high. */
function rasterLine({ width, height, isBlack }: Dots): Buffer {
  const stride = width >> 3
  const rows = Buffer.alloc(stride * height)
  for (let at = 0; at < rows.length; at += 1) {
    const y = Math.floor(at / stride)
    rows[at] = eight((at % stride) * 8, (x) => isBlack(x, y))
  }
  const size = Buffer.of(stride & 0xff, stride >> 8, height & 0xff, height >> 8)
  return Buffer.concat([hex('1D 76 30 00'), size, rows])
}

const STRIP = 24

/** ESC X: columns of 24 dots; of several strips all but the last have no gap below. */
function columnLine({ width, height, isBlack }: Dots): Buffer {
  const parts: Buffer[] = []
  for (let top = 0; top < height; top += STRIP) {
    const columns = Buffer.alloc(width * 3)
    for (let at = 0; at < columns.length; at += 1) {
      const x = Math.floor(at / 3)
      columns[at] = eight(top + (at % 3) * 8, (y) => y < height && isBlack(x, y))
    }
    const spacing = top + STRIP < height ? hex('1B 30') : hex('1B 7A 01')
    parts.push(spacing, hex('1B 58'), Buffer.of(width & 0xff, width >> 8), columns, hex('0A'))
  }
  return Buffer.concat(parts)
}

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
  picture: rasterLine,
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
  picture: columnLine,
  end: hex('1B 64 02'),
}
