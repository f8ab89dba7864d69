// Idempotency-Key: of the same call, again or at the same time on two servers, one is done.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusal } from '../../support/dealer.js'
import { newId, openTwoServers, type TwoServers } from '../../support/two-servers.js'

let two: TwoServers
beforeAll(async () => {
  two = await openTwoServers()
})
afterAll(() => two.close())

const TEXT = JSON.stringify({
  ftCashBoxId: '|[cashbox_id]|',
  ftSignaturCreationDevices: [{ Id: '|[scu0_id]|', Package: 'fiskalwerk.SCU.AT.Software' }],
  ftQueues: [{ Id: '|[queue0_id]|', Package: 'fiskalwerk.Queue' }],
})

function execute(key: string, { server = 0, body = TEXT } = {}) {
  const [one, other] = two.servers
  return (server === 0 ? one : other).call(
    `POST /api/posoperators/${two.operator}/templates?outlet_number=1`,
    { body, as: one.dealer, headers: { 'idempotency-key': key } },
  )
}

const boxes = async () =>
  (await two.servers[0].rows('select id from cash_box where account_id = $1', [two.operator]))
    .length

describe('a template with an Idempotency-Key', () => {
  it('is executed once, and every repetition gets the first answer, byte for byte', async () => {
    const key = newId()
    const before = await boxes()
    const first = await execute(key)
    expect(first.status, first.text).toBe(200)
    for (const server of [0, 1]) {
      const again = await execute(key, { server })
      expect([again.status, again.text]).toEqual([200, first.text])
    }
    expect(await boxes()).toBe(before + 1)
  })

  it('is executed once when it comes to two servers at the same time', async () => {
    const key = newId()
    const before = await boxes()
    const all = await Promise.all([0, 1, 0, 1].map((server) => execute(key, { server })))
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(all.map(({ text }) => text)).size).toBe(1)
    expect(await boxes()).toBe(before + 1)
  })

  it('is refused for another body, and after a refusal the key is free', async () => {
    const key = newId()
    expect((await execute(key, { body: '{ "ftQueues": [ 1 ] }' })).status).toBe(400)
    expect((await execute(key)).status).toBe(200)
    const other = await execute(key, { body: TEXT.replace('fiskalwerk.Queue', 'fiskalwerk.queue') })
    expect(refusal(other).status).toBe(409)
    expect((await execute('two words')).status).toBe(400)
    // a script whose variable is empty must not come to think that it is safe
    expect((await execute('')).status).toBe(400)
    expect((await execute('x'.repeat(256))).status).toBe(400)
  })

  it('keeps the answer sealed', async () => {
    const reply = await execute(newId())
    const token = String(reply.json().accessToken)
    const rows = await two.servers[0].rows(
      'select encode(answer_sealed, $1) as text from idempotent_call',
      ['escape'],
    )
    for (const { text } of rows) expect(String(text)).not.toContain(token.slice(0, 12))
  })
})
