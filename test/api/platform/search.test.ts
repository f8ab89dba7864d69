// What is found by names, ids, serial numbers and receipt numbers, and by whom.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AccountAccess, createAccount } from '../../../src/core/accounts/accounts.js'
import { putConnection } from '../../../src/store/account/connections.js'
import { newAccount } from '../../support/dealer.js'
import { accountHeaders, openPlatform, type PlatformShop } from '../../support/platform.js'

let shop: PlatformShop
let stranger: AccountAccess
beforeAll(async () => {
  shop = await openPlatform()
  stranger = await createAccount(
    { store: shop.deps.store, now: () => new Date() },
    { ...newAccount('PosOperator'), name: 'Bäckerei 100%_Korn' },
  )
})
afterAll(() => shop.close())

interface Hit {
  kind: string
  id: string
  title: string
  operatorId: string
  queueId: string | null
}

async function search(q: string, as: AccountAccess = shop.dealer): Promise<Hit[]> {
  const query = new URLSearchParams({ q })
  const answer = await fetch(`${shop.url}/platform/v1/search?${query}`, {
    headers: accountHeaders(as),
  })
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Hit[]
}

const sql = (text: string, values: unknown[] = []) => shop.deps.store.pool.query(text, values)
const one = async (text: string, values: unknown[] = []) => (await sql(text, values)).rows[0]
const idsOf = (hits: Hit[]) => hits.map(({ id }) => id)

describe('what is looked for', () => {
  it('by its whole id is found, whatever it is, and by nobody else', async () => {
    const { cashBoxId, queueId, scuIds } = shop.box
    await shop.receipt()
    const outlet = await one('select id from outlet where account_id = $1', [shop.operatorId])
    const item = await one('select id from queue_item where queue_id = $1 limit 1', [queueId])
    for (const [kind, id = ''] of [
      ...([
        ['operator', shop.operatorId],
        ['outlet', outlet.id],
        ['cashbox', cashBoxId],
      ] as const),
      ...([
        ['queue', queueId],
        ['scu', scuIds[0]],
        ['receipt', item.id],
      ] as const),
    ]) {
      const hits = await search(id.toUpperCase())
      expect(hits).toMatchObject([{ kind, id, operatorId: shop.operatorId }])
      expect(await search(id, stranger)).toEqual([])
    }
    expect((await search(item.id))[0]?.queueId).toBe(queueId)
    expect(await search(randomUUID())).toEqual([])
  })

  it('by part of a name is found, the nearest first; marks of patterns are letters', async () => {
    await sql(`update cash_box set description = 'Theke Süd 3' where id = $1`, [shop.box.cashBoxId])
    await sql(`update scu set description = 'Einheit der Theke' where id = $1`, [
      shop.box.scuIds[0],
    ])
    const hits = await search('THEKE')
    expect(idsOf(hits)).toEqual([shop.box.cashBoxId, shop.box.scuIds[0]])
    expect(hits[0]).toMatchObject({ title: 'Theke Süd 3' })
    expect(idsOf(await search('süd 3'))).toEqual([shop.box.cashBoxId])
    expect(await search('theke', stranger)).toEqual([])
    expect(idsOf(await search('100%_korn', stranger))).toContain(stranger.accountId)
    expect(await search('1%korn', stranger)).toEqual([])
    expect(await search('th_ke')).toEqual([])
  })

  it('by the beginning of its serial number is found', async () => {
    const { serial } = await one('select serial from unit_fact where scu_id = $1', [
      shop.box.scuIds[0],
    ])
    for (const text of [serial, serial.slice(0, 9).toUpperCase(), serial.replace('0x', '')]) {
      expect(await search(text)).toMatchObject([{ kind: 'scu', id: shop.box.scuIds[0] }])
      expect(await search(text, stranger)).toEqual([])
    }
  })
})

it('receipts are found by number, by what is printed and by what the register says', async () => {
  const { queueId } = shop.box
  for (let at = 0; at < 9; at += 1) await shop.receipt()
  const { identification } = await one('select identification from queue where id = $1', [queueId])
  const rows = (
    await sql(
      `select j.receipt_number::int as number, i.id, i.receipt_reference as reference, i.response
       from receipt_journal j join queue_item i on i.id = j.queue_item_id
       where j.queue_id = $1 order by j.receipt_number`,
      [queueId],
    )
  ).rows
  expect(rows.length).toBeGreaterThan(9)
  for (const { number, id, reference, response } of rows) {
    const printed = JSON.parse(response).ftReceiptIdentification as string
    for (const text of [`${identification}#${number}`, `${queueId}#${number}`, String(number)]) {
      expect([text, idsOf(await search(text)).filter((hit) => hit === id)]).toEqual([text, [id]])
      expect(idsOf(await search(text, stranger))).not.toContain(id)
    }
    expect([printed, number, idsOf(await search(printed))]).toEqual([printed, number, [id]])
    if (reference !== null && reference !== '') {
      expect(await search(reference)).toMatchObject([{ kind: 'receipt', id, queueId }])
    }
  }
  expect(await search(`${identification}#999999`)).toEqual([])
  expect(await search(`${identification}#0`)).toEqual([])
})

it('who may no longer read finds nothing; a new name is found instead of the old one', async () => {
  await sql('update account set name = $2 where id = $1', [stranger.accountId, 'Vormals Mayer'])
  const { dealer } = shop
  const between = { accountId: dealer.accountId, toAccountId: stranger.accountId }
  const connect = (rights: 'Read' | 'None') =>
    putConnection(shop.deps.store, {
      ...{ ...between, id: randomUUID(), rights, state: 'active', createdAt: new Date() },
    })
  expect(await search('vormals mayer')).toEqual([])
  await connect('Read')
  expect(idsOf(await search('vormals mayer'))).toEqual([stranger.accountId])
  const former = await search('100%_korn')
  expect(former.filter(({ kind }) => kind === 'operator')).toEqual([])
  await connect('None')
  expect(await search('vormals mayer')).toEqual([])
})

it.each(['', 'q=', `q=${'x'.repeat(101)}`, 'q=abc&limit=51'])('%s is refused', async (query) => {
  const answer = await fetch(`${shop.url}/platform/v1/search?${query}`, {
    headers: accountHeaders(shop.dealer),
  })
  expect(answer.status).toBe(400)
})
