// A message that was refused for good: the till sees it with the deliveries of its receipt, devices
// in the store hear of it, and nobody reads the address of the customer.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { requeueMessage } from '../../../src/store/message/messages.js'
import { listenTo, overEverywhere } from '../../support/event-stream.js'
import { type MailServer, type Refusal, startMailServer } from '../../support/mail-server.js'
import type { Pair } from '../../support/pairs.js'
import { openReceiptDesk, type ReceiptDesk } from '../../support/receipt-desk.js'

const ADDRESS = 'max.mustermann@customer.example'
const PHONE = '+436641234567'
const NO_USER: Refusal = { code: 550, text: `5.1.1 <${ADDRESS}> no such user` }

let mail: MailServer
let driver: Server
let desk: ReceiptDesk
let refusal: Refusal | null = null
let driverStatus = 410

beforeAll(async () => {
  mail = await startMailServer({ onAddress: () => refusal })
  driver = createServer((request, response) => {
    request.resume()
    response.writeHead(driverStatus, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: `nobody at ${PHONE}` }))
  })
  await new Promise<void>((done) => driver.listen(0, '127.0.0.1', done))
  const { port } = driver.address() as AddressInfo
  desk = await openReceiptDesk({
    ...{ jobs: true, PUBLIC_URL: 'https://r.example', MAIL_FROM: 'receipts@shop.example' },
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    SMS_URL: `http://127.0.0.1:${port}`,
    WHATSAPP_URL: `http://127.0.0.1:${port}`,
  })
  desk.shop.deps.jobs.start()
})
afterAll(async () => {
  await desk.shop.deps.jobs.stop()
  await desk.close()
  await mail.stop()
  await new Promise((done) => driver.close(done))
})
beforeEach(async () => {
  await overEverywhere(desk.shop.deps.store)
  refusal = NO_USER
  driverStatus = 410
})

async function send(pair: Pair, scheme: string, address: string): Promise<void> {
  const body = { Action: 'send', Target: { Scheme: scheme, Address: address, Send: true } }
  const path = `/v2/issue/${pair.queueId}/${pair.queueItemId}`
  const answer = await desk.till('PUT', path, JSON.stringify(body))
  expect(answer.statusCode, answer.body).toBe(201)
}

async function refusals(pair: Pair) {
  const { Items, Count } = await desk.deliveries(pair)
  return { count: Count, items: Items.filter(({ Kind }) => Kind === 'refused') }
}

async function untilRefused(pair: Pair, count = 1): Promise<Record<string, unknown>[]> {
  await expect
    .poll(async () => (await refusals(pair)).items.length, { timeout: 20_000 })
    .toBe(count)
  return (await refusals(pair)).items
}

describe('a message that is refused for good', () => {
  it('stands in the deliveries of its receipt and is told to devices', async () => {
    const device = await listenTo(desk.shop.url, desk.shop.box)
    const pair = await desk.issued()
    const before = Date.now()
    await send(pair, 'email', ADDRESS)
    const [item] = await untilRefused(pair)
    expect(item).toMatchObject({
      ...{ Method: 'email', Kind: 'refused', AppId: null, UserAgent: null },
      Address: 'm…@c….example',
      Reason: expect.stringMatching(/^SMTP 550: .*\[address\]/),
    })
    expect(new Date(String(item?.Moment)).getTime()).toBeGreaterThanOrEqual(before)
    const told = await device.until(2)
    expect(told[1]).toMatchObject({
      event: 'refused',
      data: {
        ftQueueItemID: pair.queueItemId,
        ...{ Method: 'email', Address: item?.Address, Reason: item?.Reason, Moment: item?.Moment },
      },
    })
    expect(device.text() + JSON.stringify(await desk.deliveries(pair))).not.toContain('mustermann')
    device.close()
  })

  it.each(['sms', 'whatsapp'])('by %s is seen as well, and counts as no delivery', async (way) => {
    const pair = await desk.issued()
    await send(pair, way, PHONE)
    const [item] = await untilRefused(pair)
    expect(item).toMatchObject({ Method: way, Kind: 'refused' })
    expect(String(item?.Address)).not.toContain('123456')
    expect(String(item?.Reason)).toContain('410')
    expect((await refusals(pair)).count).toBe(0)
  })

  it('is told anew for a second address, also to a device that comes back', async () => {
    const device = await listenTo(desk.shop.url, desk.shop.box)
    const pair = await desk.issued()
    await send(pair, 'email', ADDRESS)
    await untilRefused(pair)
    const first = (await device.until(2))[1]
    device.close()
    await send(pair, 'sms', PHONE)
    const items = await untilRefused(pair, 2)
    expect(items.map(({ Method }) => Method)).toEqual(['sms', 'email'])
    const headers = { 'last-event-id': first?.id ?? '' }
    const again = await listenTo(desk.shop.url, desk.shop.box, { headers })
    expect((await again.until(1))[0]).toMatchObject({ event: 'refused', data: { Method: 'sms' } })
    again.close()
  })

  it('is gone from the list once it was sent again and taken', async () => {
    const pair = await desk.issued()
    await send(pair, 'email', ADDRESS)
    await untilRefused(pair)
    refusal = null
    const { store } = desk.shop.deps
    const { rows } = await store.pool.query<{ id: string }>(
      'select id from message where subject = $1',
      [`${pair.queueId}/${pair.queueItemId}`],
    )
    await requeueMessage(store.pool, rows[0]?.id ?? '', new Date())
    await expect.poll(async () => (await refusals(pair)).count, { timeout: 20_000 }).toBe(1)
    expect((await refusals(pair)).items).toEqual([])
  })
})
