// The formats of an issued receipt, as a register and as a reader ask for them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, openDesk } from '../../support/issue-desk.js'
import type { Pair } from '../../support/pairs.js'
import { openShop, type Shop } from '../../support/shop.js'
import { signedPair } from '../../support/signed-pair.js'

let shop: Shop
let desk: Desk
let pair: Pair
beforeAll(async () => {
  shop = await openShop({ DATABASE_POOL: '4' }, undefined, { countries: ['AT'] })
  desk = await openDesk(shop)
  pair = await signedPair(shop)
  expect((await desk.post('/issue', pair.body)).status).toBe(201)
})
afterAll(async () => {
  await desk.close()
  await shop.close()
})

function read(headers: Record<string, string>, query = '') {
  const { queueId, queueItemId } = pair
  return desk.get(`/issue/${queueId}/${queueItemId}${query}`, { headers })
}

function open(headers: Record<string, string>, query = '') {
  const { queueId, queueItemId } = pair
  return shop.app.inject({ url: `/${queueId}/${queueItemId}${query}`, headers })
}

/** Width of a PNG (PNG specification, 11.2.2). */
const pixelsOf = (png: Buffer): number => png.readUInt32BE(16)

describe('what a register is given', () => {
  it.each([
    ['application/pdf', 'application/pdf', '%PDF-1.7'],
    ['image/png', 'image/png', '\u0089PNG'],
    ['image/jpeg', 'image/jpeg', '\u00ff\u00d8\u00ff'],
    ['text/html', 'text/html; charset=utf-8', '<!doctype html>'],
    ['text/vnd.esc-pos', 'text/vnd.esc-pos; charset=utf-8; width=80mm', '\u001b@\u001bt\u0013'],
    ['application/pdf;q=0.5, image/png', 'image/png', '\u0089PNG'],
    ['*/*', 'application/json; charset=utf-8', '{'],
  ])('Accept %s gives %s', async (accept, type, start) => {
    const answer = await read({ accept })
    expect([answer.status, answer.headers['content-type']]).toEqual([200, type])
    expect(answer.bytes.toString('latin1').slice(0, start.length)).toBe(start)
  })

  it('refuses what there is not', async () => {
    expect((await read({ accept: 'application/zip' })).status).toBe(400)
    expect((await read({}, '?format=docx')).status).toBe(400)
  })

  it.each([
    ['image/png;width=58mm', 464, '58mm'],
    ['image/png;width=48mm', 384, '48mm'],
    ['image/png;width=74mm', 592, '74mm'],
    ['image/png;width=20mm', 320, '40mm'],
    ['image/png;width=500mm', 960, '120mm'],
    ['image/png', 640, '80mm'],
  ])('%s is %i pixels wide', async (accept, pixels, width) => {
    const answer = await read({ accept })
    expect(pixelsOf(answer.bytes)).toBe(pixels)
    expect(answer.headers['x-print-width']).toBe(width)
    expect(answer.headers['content-type']).toBe('image/png')
  })

  it.each([
    ['abc', '80mm', 640],
    ['72mm', '72mm', 576],
  ])('x-print-width %s is answered with %s', async (given, applied, pixels) => {
    const answer = await read({ accept: 'image/png', 'x-print-width': given })
    expect(answer.headers['x-print-width']).toBe(applied)
    expect(pixelsOf(answer.bytes)).toBe(pixels)
  })

  it.each([
    ['text/vnd.esc-pos;charset=utf-8;width=74mm', '72mm'],
    ['text/vnd.esc-pos;width=79mm', '72mm'],
    ['text/vnd.esc-pos;width=120mm', '80mm'],
    ['text/vnd.esc-pos;width=40mm', '48mm'],
    ['application/esc-pos-80mm', '80mm'],
    ['application/esc-pos-72mm', '72mm'],
    ['application/esc-pos-48mm', '48mm'],
  ])('%s is printed on %s', async (accept, width) => {
    const answer = await read({ accept })
    expect(answer.headers['x-print-width']).toBe(width)
    const type = `text/vnd.esc-pos; charset=utf-8; width=${width}`
    expect(answer.headers['content-type']).toBe(type)
  })

  it('marks a copy when that is asked for, and only then', async () => {
    expect((await read({}, '?format=txt&copy=true')).text).toContain('Duplikat')
    expect((await read({}, '?format=txt')).text).not.toContain('Duplikat')
  })
})

describe('what a reader is given', () => {
  it.each([
    ['html', 'text/html; charset=utf-8'],
    ['pdf', 'application/pdf'],
    ['png', 'image/png'],
    ['jpg', 'image/jpeg'],
    ['txt', 'text/plain; charset=utf-8'],
    ['escpos', 'text/vnd.esc-pos; charset=utf-8; width=80mm'],
  ])('?format=%s beats Accept', async (format, type) => {
    const answer = await open({ accept: 'text/html' }, `?format=${format}`)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, type])
  })

  it('the same receipt has the same bytes, however often it is drawn', async () => {
    const other = await openDesk(shop)
    for (const format of ['pdf', 'png', 'jpg', 'escpos']) {
      const first = await open({}, `?format=${format}`)
      const again = await open({}, `?format=${format}`)
      expect(again.rawPayload.equals(first.rawPayload), format).toBe(true)
    }
    await other.close()
  })
})
