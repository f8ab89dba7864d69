// No picture is ever decoded or drawn in the thread that signs: in this one the library that does
// it throws whatever it is asked.
import { crc32, deflateSync } from 'node:zlib'
import { afterAll, expect, it, vi } from 'vitest'
import { logoFrom } from '../../../src/core/receipts/branding/logo.js'
import { createRendering } from '../../../src/core/receipts/rendering.js'
import { factsOf } from '../../../src/market/index.js'
import { soldItems, taskOf } from '../../support/drawn.js'

const { refuse, touched } = vi.hoisted(() => {
  const calls: string[] = []
  const refused = (name: string) =>
    function refusedHere() {
      calls.push(name)
      throw new Error(`${name} was called in the main thread`)
    }
  return { refuse: refused, touched: calls }
})
vi.mock('@napi-rs/canvas', () => ({
  createCanvas: refuse('createCanvas'),
  loadImage: refuse('loadImage'),
  Image: refuse('Image'),
  ImageData: refuse('ImageData'),
  GlobalFonts: { register: refuse('register'), registerFromPath: refuse('registerFromPath') },
}))

const log = { error: () => undefined }
const rendering = createRendering({ factsOf, threads: 1, cacheBytes: 1_000_000, log })
afterAll(() => rendering.close())

const nobody = () => {
  throw new Error('nothing is to be asked')
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** A grey picture: a few kilobytes that become megabytes when they are decoded. */
function bomb(side: number): string {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.set([8, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc(side * (side + 1)), { level: 9 })
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const chunks = [chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]
  return `data:image/png;base64,${Buffer.concat([signature, ...chunks]).toString('base64')}`
}

it.each(['html', 'txt', 'escpos', 'pdf', 'png', 'jpg'] as const)(
  'a receipt as %s is made without a canvas in this thread',
  async (format) => {
    const { bytes } = await rendering.render(taskOf(soldItems(['a']), format))
    expect(bytes.length).toBeGreaterThan(100)
    expect(touched).toEqual([])
  },
)

it('a logo is decoded and drawn small without a canvas in this thread', async () => {
  const tools = { fetch: nobody, drawLogo: rendering.drawLogo, line: 'one' }
  const logo = await logoFrom(bomb(2000), tools)
  expect(logo.type).toBe('image/png')
  expect(logo.data.length).toBeLessThanOrEqual(20_000)
  expect(touched).toEqual([])
})
