// Logos: whatever comes in is a small PNG or JPEG afterwards, or refused; nothing inside is asked.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32, deflateSync } from 'node:zlib'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { logoFrom } from '../../../../src/core/receipts/branding/logo.js'
import { sizeOf } from '../../../../src/core/receipts/branding/picture-size.js'
import { smallLogo } from '../../../../src/core/receipts/branding/small-logo.js'
import { createOutbound, type OutboundCall } from '../../../../src/device/outbound.js'
import { FiscalError } from '../../../../src/errors.js'

const nobody = () => {
  throw new Error('nothing is to be asked')
}

/** A picture that no compression makes small. */
function noisy(width: number, height: number) {
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  const image = context.createImageData(width, height)
  let seed = 1
  for (let at = 0; at < image.data.length; at += 1) {
    seed = (seed * 48_271) % 0x7fffffff
    image.data[at] = at % 4 === 3 ? 255 : seed & 0xff
  }
  context.putImageData(image, 0, 0)
  return canvas
}

function plain(width: number, height: number): Buffer {
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#1f5fa8'
  context.fillRect(0, 0, width, height)
  return canvas.toBuffer('image/png')
}

const dataUrl = (bytes: Buffer, type = 'image/png'): string =>
  `data:${type};base64,${bytes.toString('base64')}`

const made = (source: string, fetch: OutboundCall = nobody) =>
  logoFrom(source, { fetch, drawLogo: smallLogo, line: 'x' })

async function refusal(source: string, fetch = nobody as never): Promise<unknown> {
  const error = await made(source, fetch).catch((thrown: unknown) => thrown)
  if (!(error instanceof FiscalError)) throw new Error(`expected a refusal, got ${String(error)}`)
  return error.code
}

describe('a picture that is sent', () => {
  it.each([
    [1200, 600, 400, 200],
    [200, 100, 200, 100],
    [100, 1000, 40, 400],
    [1, 1, 1, 1],
  ])('%i x %i is kept as %i x %i', async (width, height, keptWidth, keptHeight) => {
    const logo = await made(dataUrl(plain(width, height)))
    expect(logo.type).toBe('image/png')
    expect(logo.url).toBeNull()
    const image = await loadImage(logo.data)
    expect([image.width, image.height]).toEqual([keptWidth, keptHeight])
  })

  it('of many colours becomes smaller until it has 20 kB', async () => {
    const jpeg = await noisy(500, 250).encode('jpeg', 60)
    expect(jpeg.length).toBeGreaterThan(20_000)
    const logo = await made(dataUrl(jpeg, 'image/jpeg'))
    expect(logo.data.length).toBeLessThanOrEqual(20_000)
    const image = await loadImage(logo.data)
    expect(image.width / image.height).toBeCloseTo(2, 1)
  })

  it('is drawn anew: nothing that was hidden in the file is kept', async () => {
    const secret = Buffer.from('<?php secret-marker ?>')
    const logo = await made(dataUrl(Buffer.concat([plain(50, 50), secret])))
    expect(logo.data.includes('secret-marker')).toBe(false)
  })

  it.each([
    ['an SVG', dataUrl(Buffer.from('<svg onload="x"/>'), 'image/svg+xml')],
    ['an SVG that says it is a PNG', dataUrl(Buffer.from('<svg xmlns="x"/>'))],
    ['a GIF', dataUrl(Buffer.from('R0lGODlhAQABAAAAACw=', 'base64'), 'image/gif')],
    ['a page', 'data:text/html;base64,PHNjcmlwdD4='],
    ['nothing', 'data:image/png;base64,'],
    ['text that is no base64', 'data:image/png,%89PNG'],
    ['a broken PNG', dataUrl(plain(50, 50).subarray(0, 40))],
  ])('%s is refused', async (_what, source) => {
    expect(await refusal(source)).toBe('FIELD_INVALID')
  })

  it('a small file that is a huge picture is refused before any thread sees it', async () => {
    const untouched = { fetch: nobody, drawLogo: nobody, line: 'x' }
    for (const side of [60_000, 8_000]) {
      const bomb = logoFrom(dataUrl(hugePng(side, side)), untouched)
      await expect(bomb).rejects.toMatchObject({ code: 'FIELD_INVALID' })
    }
    expect(await refusal(dataUrl(hugePng(60_000, 60_000)))).toBe('FIELD_INVALID')
    expect(await refusal(dataUrl(hugePng(8_000, 8_000)))).toBe('FIELD_INVALID')
  })

  it('more than 200,000 bytes are refused', async () => {
    const bytes = Buffer.concat([plain(50, 50), Buffer.alloc(200_000)])
    expect(await refusal(dataUrl(bytes))).toBe('FIELD_INVALID')
  })
})

/** A PNG whose head says how big it is; its data are nothing but that. */
function hugePng(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 6, 0, 0, 0], 8)
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data])
    const edge = Buffer.alloc(8)
    edge.writeUInt32BE(data.length, 0)
    edge.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([edge.subarray(0, 4), body, edge.subarray(4)])
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const data = deflateSync(Buffer.from('not a picture'))
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', data)])
}

describe('size', () => {
  it('of a PNG and a JPEG is read from the file', async () => {
    expect(sizeOf(plain(120, 34))).toEqual({ width: 120, height: 34 })
    expect(sizeOf(await noisy(120, 34).encode('jpeg', 80))).toEqual({ width: 120, height: 34 })
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a head alone', Buffer.from([0xff, 0xd8, 0xff])],
    ['a JPEG without frame', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0])],
    ['a JPEG of fill bytes', Buffer.alloc(50_000, 0xff).fill(Buffer.from([0xff, 0xd8]), 0, 2)],
    ['a JPEG with a segment of no length', Buffer.from('ffd8ffe00000ffe00000ffe00000', 'hex')],
    ['no picture', Buffer.from('<svg/>')],
  ])('of %s is unknown', (_what, bytes) => {
    expect(sizeOf(bytes)).toBeUndefined()
  })
})

describe('an address', () => {
  let server: Server
  let port: number
  const asked: string[] = []
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? '')
      if (request.url === '/logo.png') return response.end(plain(80, 40))
      if (request.url === '/big') return response.end(Buffer.alloc(300_000))
      if (request.url === '/moved') {
        return response.writeHead(302, { location: '/logo.png' }).end()
      }
      return response.writeHead(404).end('no')
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => void server.close())

  it('that may be reached is fetched once', async () => {
    const fetch = createOutbound({ allow: [`127.0.0.1:${port}`] })
    const url = `http://127.0.0.1:${port}/logo.png`
    const logo = await made(url, fetch)
    expect([logo.type, logo.url]).toEqual(['image/png', url])
    expect(asked).toEqual(['/logo.png'])
  })

  it.each(['/big', '/moved', '/none'])('%s gives no logo, and no reason', async (path) => {
    const fetch = createOutbound({ allow: [`127.0.0.1:${port}`] })
    expect(await refusal(`http://127.0.0.1:${port}${path}`, fetch as never)).toBe('FIELD_INVALID')
  })

  it('inside is never asked, however it is written', async () => {
    asked.length = 0
    const fetch = createOutbound({ allow: [] })
    const inside = [
      `http://127.0.0.1:${port}/logo.png`,
      `http://localhost:${port}/logo.png`,
      `http://[::1]:${port}/logo.png`,
      `http://[::ffff:127.0.0.1]:${port}/logo.png`,
      `http://2130706433:${port}/logo.png`,
      'http://169.254.169.254/latest/meta-data/',
      'file:///etc/passwd',
      'ftp://127.0.0.1/x',
      'javascript:alert(1)',
      'x',
    ]
    const told = await Promise.all(inside.map((url) => refusal(url, fetch as never)))
    expect(new Set(told)).toEqual(new Set(['FIELD_INVALID']))
    expect(asked).toEqual([])
  })
})
