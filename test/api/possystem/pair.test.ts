// Pairing: a PIN gives out the credentials of a cash box once, and cannot be tried out.
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createPairing, type Pairing } from '../../../src/core/accounts/pairing/pairing.js'
import { addForeignBox } from '../../support/app.js'
import { type PosServer, posCall, startPosServer } from '../../support/pos-server.js'

let server: PosServer
let strict: PosServer
let pairing: Pairing
beforeAll(async () => {
  server = await startPosServer({ RATE_LIMITS: 'pin=0,credentials=0' })
  // a key of its own opens nothing of the other's
  strict = await startPosServer({ MASTER_KEY: randomBytes(32).toString('base64') })
  pairing = createPairing(server.deps.store)
})
afterEach(() => server.row('delete from pairing_pin'))
afterAll(async () => {
  await server.close()
  await strict.close()
})

const pair = (body: string, url = '/v2/pair', target = server) => posCall(target.app, url, { body })
const pinBody = (pin: string) => JSON.stringify({ Pin: pin })

/** Draws until the PIN begins with 0, or with anything else. */
async function pinWith(zero: boolean): Promise<string> {
  for (;;) {
    const { pin } = await pairing.create(server.box.cashBoxId)
    if (pin.startsWith('0') === zero) return pin
  }
}

describe('a PIN', () => {
  it('has four digits, lives five minutes, and gives out the credentials', async () => {
    const made = await pairing.create(server.box.cashBoxId.toUpperCase())
    expect(made).toMatchObject({ pin: expect.stringMatching(/^\d{4}$/) })
    const { left } = await server.row(
      'select extract(epoch from expires_at - now())::int as left from pairing_pin',
    )
    expect(left).toBeGreaterThan(290)
    expect(left).toBeLessThanOrEqual(300)
    const answer = await pair(pinBody(made.pin))
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    const { cashBoxId, accessToken } = server.box
    expect(answer.json()).toEqual({
      CashBoxId: cashBoxId,
      CashBoxID: cashBoxId,
      AccessToken: accessToken,
    })
  })

  it.each(['/pair', '/v2.1/pair', '/0e0af2cb-1a2b-4c3d-8e9f-001122334455/v2/pair'])(
    'is redeemed at %s, in any spelling of its name',
    async (url) => {
      const { pin } = await pairing.create(server.box.cashBoxId)
      expect((await pair(`{"pin":"${pin}"}`, url)).status).toBe(200)
    },
  )

  it('is redeemed at the address of the Dealer API with the names of that', async () => {
    const { pin } = await pairing.create(server.box.cashBoxId)
    const answer = await pair(`{"pin":"${pin}"}`, '/api/instore/pair')
    const { cashBoxId, accessToken } = server.box
    expect(answer.json()).toEqual({ cashBoxId, accessToken })
  })

  it('that begins with 0 is a text; as a number it needs four digits', async () => {
    const zero = await pinWith(true)
    expect((await pair(`{"Pin":${Number(zero)}}`)).status).toBe(400)
    expect((await pair(pinBody(zero))).status).toBe(200)
    expect((await pair(`{"Pin":${await pinWith(false)}}`)).status).toBe(200)
  })

  it('works once, of many takers for one', async () => {
    const { pin } = await pairing.create(server.box.cashBoxId)
    const answers = await Promise.all(Array.from({ length: 16 }, () => pair(pinBody(pin))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(15)
  })

  it('that is unknown, used, over or replaced gets the same answer', async () => {
    const texts = new Set<string>()
    const wrong = async (pin: string) => {
      const answer = await pair(pinBody(pin))
      expect([answer.status, answer.json().code]).toEqual([401, 'unauthorized'])
      texts.add(answer.text)
    }
    const { pin: used } = await pairing.create(server.box.cashBoxId)
    await pair(pinBody(used))
    await wrong(used)
    const { pin: over } = await pairing.create(server.box.cashBoxId)
    await server.row(`update pairing_pin set expires_at = now() - interval '1 second'`)
    await wrong(over)
    const { pin: old } = await pairing.create(server.box.cashBoxId)
    let { pin: young } = await pairing.create(server.box.cashBoxId)
    while (young === old) young = (await pairing.create(server.box.cashBoxId)).pin
    await wrong(old)
    expect((await pair(pinBody(young))).status).toBe(200)
    expect(texts.size).toBe(1)
  })

  it('is stored as a hash that needs the key of the server', async () => {
    const { pin } = await pairing.create(server.box.cashBoxId)
    const row = await server.row('select pairing_pin::text as text, pin_hash from pairing_pin')
    expect(row.pin_hash).toHaveLength(32)
    const own = server.deps.store.sealer.keyedHashes(pin, 'pairing-pin')
    expect(own.map((hash) => hash.toString('hex'))).toEqual([
      (row.pin_hash as Buffer).toString('hex'),
    ])
    const other = strict.deps.store.sealer.keyedHashes(pin, 'pairing-pin')
    expect(other[0]?.equals(row.pin_hash as Buffer)).toBe(false)
  })

  it('is never live twice, and none is given when thirty are', async () => {
    const { accountId } = server.demo.operator
    // nobody has guessed of late
    await server.row('delete from pairing_chance')
    await server.row(
      `insert into pairing_pin select $1, gen_random_uuid(), sha256(n::text::bytea),
         now() + interval '1 minute' from generate_series(1, 30) n`,
      [accountId],
    )
    const full = expect.objectContaining({ code: 'PIN_NONE_FREE', kind: 'unavailable' })
    await expect(pairing.create(server.box.cashBoxId)).rejects.toEqual(full)
    // an account that has many gives way to one that has none
    const foreign = await addForeignBox({
      ...server,
      headers: { cashboxid: '', accesstoken: '' },
    })
    expect((await pairing.create(foreign.cashBoxId)).pin).toMatch(/^\d{4}$/)
    // its own one is replaced, whatever the number
    expect((await pairing.create(foreign.cashBoxId)).pin).toMatch(/^\d{4}$/)
    const { n } = await server.row('select count(*)::int as n from pairing_pin')
    expect(n).toBe(30)
    await server.row(`update pairing_pin set expires_at = now() where account_id = $1`, [accountId])
    expect((await pairing.create(server.box.cashBoxId)).pin).toMatch(/^\d{4}$/)
  })

  it('of a cash box that does not exist is not made', async () => {
    for (const id of [randomUUID(), 'x', server.box.queueId]) {
      await expect(pairing.create(id)).rejects.toMatchObject({ code: 'CASH_BOX_UNKNOWN' })
    }
  })
})

describe('a body', () => {
  it.each([
    ...['{}', '{"Pin":null}', '{"Pin":""}', '{"Pin":42}', '{"Pin":"42"}', '{"Pin":"12345"}'],
    ...['{"Pin":"12a4"}', '{"Pin":12.0}', '{"Pin":["1234"]}', '{"Pin":"１２３４"}', '{"Pin":-123}'],
    ...['{"Pin":1e3}', '{"Pin":" 1234"}', '{"Pin":"1234\\n"}'],
  ])('without four digits is 400: %s', async (body) => {
    const answer = await pair(body)
    expect([answer.status, answer.json().code]).toEqual([400, 'validation_failed'])
  })

  it('that is no JSON object is 400', async () => {
    for (const body of ['', '"1234"', '1234', '{']) {
      const answer = await pair(body)
      expect([answer.status, answer.json().code]).toEqual([400, 'invalid_json'])
    }
  })
})

describe('guessing', () => {
  it('five wrong ones per network, then nobody from there passes for a while', async () => {
    const { cashBoxId } = strict.box
    const { pin } = await createPairing(strict.deps.store).create(cashBoxId)
    const wrong = pin === '0000' ? '0001' : '0000'
    const guess = (text: string) => pair(pinBody(text), '/v2/pair', strict)
    // malformed ones and right ones do not count
    for (let turn = 0; turn < 8; turn += 1) expect((await guess('x')).status).toBe(400)
    const guesses = await Promise.all(Array.from({ length: 20 }, () => guess(wrong)))
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(5)
    const limited = await guess(pin)
    expect([limited.status, limited.json().code]).toEqual([429, 'too_many_requests'])
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('right ones are not counted', async () => {
    const open = await startPosServer()
    try {
      const own = createPairing(open.deps.store)
      for (let turn = 0; turn < 7; turn += 1) {
        const { pin } = await own.create(open.box.cashBoxId)
        expect((await pair(pinBody(pin), '/v2/pair', open)).status).toBe(200)
      }
    } finally {
      await open.close()
    }
  })
})
