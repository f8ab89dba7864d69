// Width and height of a PNG or JPEG, from its first bytes, without decoding it.

export interface PictureSize {
  width: number
  height: number
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const JPEG = Buffer.from([0xff, 0xd8, 0xff])

/** Undefined for everything else, and for a picture without area. */
export function sizeOf(bytes: Buffer): PictureSize | undefined {
  const size = bytes.subarray(0, PNG.length).equals(PNG)
    ? pngSize(bytes)
    : bytes.subarray(0, JPEG.length).equals(JPEG)
      ? jpegSize(bytes)
      : undefined
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined
}

/** The first chunk is IHDR (PNG specification, 5.6). */
function pngSize(bytes: Buffer): PictureSize | undefined {
  if (bytes.length < 24 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** Markers of frames (ITU T.81, table B.1): C0 to CF without DHT, JPG and DAC. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

function jpegSize(bytes: Buffer): PictureSize | undefined {
  let at = 2
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    if (isFrame(marker)) {
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    }
    // fill bytes stand before a marker
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}
