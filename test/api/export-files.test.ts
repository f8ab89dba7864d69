// What an export is called when it is kept: every type of both countries through groups B and D, in
// every form, with the character set of its text.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPosShop, type PosBox, type PosShop } from '../support/pos-shop.js'
import { wireHeaders } from '../support/pos-wire.js'

let shop: PosShop
beforeAll(async () => {
  shop = await openPosShop()
  const one = { Quantity: 1, Description: 'x', Amount: 1, VATRate: 19 }
  const base = { cbTerminalID: '1', cbReceiptMoment: '2026-01-31T10:15:00Z' }
  for (const cbReceiptReference of ['sale', 'closing']) {
    const isSale = cbReceiptReference === 'sale'
    const ftReceiptCase = isSale ? 0x4445_2000_0000_0001n : 0x4445_2000_0000_2011n
    const items = { cbChargeItems: isSale ? [one] : [], cbPayItems: [] }
    const body = { ...base, ...items, cbReceiptReference, ftReceiptCase }
    const reply = await shop.send(shop.de, '/v2/sign', body)
    expect(reply.status, reply.text).toBe(201)
  }
}, 60_000)
afterAll(() => shop.close())

const JSON_TYPE = 'application/json; charset=utf-8'
const CSV_TYPE = 'text/csv; charset=utf-8'
const XML_TYPE = 'application/xml; charset=utf-8'
const TAR_TYPE = 'application/octet-stream'
const ZIP_TYPE = 'application/zip'

type Case = readonly [market: 'at' | 'de', type: string, format: string, form: string, end: string]

const rows = (market: 'at' | 'de', raw: string): Case[] =>
  ['0x1', '0x2', '0x3', raw].flatMap((type): Case[] => [
    [market, type, 'csv', CSV_TYPE, 'csv'],
    [market, type, 'xml', XML_TYPE, 'xml'],
  ])

const exportsOfB: readonly Case[] = [
  ['at', '0x4154000000000001', '', JSON_TYPE, 'json'],
  ['at', '0x4154200000001002', '', JSON_TYPE, 'json'],
  ['at', '0x4154000000000131', '', JSON_TYPE, 'json'],
  ['at', '0x4154000000000132', '', CSV_TYPE, 'csv'],
  ['at', '0x4154200000011001', '', ZIP_TYPE, 'zip'],
  ['at', '0x4154200000011002', '', ZIP_TYPE, 'zip'],
  ['de', '0x4445000000000001', '', TAR_TYPE, 'tar'],
  ['de', '0x4445000000000002', '', ZIP_TYPE, 'zip'],
  ['de', '0x4445000000000003', '', TAR_TYPE, 'tar'],
  ['de', '0x4445200000001001', '', TAR_TYPE, 'tar'],
  ['de', '0x4445200000001002', '', ZIP_TYPE, 'zip'],
  ['de', '0x4445200000001003', '', TAR_TYPE, 'tar'],
  ['de', '0x4445200000011001', '', ZIP_TYPE, 'zip'],
  ['de', '0x4445200000011002', '', ZIP_TYPE, 'zip'],
  ...rows('at', '0x4154'),
  ...rows('de', '0x4445'),
]
const exportsOfD = exportsOfB.filter(([, , format]) => format === '')

/** What programs read and nobody keeps. */
const readOnly: readonly (readonly ['at' | 'de', string])[] = [
  ...(['at', 'de'] as const).flatMap((market) =>
    ['0x0', '0x1', '0x2', '0x3', '0xff'].map((type) => [market, type] as const),
  ),
  ['at', '0x4154'],
  ['at', '0x4154000000000000'],
  ['de', '0x4445000000000000'],
]

interface Told {
  status: number
  type: string | null
  disposition: string | null
}

async function told(answer: Response): Promise<Told> {
  await answer.arrayBuffer()
  const { status, headers } = answer
  return {
    status,
    type: headers.get('content-type'),
    disposition: headers.get('content-disposition'),
  }
}

const boxOf = (market: 'at' | 'de'): PosBox => shop[market]
const loginOf = ({ cashBoxId, accessToken }: PosBox) => ({
  cashboxid: cashBoxId,
  accesstoken: accessToken,
})

async function throughB(market: 'at' | 'de', type: string, format = ''): Promise<Told> {
  const box = boxOf(market)
  const query = `type=${type}${format === '' ? '' : `&format=${format}`}`
  const url = `${shop.url}/${box.queueId}/json/v1/journal?${query}`
  return told(await fetch(url, { method: 'POST', headers: loginOf(box) }))
}

async function throughD(market: 'at' | 'de', type: string): Promise<Told> {
  const headers = wireHeaders(boxOf(market), { 'content-type': 'application/json' })
  const body = JSON.stringify({ ftJournalType: type })
  return told(
    await fetch(`${shop.url}/v2/journal`, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body,
    }),
  )
}

const identificationOf = async (market: 'at' | 'de') =>
  String(
    (await shop.rows('select identification from queue where id = $1', [boxOf(market).queueId]))[0]
      ?.identification,
  )
const wordOf = (type: string) => `0x${BigInt(type).toString(16).toUpperCase().padStart(16, '0')}`

describe('an export is a file named for its register and its type', () => {
  it.each(exportsOfB)('group B, %s, type %s, format "%s": %s, .%s', async (...one) => {
    const [market, type, format, form, end] = one
    const name = `${await identificationOf(market)}_${wordOf(type)}.${end}`
    expect(await throughB(market, type, format)).toEqual({
      status: 200,
      type: form,
      disposition: `attachment; filename="${name}"`,
    })
  })

  it.each(exportsOfD)('group D, %s, type %s%s: %s, .%s', async (market, type, _, form, end) => {
    const name = `${await identificationOf(market)}_${wordOf(type)}.${end}`
    expect(await throughD(market, type)).toEqual({
      status: 200,
      type: form,
      disposition: `attachment; filename="${name}"`,
    })
  })

  it.each(readOnly)('%s, type %s as JSON is none', async (market, type) => {
    const expected = { status: 200, type: JSON_TYPE, disposition: null }
    expect(await throughB(market, type)).toEqual(expected)
    expect(await throughD(market, type)).toEqual(expected)
  })
})

describe('a register with a name of another kind', () => {
  it.each([
    ['Kasse "1"; x', 'filename="Kasse-1-x_'],
    ['a\r\nSet-Cookie: b=c', 'filename="a-Set-Cookie-b-c_'],
    ['../..\\x', 'filename="x_'],
    ['Café 漢', 'filename="Caf_-__'],
  ])('%j harms no header', async (identification, start) => {
    for (const [market, type] of [
      ['at', '0x4154000000000132'],
      ['de', '0x4445200000011001'],
    ] as const) {
      const before = await identificationOf(market)
      const rename = 'update queue set identification = $2 where id = $1'
      await shop.rows(rename, [boxOf(market).queueId, identification])
      const answers = [await throughB(market, type), await throughD(market, type)]
      await shop.rows(rename, [boxOf(market).queueId, before])
      for (const { status, disposition } of answers) {
        expect(status).toBe(200)
        expect(disposition).toContain(start)
        expect(disposition).not.toMatch(/[^\x20-\x7e]|Cookie:/)
      }
    }
  })

  it('is told in UTF-8 as well where it is not ASCII', async () => {
    const before = await identificationOf('at')
    const rename = 'update queue set identification = $2 where id = $1'
    await shop.rows(rename, [shop.at.queueId, 'Café'])
    const { disposition } = await throughB('at', '0x4154000000000132')
    await shop.rows(rename, [shop.at.queueId, before])
    expect(disposition).toContain(`filename*=UTF-8''Caf%C3%A9_${wordOf('0x4154000000000132')}.csv`)
  })
})
