// A month of the journal: a slice by from and to, the same whenever it is asked for.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { austria } from '../../../src/market/at/index.js'
import { openShop, type Shop } from '../../support/shop.js'

const CASE = 0x4154_0000_0000_0000n
const MONTHLY = CASE + 5n

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

function post(path: string, body = ''): Promise<Response> {
  const { cashBoxId, accessToken, queueId } = shop.box
  const headers = { cashboxid: cashBoxId, accesstoken: accessToken }
  return fetch(`${shop.url}/${queueId}/json/v1/${path}`, { method: 'POST', headers, body })
}

async function sign(receiptCase: bigint, charges = '[]', pays = '[]'): Promise<void> {
  const answer = await post(
    'sign',
    '{"cbReceiptReference":"1","cbReceiptMoment":"2026-01-31T10:15:00Z",' +
      `"cbChargeItems":${charges},"cbPayItems":${pays},"ftReceiptCase":${receiptCase}}`,
  )
  expect(answer.status).toBe(200)
}

const sale = () =>
  sign(
    CASE + 1n,
    `[{"Amount":5,"VATRate":20,"ftChargeItemCase":${CASE + 3n}}]`,
    `[{"Amount":5,"ftPayItemCase":${CASE + 1n}}]`,
  )

/** Receipts of a DEP7, and its text. */
async function dep7(range: string): Promise<{ text: string; receipts: string[] }> {
  const text = await (await post(`journal?type=0x4154000000000001${range}`)).text()
  const groups = JSON.parse(text)['Belege-Gruppe'] as { 'Belege-kompakt': string[] }[]
  return { text, receipts: groups.flatMap((group) => group['Belege-kompakt']) }
}

async function newestTick(): Promise<bigint> {
  const found = await shop.deps.store.pool.query(
    'select max(time_stamp)::text as tick from market_row where queue_id = $1',
    [shop.box.queueId],
  )
  return BigInt(found.rows[0].tick)
}

it('the parameter for monthly files is taken, as text or as flag', () => {
  for (const given of ['true', 'false', true, false]) {
    const { EnableMonthlyExport } = austria.queue.configuration.parse({
      EnableMonthlyExport: given,
    }) as { EnableMonthlyExport: boolean }
    expect(EnableMonthlyExport).toBe(String(given) === 'true')
  }
})

it('a month is the slice between two monthly receipts, now and later, byte for byte', async () => {
  await sale()
  await sign(MONTHLY)
  const first = await newestTick()
  await sale()
  await sale()
  await sign(MONTHLY)
  const second = await newestTick()
  const range = `&from=${first + 1n}&to=${second}`
  const month = await dep7(range)
  expect(month.receipts).toHaveLength(3)

  await sale()
  await sign(MONTHLY)
  expect(await dep7(range)).toEqual(month)
  const whole = await dep7('')
  expect(whole.receipts.slice(3, 6)).toEqual(month.receipts)
  expect(whole.receipts).toHaveLength(8)
})
