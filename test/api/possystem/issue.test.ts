// POST /issue: what is published, under which address, and who may not.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addForeignBox, headersOf } from '../../support/app.js'
import { type Desk, openDesk } from '../../support/issue-desk.js'
import { unknownPair } from '../../support/pairs.js'
import { austrianCase, saleText } from '../../support/receipts.js'
import { openShop, type Shop } from '../../support/shop.js'
import { issueAddress, signedPair } from '../../support/signed-pair.js'

let shop: Shop
let desk: Desk
beforeAll(async () => {
  shop = await openShop({ DATABASE_POOL: '6' }, undefined, { countries: ['AT'] })
  desk = await openDesk(shop)
})
afterAll(async () => {
  await desk.close()
  await shop.close()
})

const signed = (members: Parameters<typeof signedPair>[1] = {}) => signedPair(shop, members)
const address = issueAddress

async function documents(pair: { queueId: string; queueItemId: string }) {
  const { rows } = await shop.deps.store.pool.query(
    'select * from issued_receipt where queue_id = $1 and queue_item_id = $2',
    [pair.queueId, pair.queueItemId],
  )
  return rows
}

describe('201', () => {
  it('names queue, item, row and the public address of a signed receipt', async () => {
    const pair = await signed()
    const answer = await desk.post('/issue', pair.body)
    expect(answer.status).toBe(201)
    expect(answer.json()).toEqual({
      ftQueueID: pair.queueId,
      ftQueueItemID: pair.queueItemId,
      ftQueueRow: (JSON.parse(pair.response) as { ftQueueRow: number }).ftQueueRow,
      DocumentURL: `https://r.example/${pair.queueId}/${pair.queueItemId}`,
      DocumentContentType: 'text/html',
    })
  })

  it('publishes an empty pair with random ids and no state, as clients do', async () => {
    const pair = unknownPair()
    const answer = await desk.post('/issue', pair.body)
    expect(answer.status).toBe(201)
    expect(answer.json().ftQueueID).toBe(pair.queueId)
    expect(answer.json().ftQueueItemID).toBe(pair.queueItemId)
    expect((await documents(pair))[0]).toMatchObject({ row: null })
  })

  it('ids and members may be written in any case', async () => {
    const { queueId, queueItemId } = unknownPair()
    const response = `{"FTQUEUEID":"${queueId.toUpperCase()}","ftqueueitemid":"${queueItemId}"}`
    const body = `{"receiptrequest":{},"RECEIPTRESPONSE":${response}}`
    expect((await desk.post('/issue', body)).json()).toMatchObject({
      ftQueueID: queueId,
      DocumentURL: `https://r.example/${queueId}/${queueItemId}`,
    })
  })

  it('a repeated call gets the same bytes, and leaves one document', async () => {
    const pair = unknownPair()
    const operationId = randomUUID()
    const first = await desk.post('/issue', pair.body, { operationId })
    const second = await desk.post('/issue', pair.body, { operationId })
    expect([first.status, second.status]).toEqual([201, 200])
    expect(second.text).toBe(first.text)
    expect(await documents(pair)).toHaveLength(1)
  })

  it('a second issue with a new id has the same address and does not reset the state', async () => {
    const pair = await signed()
    await desk.post('/issue', pair.body)
    await desk.put(address(pair), '{"Action":"accept"}')
    const again = await desk.post('/issue', pair.body)
    expect(again.status).toBe(201)
    expect(again.json().DocumentURL).toBe(`https://r.example/${pair.queueId}/${pair.queueItemId}`)
    expect(await documents(pair)).toHaveLength(1)
    expect((await desk.get(`${address(pair)}/delivered`)).status).toBe(200)
  })

  it('twenty calls at once leave one document and twenty records', async () => {
    const pair = unknownPair()
    const ids = Array.from({ length: 20 }, () => randomUUID())
    const answers = await Promise.all(
      ids.map((operationId) => desk.post('/issue', pair.body, { operationId })),
    )
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 201))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await documents(pair)).toHaveLength(1)
    const { rows } = await shop.deps.store.pool.query(
      `select count(*)::int as n from operation where id = any($1::uuid[]) and state = 'done'
         and queue_item_id = $2`,
      [ids, pair.queueItemId],
    )
    expect(rows).toEqual([{ n: 20 }])
  })

  it('one call sent to two servers at once is one operation with one answer', async () => {
    const other = await openDesk(shop)
    const pair = unknownPair()
    const operationId = randomUUID()
    const answers = await Promise.all(
      [desk, other, desk, other].map((one) => one.post('/issue', pair.body, { operationId })),
    )
    await other.close()
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })

  it('a pair of more than three megabytes comes back digit by digit', async () => {
    const items = Array.from(
      { length: 9000 },
      (_, at) =>
        `{"Quantity":1,"Description":"${'ä'.repeat(150)}${at}","Amount":0.10,` +
        '"ftChargeItemCase":4707422694881099795}',
    )
    const request = `{"cbChargeItems":[${items.join(',')}],"ftReceiptCase":4707422694881099777}`
    const pair = unknownPair({ request, response: '"ftState":4707422694881099776' })
    expect(Buffer.byteLength(pair.body)).toBeGreaterThan(3_000_000)
    expect((await desk.post('/issue', pair.body)).status).toBe(201)
    expect((await desk.get(address(pair))).text).toBe(pair.body)
  })

  it('without PUBLIC_URL the address is the one that the caller used', async () => {
    const local = await openDesk(shop, { publicUrl: undefined })
    const pair = unknownPair()
    const headers = { host: 'till.local:8080' }
    const answer = await local.post('/issue', pair.body, { headers })
    const hostile = await local.post('/issue', unknownPair().body, {
      headers: { host: 'a"><b>' },
    })
    await local.close()
    expect(answer.json().DocumentURL).toBe(
      `http://till.local:8080/${pair.queueId}/${pair.queueItemId}`,
    )
    expect([hostile.status, hostile.json().code]).toEqual([400, 'HEADER_INVALID'])
  })
})

describe('a receipt of our own queue', () => {
  it('is published as it is stored, and a body that differs is noted', async () => {
    const pair = await signed()
    const body = pair.body.replace('"Amount":4.9,"VATRate"', '"Amount":499.9,"VATRate"')
    expect(body).not.toBe(pair.body)
    expect((await desk.post('/issue', body)).status).toBe(201)
    const shown = await desk.get(address(pair))
    expect(shown.text).toContain('"Amount":4.9,')
    expect(shown.text).not.toContain('499.9')
    expect(await documents(pair)).toMatchObject([{ request: null, warning: 'cbChargeItems' }])
    expect(desk.warnings.at(-1)).toMatchObject({ warning: 'cbChargeItems' })
  })

  it('without zeros and nulls, as clients write it anew, it is the same receipt', async () => {
    const pair = await signed()
    const response = JSON.parse(pair.response) as Record<string, unknown>
    delete response.ftState
    delete response.ftReceiptHeader
    const body = `{"ReceiptRequest":${pair.request},"ReceiptResponse":${JSON.stringify(response)}}`
    expect((await desk.post('/issue', body)).status).toBe(201)
    expect(await documents(pair)).toMatchObject([{ warning: null }])
  })
})

describe('400', () => {
  const queueId = randomUUID()
  const queueItemId = randomUUID()
  const pairOf = (request: string, response: string): string =>
    `{"ReceiptRequest":${request},"ReceiptResponse":${response}}`
  const ids = `"ftQueueID":"${queueId}","ftQueueItemID":"${queueItemId}"`

  it.each([
    ['', 'BODY_MISSING'],
    ['[]', 'BODY_MALFORMED'],
    ['{', 'BODY_MALFORMED'],
    ['{}', 'FIELD_MISSING'],
    ['{"ReceiptRequest":{}}', 'FIELD_MISSING'],
    [pairOf('"x"', `{${ids}}`), 'FIELD_INVALID'],
    [pairOf('{}', '{}'), 'FIELD_MISSING'],
    [pairOf('{}', `{"ftQueueID":"","ftQueueItemID":"${queueItemId}"}`), 'FIELD_MISSING'],
    [pairOf('{}', `{"ftQueueID":"7","ftQueueItemID":"${queueItemId}"}`), 'FIELD_INVALID'],
    [pairOf('{}', `{"ftQueueID":"${queueId}","ftQueueItemID":[1]}`), 'FIELD_INVALID'],
    [pairOf('{}', `{${ids},"ftState":4707422698889735918}`), 'FIELD_INVALID'],
    [pairOf('{}', `{${ids},"ftState":"0x4154_2000_FFFF_FFFF"}`), 'FIELD_INVALID'],
    [pairOf('{}', `{${ids},"ftState":1.5}`), 'FIELD_INVALID'],
    [pairOf(`{"ftCashBoxID":"${queueId}"}`, `{${ids}}`), 'FIELD_INVALID'],
    [pairOf('{}', `{${ids},"ftCashBoxID":"${queueId}"}`), 'FIELD_INVALID'],
    [`${'['.repeat(100)}`, 'BODY_MALFORMED'],
  ])('%s is %s', async (body, code) => {
    const answer = await desk.post('/issue', body)
    expect([answer.status, answer.json().code]).toEqual([400, code])
  })

  it.each(['cbChargeItems', 'cbPayItems'])('more than 10,000 %s are refused', async (name) => {
    const many = (count: number): string => `[${Array.from({ length: count }, () => '{}').join()}]`
    const most = unknownPair({ request: `{"${name}":${many(10_000)}}` })
    expect((await desk.post('/issue', most.body)).status).toBe(201)
    const more = unknownPair({ request: `{"${name}":${many(10_001)}}` })
    expect((await desk.post('/issue', more.body)).json().code).toBe('FIELD_INVALID')
  })

  it('a refused body does not use the operation up', async () => {
    const operationId = randomUUID()
    expect((await desk.post('/issue', '{}', { operationId })).status).toBe(400)
    const pair = unknownPair()
    expect((await desk.post('/issue', pair.body, { operationId })).status).toBe(201)
  })

  it('its own CashBox in the body is accepted in any case', async () => {
    const box = shop.box.cashBoxId.toUpperCase()
    const pair = unknownPair({ request: `{"ftCashBoxID":"${box}"}` })
    expect((await desk.post('/issue', pair.body)).status).toBe(201)
  })

  it('a stored error is not a receipt', async () => {
    const answer = await shop.app.inject({
      method: 'POST',
      url: `/${shop.box.queueId}/json/v1/sign`,
      headers: { ...headersOf(shop.box), 'content-type': 'application/json' },
      payload: saleText({ cbChargeItems: '[]', ftReceiptCase: austrianCase(0x2_0005n) }),
    })
    expect(answer.statusCode).toBe(400)
    const { rows } = await shop.deps.store.pool.query<{ id: string }>(
      'select id from queue_item where queue_id = $1 order by row desc limit 1',
      [shop.box.queueId],
    )
    const pair = unknownPair({ queueId: shop.box.queueId, queueItemId: String(rows[0]?.id) })
    const refused = await desk.post('/issue', pair.body)
    expect([refused.status, refused.json().code]).toEqual([400, 'FIELD_INVALID'])
  })
})

describe('404', () => {
  it('a queue of another cash box, its items, and what that one has published', async () => {
    const foreign = await addForeignBox({ ...shop, headers: headersOf(shop.box), row: noRow })
    const own = await signed()
    const unknownItem = unknownPair({ queueId: shop.box.queueId })
    const elsewhere = unknownPair()
    expect((await desk.post('/issue', elsewhere.body)).status).toBe(201)
    const ownItem = unknownPair({ queueId: own.queueId, queueItemId: own.queueItemId })
    for (const { body } of [ownItem, unknownItem, elsewhere]) {
      const answer = await desk.post('/issue', body, { cashBoxId: foreign.cashBoxId })
      expect([answer.status, answer.json().code]).toEqual([404, 'RECEIPT_UNKNOWN'])
    }
    await desk.post('/issue', own.body)
    for (const path of ['', '/link/qrcode', '/delivered', '/deliveries']) {
      const read = await desk.get(address(own) + path, { cashBoxId: foreign.cashBoxId })
      expect([read.status, read.json().code], path).toEqual([404, 'RECEIPT_UNKNOWN'])
    }
    const update = await desk.put(address(own), '{"Action":"view"}', {
      cashBoxId: foreign.cashBoxId,
    })
    expect(update.status).toBe(404)
  })

  it('two cash boxes that publish one address at once: one of them has it', async () => {
    const foreign = await addForeignBox({ ...shop, headers: headersOf(shop.box), row: noRow }, 2)
    const pair = unknownPair()
    const boxes = [shop.box.cashBoxId, foreign.cashBoxId]
    const answers = await Promise.all(
      [...boxes, ...boxes].map((cashBoxId) => desk.post('/issue', pair.body, { cashBoxId })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 404, 404])
    expect(await documents(pair)).toHaveLength(1)
  })

  it('a squatter on an address of a queue loses it to the owner of the queue', async () => {
    const foreign = await addForeignBox({ ...shop, headers: headersOf(shop.box), row: noRow }, 3)
    const pair = await signed()
    await shop.deps.store.pool.query(
      'insert into issued_address (queue_id, queue_item_id, account_id) values ($1, $2, $3)',
      [pair.queueId, pair.queueItemId, foreign.accountId],
    )
    expect((await desk.post('/issue', pair.body)).status).toBe(201)
    const page = await shop.app.inject({ url: `/${pair.queueId}/${pair.queueItemId}` })
    expect([page.statusCode, page.body.includes('Melange')]).toEqual([200, true])
  })

  it('an unknown receipt, where only own ones are published', async () => {
    const strict = await openDesk(shop, { acceptExternal: false })
    const own = await signed()
    const answers = [
      await strict.post('/issue', unknownPair().body),
      await strict.post('/issue', unknownPair({ queueId: shop.box.queueId }).body),
      await strict.post('/issue', own.body),
    ]
    await strict.close()
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 201])
  })

  it('an address that was never published', async () => {
    const signedOnly = await signed()
    for (const pair of [signedOnly, unknownPair()]) {
      expect((await desk.get(address(pair))).status).toBe(404)
      expect((await desk.put(address(pair), '{"Action":"accept"}')).status).toBe(404)
    }
    expect((await desk.get('/issue/no-id/no-id')).status).toBe(404)
  })
})

const noRow = async (): Promise<Record<string, unknown>> => ({})
