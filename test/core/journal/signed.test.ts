import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withWords } from '../../../src/case/reader.js'
import { decodeRequest } from '../../../src/model/receipt-json.js'
import { decodeResponse } from '../../../src/model/stored-texts.js'
import { storedItems } from '../../../src/store/journal/journal-items.js'
import { journalText } from '../../support/journal.js'
import { openShop, type Shop } from '../../support/shop.js'

// What the exports assume of the rows that the sign path really writes.

let shop: Shop
const RECEIPTS = 700

beforeAll(async () => {
  shop = await openShop()
  const work: Promise<unknown>[] = []
  for (let number = 1; number <= RECEIPTS; number += 1) work.push(sign(number))
  await Promise.all(work)
})

afterAll(() => shop.close())

/** Every tenth one breaks a rule of the market and gets no receipt number. */
function sign(number: number) {
  const receiptCase = number % 10 === 0 ? 4707387510509010946n : 4707387510509010945n
  const requestText =
    `{"ftCashBoxID":"${shop.box.cashBoxId}","cbReceiptReference":"${randomUUID()}",` +
    `"cbReceiptMoment":"2026-03-14T10:00:00Z","ftReceiptCase":${receiptCase},"cbChargeItems":[` +
    `{"Amount":${number}.10,"VATRate":20,"ftChargeItemCase":4707387510509010947}]}`
  return shop.deps.signing.sign({
    accountId: shop.demo.operator.accountId,
    cashBoxId: shop.box.cashBoxId,
    queueId: shop.box.queueId,
    market: 'AT',
    version: 'v1',
    ...withWords(decodeRequest(requestText).request),
    requestText,
    style: { wcfDates: false, pascal: false },
  })
}

function call() {
  const queue = { accountId: shop.demo.operator.accountId, queueId: shop.box.queueId }
  return { store: shop.deps.store, queue }
}

describe('rows that the sign path wrote', () => {
  it('have every receipt beside its item, and none beside a refused one', async () => {
    const { store, queue } = call()
    const range = { from: 0n, to: 0n }
    let row = 0
    let number = 0
    for await (const page of storedItems(store, { key: queue, range })) {
      for (const item of page) {
        row += 1
        const { state, receiptIdentification } = decodeResponse(item.response ?? '')
        const refused = (state & 0xffff_ffffn) === 0xeeee_eeeen
        if (!refused) number += 1
        expect(item.row).toBe(row)
        expect(item.receiptNumber).toBe(refused ? null : number)
        if (refused) continue
        const shown = (number - 1).toString(16).toUpperCase()
        expect(receiptIdentification.startsWith(`ft${shown}#`)).toBe(true)
      }
    }
    // the start receipt of the demo comes first
    expect([row, number]).toEqual([RECEIPTS + 1, RECEIPTS + 1 - RECEIPTS / 10])
  })

  it('give the same join for a slice as for the whole', async () => {
    const { store, queue } = call()
    const numbers = new Map<number, number | null>()
    const stamps: bigint[] = []
    for await (const page of storedItems(store, { key: queue, range: { from: 0n, to: 0n } })) {
      for (const item of page) {
        numbers.set(item.row, item.receiptNumber)
        stamps.push(item.timeStamp)
      }
    }
    const range = { from: stamps[123] ?? 0n, to: -7n }
    for await (const page of storedItems(store, { key: queue, range })) {
      expect(page.map((item) => item.row)).toEqual([124, 125, 126, 127, 128, 129, 130])
      for (const item of page) expect(item.receiptNumber).toBe(numbers.get(item.row))
    }
  })

  it('have hashes that fit their texts in every journal', async () => {
    const rows = JSON.parse(await journalText(call(), 3n)) as Record<string, string>[]
    expect(rows).toHaveLength(RECEIPTS + 1)
    for (const row of rows) {
      for (const name of ['request', 'response']) {
        const hash = createHash('sha256')
          .update(row[name] ?? '')
          .digest('base64')
        expect(row[`${name}Hash`]).toBe(hash)
      }
    }
  })
})
