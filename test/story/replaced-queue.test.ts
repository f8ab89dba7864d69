// Queues that leave their cash box by a template while tills sign, on two servers of one database,
// of which the second remembers credentials for ever; and who reaches the receipts afterwards.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DealerStand } from '../support/dealer.js'
import { envelope, operation } from '../support/soap.js'
import {
  type BoxAccess,
  newId,
  openTwoServers,
  receiptText,
  START,
  STOP,
  signAt,
  type TwoServers,
  ZERO,
} from '../support/two-servers.js'

let two: TwoServers
let first: DealerStand
let second: DealerStand
beforeAll(async () => {
  two = await openTwoServers()
  ;[first, second] = two.servers
})
afterAll(() => two.close())

async function newBox(queues: string[], unit = newId()): Promise<BoxAccess & { unit: string }> {
  const box = newId()
  const reply = await two.template({ box, queues, unit })
  expect(reply.status, reply.text).toBe(200)
  return { cashBoxId: box, accessToken: String(reply.json().accessToken), unit }
}

async function replace(box: BoxAccess & { unit: string }, queues: string[]): Promise<void> {
  const reply = await two.template({ box: box.cashBoxId, queues, unit: box.unit })
  expect(reply.status, reply.text).toBe(200)
}

/** Signed on both servers, so that both remember cash box and queue. */
async function inUse(queue = newId()) {
  const box = await newBox([queue])
  expect(await signAt(first, { ...box, receiptCase: START })).toMatchObject({ status: 200, queue })
  expect(await signAt(second, box)).toMatchObject({ status: 200, queue })
  return { box, queue }
}

describe('a queue that was replaced', () => {
  it('refuses from the commit on, and the new one answers at once, on every server', async () => {
    const { box, queue } = await inUse()
    const next = newId()
    await replace(box, [next])
    for (const server of two.servers) {
      expect(await signAt(server, { ...box, queue })).toMatchObject({ status: 404 })
      expect(await signAt(server, { ...box, bodyQueue: queue })).toMatchObject({ status: 404 })
    }
    const started = await signAt(second, { ...box, queue: next, receiptCase: START })
    expect(started).toMatchObject({ status: 200, queue: next, box: box.cashBoxId, row: 1 })
    expect(await signAt(first, box)).toMatchObject({ status: 200, queue: next, row: 2 })
    expect(await signAt(second, { ...box, bodyQueue: next })).toMatchObject({ status: 200, row: 3 })
  })

  it.each([
    ['v0 JSON', '/json/v0/sign', 'application/json', receiptText, 404],
    ['v1 XML', '/xml/v1/sign', 'text/xml', xmlText, 404],
    ['SOAP', '', 'text/xml', soapText, 500],
  ])(
    'refuses at the door %s of a server that remembers it',
    async (_door, path, type, text, status) => {
      const { box, queue } = await inUse()
      const next = newId()
      await replace(box, [next])
      const call = (id: string, receiptCase: bigint) =>
        second.app.inject({
          ...{ method: 'POST', url: `/${id}${path}`, payload: text({ ...box, receiptCase }) },
          headers: {
            ...{ cashboxid: box.cashBoxId, accesstoken: box.accessToken, 'content-type': type },
            ...(path === '' ? { soapaction: '"http://tempuri.org/IPOS/Sign"' } : {}),
          },
        })
      expect((await call(queue, ZERO)).statusCode).toBe(status)
      const answer = await call(next, START)
      expect(answer.statusCode, answer.body).toBe(200)
      expect(answer.body).toContain(next)
    },
  )

  it('refuses in the PosSystem API, where the new one answers at once', async () => {
    const { box, queue } = await inUse()
    expect((await posSign(second, box)).body).toContain(queue)
    const next = newId()
    await replace(box, [next])
    const refused = await posSign(second, box, { ftQueueID: queue })
    expect([refused.statusCode, refused.body]).toEqual([400, expect.stringContaining('ftQueueID')])
    const answer = await posSign(second, box, { ftReceiptCase: 0x4154_2000_0000_4001n })
    expect(answer.statusCode, answer.body).toBe(201)
    expect(JSON.parse(answer.body)).toMatchObject({ ftQueueID: next, ftCashBoxID: box.cashBoxId })
  })

  it('never signs for no cash box while tills sign on two servers', async () => {
    const { box, queue } = await inUse()
    let running = true
    const answers: Awaited<ReturnType<typeof signAt>>[] = []
    const till = async (server: DealerStand, named: string | undefined) => {
      while (running) answers.push(await signAt(server, { ...box, queue: named }))
    }
    const tills = two.servers.flatMap((one) => [
      till(one, queue),
      till(one, queue),
      till(one, undefined),
    ])
    await replace(box, [newId()])
    const after = await Promise.all(two.servers.map((one) => signAt(one, { ...box, queue })))
    running = false
    await Promise.all(tills)
    expect(after.map(({ status }) => status)).toEqual([404, 404])
    for (const one of answers) {
      if (one.status === 200) expect(one.box).toBe(box.cashBoxId)
      else expect([404, 400], one.text).toContain(one.status)
    }
  })
})

describe('a queue that is stopped', () => {
  it('is no longer the usual one of its cash box, on a server that remembers it', async () => {
    const { box, queue } = await inUse()
    expect((await posSign(second, box)).statusCode).toBe(201)
    const next = newId()
    await replace(box, [queue, next])
    expect(await signAt(first, { ...box, queue: next, receiptCase: START })).toMatchObject({
      status: 200,
    })
    expect((await posSign(second, box)).body).toContain(queue)
    expect(await signAt(first, { ...box, queue, receiptCase: STOP })).toMatchObject({ status: 200 })
    const answer = await posSign(second, box)
    expect([answer.statusCode, JSON.parse(answer.body).ftQueueID]).toEqual([201, next])
  })
})

describe('a template that names a Queue of another CashBox', () => {
  it('is refused, and nothing has changed', async () => {
    const { box, queue } = await inUse()
    const thief = newId()
    const reply = await two.template({ box: thief, queues: [queue], unit: newId() })
    expect(reply.status).toBe(400)
    expect(reply.json().errors).toEqual({
      'ftQueues[0].Id': [expect.stringContaining('move=true')],
    })
    expect(await signAt(second, { ...box, queue })).toMatchObject({ status: 200 })
    expect(await first.rows('select from cash_box where id = $1', [thief])).toEqual([])
  })

  it('moves it when asked by name: who loses it is changed, and published without it', async () => {
    const { box, queue } = await inUse()
    const other = newId()
    const reply = await two.template({ box: other, queues: [queue], unit: newId(), move: true })
    expect(reply.status, reply.text).toBe(200)
    const [listed] = (await boxes()).filter(({ cashBoxId }) => cashBoxId === box.cashBoxId)
    expect(listed).toMatchObject({ state: 1 })
    const download = await second.app.inject({
      url: `/api/configuration/${box.cashBoxId}`,
      headers: { accesstoken: box.accessToken },
    })
    expect(download.statusCode).toBe(200)
    expect(JSON.parse(download.body)).toMatchObject({ ftCashBoxId: box.cashBoxId, ftQueues: [] })
    const access = { cashBoxId: other, accessToken: String(reply.json().accessToken) }
    expect(await signAt(second, { ...box, queue })).toMatchObject({ status: 404 })
    expect(await signAt(second, { ...access, queue })).toMatchObject({ status: 200, box: other })
  })

  it('marks the other CashBoxes of a unit that it changes', async () => {
    const unit = newId()
    const one = await newBox([newId()], unit)
    expect((await boxes()).find(({ cashBoxId }) => cashBoxId === one.cashBoxId)?.state).toBe(2)
    await newBox([newId()], unit)
    const url = { Url: ['net.pipe://elsewhere'] }
    const body = {
      ...{ ftCashBoxId: '|[cashbox_id]|', ftQueues: [] },
      ftSignaturCreationDevices: [{ Id: unit, Package: 'fiskalwerk.SCU.AT.Software', ...url }],
    }
    const line = `POST /api/posoperators/${two.operator}/templates?outlet_number=1`
    const reply = await first.call(line, { body: JSON.stringify(body) })
    expect(reply.status, reply.text).toBe(200)
    expect((await boxes()).find(({ cashBoxId }) => cashBoxId === one.cashBoxId)?.state).toBe(1)
  })
})

describe('the receipts of a queue that left its cash box', () => {
  it('are exported by credentials of that cash box at every door, and by no others', async () => {
    const { box, queue } = await inUse()
    const stranger = await newBox([newId()])
    await replace(box, [])
    const get = (access: BoxAccess, path: string) =>
      second.app.inject({
        ...{ method: 'POST', url: `/${queue}${path}` },
        headers: { cashboxid: access.cashBoxId, accesstoken: access.accessToken },
      })
    for (const path of ['/json/v1/journal?type=3', '/xml/v0/journal?type=2']) {
      const answer = await get(box, path)
      expect([answer.statusCode, answer.body.length > 100]).toEqual([200, true])
      expect((await get(stranger, path)).statusCode).toBe(404)
    }
    const dep = await get(box, '/json/v1/journal?type=0x4154000000000001')
    expect(JSON.parse(dep.body)['Belege-Gruppe'][0]['Belege-kompakt']).toHaveLength(2)
    const pos = await posCall(
      second,
      box,
      '/v2/journal',
      `{"ftJournalType":3,"ftQueueID":"${queue}"}`,
    )
    expect([pos.statusCode, pos.body.includes(queue)]).toEqual([200, true])
    expect(
      (await posCall(second, stranger, '/v2/journal', `{"ftJournalType":3,"ftQueueID":"${queue}"}`))
        .statusCode,
    ).toBe(400)
  })

  it('are exported by a dealer who may read, by the id of the queue', async () => {
    const { box, queue } = await inUse()
    await replace(box, [])
    const line = `GET /api/posoperators/${two.operator}/queues/${queue}/journal?type=3`
    const reply = await second.call(line, { as: first.dealer })
    expect([reply.status, JSON.parse(reply.text).length ?? 0]).toEqual([200, expect.any(Number)])
    expect(reply.text).toContain(box.cashBoxId)
    expect((await second.call(line)).status).not.toBe(200)
    const csv = await first.call(`${line}&format=csv`)
    expect(String(csv.headers['content-type'])).toContain('text/csv')
    expect((await first.call(line.replace('type=3', 'type=foo'))).status).toBe(400)
  })
})

async function boxes() {
  const reply = await first.call(`GET /api/posoperators/${two.operator}/cashboxes`)
  return reply.list() as { cashBoxId: string; state: number }[]
}

function posCall({ app }: DealerStand, box: BoxAccess, url: string, payload: string) {
  return app.inject({
    ...{ method: 'POST', url, payload },
    headers: {
      ...{ 'x-cashbox-id': box.cashBoxId, 'x-cashbox-accesstoken': box.accessToken },
      ...{ 'x-possystem-id': newId(), 'x-operation-id': newId() },
      ...{ 'content-type': 'application/json' },
    },
  })
}

function posSign(server: DealerStand, box: BoxAccess, more: Record<string, unknown> = {}) {
  const { ftReceiptCase = 0x4154_2000_0000_2000n, ...rest } = more
  const text = JSON.stringify({
    ...{ cbReceiptReference: newId(), cbReceiptMoment: new Date().toISOString() },
    ...{ cbChargeItems: [], cbPayItems: [], ...rest },
  })
  const payload = text.replace(/\}$/, `,"ftReceiptCase":${String(ftReceiptCase)}}`)
  return posCall(server, box, '/v2/sign', payload)
}

function xmlText({ cashBoxId, receiptCase = ZERO }: BoxAccess & { receiptCase?: bigint }): string {
  return `<ReceiptRequest>${membersOf(cashBoxId, receiptCase)}</ReceiptRequest>`
}

function membersOf(cashBoxId: string, receiptCase: bigint): string {
  return (
    `<ftCashBoxID>${cashBoxId}</ftCashBoxID><cbTerminalID>1</cbTerminalID>` +
    `<cbReceiptReference>${newId()}</cbReceiptReference>` +
    `<cbReceiptMoment>${new Date().toISOString()}</cbReceiptMoment>` +
    `<cbChargeItems/><cbPayItems/><ftReceiptCase>${receiptCase}</ftReceiptCase>`
  )
}

function soapText({ cashBoxId, receiptCase = ZERO }: BoxAccess & { receiptCase?: bigint }): string {
  return envelope(operation('Sign', `<data>${membersOf(cashBoxId, receiptCase)}</data>`))
}
