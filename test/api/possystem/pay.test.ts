// /pay from the body of the call to the stored answer, on a real database with the real record of
// operations; terminals are the test provider, its minutes a thousand times shorter.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPayResponse } from '../../../src/api/possystem/pay-response.js'
import { Leaving } from '../../../src/core/operation/leaving.js'
import { addTerminal, removeTerminal } from '../../../src/core/payment/terminals.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import {
  callOf,
  codeOf,
  type Desk,
  itemsOf,
  makeTill,
  openDesk,
  pay,
  payment,
  type TestTill,
} from '../../support/payments.js'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

let database: TestDatabase
let desk: Desk
let till: TestTill

beforeAll(async () => {
  database = await createTestDatabase()
  desk = openDesk(database.config)
  till = await makeTill(desk.store)
})
afterAll(async () => {
  await desk.close()
  await database.drop()
})

const add = (provider: string, given: { terminal?: string; box?: string } = {}) =>
  addTerminal(
    { store: desk.store, sandbox: true },
    {
      cashBoxId: given.box ?? till.cashBoxId,
      provider,
      terminal: given.terminal,
      url: provider === 'test' ? undefined : 'http://127.0.0.1:9',
    },
  )

/** The code of what refuses it before it begins, else of its answer. */
async function codeAt(box: TestTill, body: string): Promise<string> {
  try {
    const { status, text } = await pay(desk, box, { body })
    return status === 201 ? '201' : (JSON.parse(text) as { code: string }).code
  } catch (error) {
    return codeOf(error)
  }
}

describe('the answer to a payment', () => {
  it('has exactly these members, in both spellings of the ids', async () => {
    const before = Date.now()
    const id = randomUUID()
    const body = payment('10.00', { cbTerminalID: 'term1' })
    const { status, text } = await pay(desk, till, { body, id })
    const [item] = itemsOf({ status, text, replayed: false })
    const moment = item?.Moment ?? ''
    expect(status).toBe(201)
    expect(item?.ftPayItemId).toMatch(UUID)
    expect(moment).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(Date.parse(moment)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(moment)).toBeLessThanOrEqual(Date.now())
    expect(text).toBe(
      `{"Protocol":"use_auto","ftQueueId":"${till.queueId}","ftQueueID":"${till.queueId}",` +
        `"ftPayItems":[{"ftPayItemId":"${item?.ftPayItemId}",` +
        `"ftPayItemID":"${item?.ftPayItemId}","Description":"Card","Amount":10,` +
        '"ftPayItemCase":4707422694906265604,"ftPayItemCaseData":{"Provider":{' +
        '"Protocol":"test","Action":"payment",' +
        `"ProtocolRequest":{"OperationID":"${id}","Amount":10,"cbTerminalID":"term1"},` +
        `"ProtocolResponse":{"OperationID":"${id}","Amount":10,"Result":"SUCCESS"}},` +
        '"Receipt":["** TEST PAYMENT **","Amount: 10.00 EUR","","Terminal: term1",' +
        `"Operation: ${id}","APPROVED"]},"Moment":"${moment}"}]}`,
    )
  })

  it('repeats the protocol that was asked for and names the real one besides', async () => {
    for (const Protocol of ['use_auto', 'use_first', 'test', 'Use_Auto']) {
      const answer = await pay(desk, till, { body: payment('10', { Protocol }) })
      expect(JSON.parse(answer.text)).toMatchObject({ Protocol })
      expect(itemsOf(answer)[0]?.ftPayItemCaseData?.Provider.Protocol).toBe('test')
    }
  })

  it.each([
    ['AT', 'payment', '4707422694906265604'],
    ['AT', 'refund', '4707422694906396676'],
    ['AT', 'cancel', '4707422694906331140'],
    ['DE', 'payment', '4919373352369389572'],
    ['DE', 'refund', '4919373352369520644'],
    ['DE', 'cancel', '4919373352369455108'],
  ])('in %s a %s has the case %s', async (market, Action, word) => {
    const box = await makeTill(desk.store, market)
    const body = payment(Action === 'payment' ? '7' : '-7', { Action })
    const answer = await pay(desk, box, { body })
    expect(answer.text).toContain(`"ftPayItemCase":${word},`)
    const [item] = itemsOf(answer)
    expect(item?.Amount).toBe(Action === 'payment' ? 7 : -7)
    expect(item?.ftPayItemCaseData?.Provider.Action).toBe(Action)
  })

  it('keeps the text of the till and every digit', async () => {
    const body = payment('1234567890123.25', { cbPayItem: { Description: 'Karte ü 💳' } })
    const { text } = await pay(desk, till, { body })
    expect(text).toContain('"Description":"Karte ü 💳","Amount":1234567890123.25,')
  })
})

describe('test amounts', () => {
  it.each([
    ['30000.10', 400, 'PAYMENT_DECLINED'],
    ['30000.20', 500, 'PAYMENT_TIMEOUT'],
    ['30000.40', 400, 'PAYMENT_CANCELLED'],
  ])('%s ends with %i %s, whichever way the money goes', async (amount, status, code) => {
    for (const Action of ['payment', 'refund', 'cancel']) {
      const answer = await pay(desk, till, { body: payment(amount, { Action }) })
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([status, { code }])
    }
  })

  it.each(['30000.60', '30000.70', '30000.80', '30000.30', '29999.99'])(
    '%s is paid',
    async (amount) => {
      const answer = await pay(desk, till, { body: payment(amount) })
      expect(itemsOf(answer).map((item) => item.Amount)).toEqual([Number(amount)])
    },
  )

  it('30000.50 is paid with a tip of 2.00, which a second item takes off again', async () => {
    for (const [market, word] of [
      ['AT', '4707422694910459908'],
      ['DE', '4919373352373583876'],
    ] as const) {
      const box = await makeTill(desk.store, market)
      const answer = await pay(desk, box, { body: payment('30000.5') })
      const [main, tip, ...more] = itemsOf(answer)
      expect([main?.Amount, tip?.Amount, more]).toEqual([30002.5, -2, []])
      expect(main?.ftPayItemCaseData?.Receipt).toContain('Amount: 30002.50 EUR')
      expect(tip).not.toHaveProperty('ftPayItemCaseData')
      expect(tip?.Moment).toBe(main?.Moment)
      expect(tip?.ftPayItemId).toMatch(UUID)
      expect(tip?.ftPayItemId).not.toBe(main?.ftPayItemId)
      expect(answer.text).toContain(`"ftPayItemCase":${word},"Moment"`)
    }
  })

  it('30000.90 is paid in part', async () => {
    const [item, ...more] = itemsOf(await pay(desk, till, { body: payment('30000.90') }))
    expect([item?.Amount, more]).toEqual([15000.5, []])
  })

  it('going back, 30000.50 has no tip and 30000.90 goes back in part', async () => {
    const amounts = async (amount: string) => {
      const answer = await pay(desk, till, { body: payment(amount, { Action: 'refund' }) })
      return itemsOf(answer).map((item) => item.Amount)
    }
    expect(await amounts('30000.50')).toEqual([-30000.5])
    expect(await amounts('30000.90')).toEqual([-15000.5])
  })

  it('each waits as long as it says', async () => {
    const seen = new Map<string, number>()
    for (const amount of ['1', '30000.20', '30000.60', '30000.70', '30000.80']) {
      const since = performance.now()
      await pay(desk, till, { body: payment(amount) })
      seen.set(amount, performance.now() - since)
    }
    const least = { '30000.20': 5, '30000.60': 60, '30000.70': 180, '30000.80': 360 }
    for (const [amount, ms] of Object.entries(least)) {
      expect(seen.get(amount)).toBeGreaterThanOrEqual(ms - 2)
    }
  })
})

describe('a call that is repeated', () => {
  it('pays once, and the same bytes come again', async () => {
    const call = { body: payment('10'), id: randomUUID() }
    const first = await pay(desk, till, call)
    const again = await pay(desk, till, call)
    expect([first.replayed, again.replayed]).toEqual([false, true])
    expect(again.text).toBe(first.text)
  })

  it('while the terminal works waits for it', async () => {
    const call = { body: payment('30000.60'), id: randomUUID() }
    const both = await Promise.all([pay(desk, till, call), pay(desk, till, call)])
    expect(both.map(({ replayed }) => replayed)).toEqual([false, true])
    expect(both[0].text).toBe(both[1].text)
  })

  it('after a declined payment is declined with the same bytes', async () => {
    const call = { body: payment('30000.10'), id: randomUUID() }
    const [first, again] = [await pay(desk, till, call), await pay(desk, till, call)]
    expect([again.status, again.text, again.replayed]).toEqual([400, first.text, true])
  })

  it('after a body that was refused may be right', async () => {
    const id = randomUUID()
    await expect(pay(desk, till, { body: payment('0'), id })).rejects.toThrow('cbPayItem.Amount')
    expect(await pay(desk, till, { body: payment('1'), id })).toMatchObject({ status: 201 })
  })
})

describe('the terminal of a call', () => {
  it('is found by cbTerminalID as in the table', async () => {
    const box = await makeTill(desk.store)
    const at = (cbTerminalID?: string) => codeAt(box, payment('5', { cbTerminalID }))
    // the one that is there by itself serves everybody
    expect([await at('A1'), await at()]).toEqual(['201', '201'])
    const own = await add('test', { terminal: 'A1', box: box.cashBoxId })
    expect(await at('A1')).toBe('201')
    expect(await at('B1')).toBe('PROVIDER_NONE')
    expect(await at()).toBe('PROVIDER_NONE')
    expect(await at('')).toBe('PROVIDER_NONE')
    expect(await at('undefined')).toBe('PROVIDER_NONE')
    await add('test', { box: box.cashBoxId })
    expect([await at('B1'), await at()]).toEqual(['201', '201'])
    await removeTerminal(desk.store, own.id)
    expect(await at('A1')).toBe('201')
  })

  it('comes from x-terminal-id when the body names none', async () => {
    const answer = await pay(desk, till, { body: payment('1'), terminalId: 'T9' })
    const { ProtocolRequest } = itemsOf(answer)[0]?.ftPayItemCaseData?.Provider ?? {}
    expect(ProtocolRequest).toMatchObject({ cbTerminalID: 'T9' })
  })

  it('of another CashBox takes nothing', async () => {
    const box = await makeTill(desk.store)
    await add('shift4', { box: box.cashBoxId })
    const other = await makeTill(desk.store)
    expect(await codeAt(other, payment('1', { Protocol: 'shift4' }))).toBe('PROVIDER_NONE')
  })

  it('that is missing uses up nothing: the same call works once there is one', async () => {
    const box = await makeTill(desk.store)
    const call = { body: payment('1', { cbTerminalID: 'K1', Protocol: 'test' }), id: randomUUID() }
    await add('test', { terminal: 'other', box: box.cashBoxId })
    await expect(pay(desk, box, call)).rejects.toMatchObject({
      code: 'PROVIDER_NONE',
      message: expect.stringContaining('for terminal K1;'),
    })
    await add('test', { terminal: 'K1', box: box.cashBoxId })
    expect(await pay(desk, box, call)).toMatchObject({ status: 201, replayed: false })
  })

  it('in production is never the test provider', async () => {
    const production = openDesk(database.config, { sandbox: false })
    const box = await makeTill(desk.store)
    await add('test', { box: box.cashBoxId })
    for (const Protocol of ['use_auto', 'test']) {
      const call = pay(production, box, { body: payment('1', { Protocol }) })
      await expect(call).rejects.toMatchObject({ code: 'PROVIDER_NONE' })
    }
    await production.close()
  })
})

describe('payments of one CashBox', () => {
  it('do not wait for each other, and hold no connection while terminals work', async () => {
    const server = openDesk(database.config, { scale: 1 })
    // six minutes each
    const slow = Array.from({ length: 20 }, () => pay(server, till, { body: payment('30000.80') }))
    await expect.poll(() => callsAtWork(server)).toBe(slow.length)
    for (let at = 0; at < 5; at += 1) {
      expect(await pay(server, till, { body: payment('1') })).toMatchObject({ status: 201 })
    }
    const { pool } = server.store
    expect(pool.totalCount - pool.idleCount).toBe(0)
    expect(await callsAtWork(server)).toBe(slow.length)
    await server.payments.close(0)
    const answers = await Promise.all(slow)
    expect(answers.map(({ status }) => status)).toEqual(slow.map(() => 500))
    await server.close()
  })
})

describe('a server that stops', () => {
  it('lets payments end that end in time', async () => {
    // a bit more than a second
    const server = openDesk(database.config, { scale: 0.02 })
    const work = pay(server, till, { body: payment('30000.60') })
    await expect.poll(() => callsAtWork(server)).toBe(1)
    await server.payments.close(5_000)
    expect(await work).toMatchObject({ status: 201 })
    await server.close()
  })

  it('gives the others up and says that nobody knows', async () => {
    const server = openDesk(database.config, { scale: 1 })
    const call = { body: payment('30000.80'), id: randomUUID() }
    const work = pay(server, till, call)
    await expect.poll(() => callsAtWork(server)).toBe(1)
    await server.payments.close(20)
    const answer = await work
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
      500,
      { code: 'PAYMENT_UNKNOWN' },
    ])
    await server.close()
    expect(await pay(desk, till, call)).toMatchObject({ text: answer.text, replayed: true })
  })
})

async function callsAtWork({ store }: Desk): Promise<number> {
  const found = await store.pool.query<{ n: number }>(
    `select count(*)::int as n from operation where state = 'processing'`,
  )
  return found.rows[0]?.n ?? 0
}

describe('when money has moved and the database', () => {
  /** The next writes of the payment's row fail like this. */
  function breaking(server: Desk, failures: Error[]): void {
    const { pool } = server.store
    const query = pool.query.bind(pool) as (asked: unknown) => Promise<unknown>
    const broken = (asked: { name?: string }) => {
      const failure = asked.name === 'keep-payment' ? failures.shift() : undefined
      return failure === undefined ? query(asked) : Promise.reject(failure)
    }
    Object.assign(pool, { query: broken })
  }

  async function paidWith(failures: Error[]) {
    const server = openDesk(database.config)
    breaking(server, failures)
    const answer = await pay(server, till, { body: payment('4') })
    await server.close()
    const { ftPayItemId } = itemsOf(answer)[0] ?? {}
    const found = await desk.store.pool.query('select 1 from payment where id = $1', [ftPayItemId])
    return { status: answer.status, noted: found.rowCount === 1, errors: server.errors }
  }

  it('is away for a moment, the payment is noted afterwards', async () => {
    const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    expect(await paidWith([away])).toEqual({ status: 201, noted: true, errors: [] })
  })

  it('refuses the note, the till hears of the success all the same', async () => {
    expect(await paidWith([new Error('no such table')])).toEqual({
      status: 201,
      noted: false,
      errors: ['a payment was not noted Error: no such table'],
    })
  })
})

describe('the answer by operation id', () => {
  const keyOf = (id: string) => ({ accountId: till.accountId, cashBoxId: till.cashBoxId, id })

  it('is the stored one, 200 for what was 201, failures as they were', async () => {
    const [good, bad] = [randomUUID(), randomUUID()]
    const paid = await pay(desk, till, { body: payment('3'), id: good })
    const declined = await pay(desk, till, { body: payment('30000.10'), id: bad })
    expect(await readPayResponse(desk, keyOf(good))).toMatchObject({ status: 200, body: paid.text })
    expect(await readPayResponse(desk, keyOf(bad))).toMatchObject({
      status: 400,
      body: declined.text,
    })
  })

  it('waits while the terminal works', async () => {
    const id = randomUUID()
    const server = openDesk(database.config, { scale: 1 })
    const work = pay(server, till, { body: payment('30000.80'), id })
    await expect.poll(() => server.operations.find(keyOf(id))).toMatchObject({ state: 'running' })
    const asked = readPayResponse(server, keyOf(id))
    const leaving = new Leaving()
    const gone = readPayResponse(server, keyOf(id), leaving)
    leaving.leave()
    await expect(gone).rejects.toMatchObject({ code: 'OPERATION_WAITS' })
    await server.payments.close(0)
    expect(await asked).toMatchObject({ status: 500, body: (await work).text })
    await server.close()
  })

  it('is unknown for an id that never was, of another till, or of another call', async () => {
    const unknown = { code: 'OPERATION_UNKNOWN' }
    await expect(readPayResponse(desk, keyOf(randomUUID()))).rejects.toMatchObject(unknown)
    const id = randomUUID()
    await pay(desk, till, { body: payment('3'), id })
    const other = { ...keyOf(id), cashBoxId: randomUUID() }
    await expect(readPayResponse(desk, other)).rejects.toMatchObject(unknown)
    const echo = { ...callOf(till, {}).operation, path: '/v2/echo' }
    await desk.operations.note(echo, { status: 200, contentType: 'application/json', body: '{}' })
    await expect(readPayResponse(desk, keyOf(echo.id))).rejects.toMatchObject(unknown)
  })
})
