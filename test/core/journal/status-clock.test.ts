// The status of a queue through the journal: what is due shows without a receipt, and the next
// answer says the same. Real receipts; only the moment of asking is a virtual one.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeResponse } from '../../../src/model/stored-texts.js'
import { journalText } from '../../support/journal.js'
import { openShop, type Shop } from '../../support/shop.js'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const DAY_MS = 86_400_000
const later = (days: number) => new Date(Date.now() + days * DAY_MS)
const boxOf = (market: string) => {
  const box = shop.demo.cashBoxes.find((one) => one.market === market)
  if (box === undefined) throw new Error(`no cash box of ${market}`)
  return box
}

async function statusOf(market: string, type: bigint, now: Date): Promise<bigint> {
  const queue = { accountId: shop.demo.operator.accountId, queueId: boxOf(market).queueId }
  const text = await journalText({ store: shop.deps.store, queue, now }, type)
  return BigInt(/"ftState":(\d+)/.exec(text)?.[1] ?? '-1')
}

async function signed(market: string, receiptCase: bigint): Promise<bigint> {
  const { cashBoxId, accessToken } = boxOf(market)
  const item = '{"Quantity":1,"Description":"x","Amount":1,"VATRate":19}'
  const items = `"cbChargeItems":[${item}],"cbPayItems":[]`
  const answer = await fetch(`${shop.url}/json/v1/sign`, {
    method: 'POST',
    headers: { cashboxid: cashBoxId, accesstoken: accessToken, 'content-type': 'application/json' },
    body:
      `{"ftCashBoxID":"${cashBoxId}","cbTerminalID":"1","cbReceiptReference":"${randomUUID()}",` +
      `"cbReceiptMoment":"${new Date().toISOString()}",${items},"ftReceiptCase":${receiptCase}}`,
  })
  const text = await answer.text()
  expect(answer.status, text).toBe(200)
  return decodeResponse(text).state
}

describe('the status of an Austrian queue', () => {
  it('is that of the next answer, and shows a monthly or yearly receipt once due', async () => {
    const state = await signed('AT', 0x4154_0000_0000_0001n)
    expect(await statusOf('AT', 0x4154_0000_0000_0000n, new Date())).toBe(state)
    expect(state).toBe(0x4154_0000_0000_0000n)
    const due = (await statusOf('AT', 0x4154_0000_0000_0000n, later(400))) & 0x30n
    expect(due).toBe(0x20n)
    expect(await statusOf('AT', 0x4154_2000_0000_1001n, later(400))).toBe(0x4154_2000_0000_0400n)
  })

  it('goes by the time of the queue where the clock of a server is behind', async () => {
    await signed('AT', 0x4154_0000_0000_0001n)
    expect(await statusOf('AT', 0x4154_0000_0000_0000n, new Date(0))).toBe(0x4154_0000_0000_0000n)
  })
})

describe('the status of a German queue', () => {
  it('shows a daily closing that is due, in version 2', async () => {
    await signed('DE', 0x4445_0001_0000_0001n)
    expect(await statusOf('DE', 0x4445_2000_0000_1000n, new Date())).toBe(0x4445_2000_0000_0000n)
    expect(await statusOf('DE', 0x4445_2000_0000_1000n, later(3))).toBe(0x4445_2000_0000_0100n)
    expect(await statusOf('DE', 0x4445_0000_0000_0000n, later(3))).toBe(0x4445_0000_0000_0000n)
    await signed('DE', 0x4445_0001_0000_0007n)
    expect(await statusOf('DE', 0x4445_2000_0000_1000n, later(30))).toBe(0x4445_2000_0000_0000n)
  })
})
