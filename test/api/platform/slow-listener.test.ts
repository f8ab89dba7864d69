// A listener that takes nothing for a while: what has happened meanwhile waits in the database, not
// in the memory of the server, and he is told all of it on the same connection.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  accountHeaders,
  openPlatform,
  type PlatformShop,
  settledHead,
} from '../../support/platform.js'

/** Larger than what the buffers of both sides of a connection hold. */
const EVENTS = 12_000
const FILLING = 'x'.repeat(1_500)

let shop: PlatformShop
beforeAll(async () => {
  shop = await openPlatform()
})
afterAll(() => shop.close())

async function openListener(): Promise<IncomingMessage> {
  const call = request(`${shop.url}/platform/v1/events/stream`, {
    ...{ headers: accountHeaders(shop.dealer), agent: false },
  })
  call.end()
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  answer.setEncoding('utf8')
  return answer
}

it('whoever stops reading for a while is told everything, in order, on one connection', {
  timeout: 60_000,
}, async () => {
  const before = Number(await settledHead(shop))
  const answer = await openListener()
  expect(answer.statusCode).toBe(200)
  answer.pause()
  await shop.deps.store.pool.query(
    `insert into inbox (account_id, event_id, type, subject_kind, subject_id, data, at)
     select $1::uuid, gen_random_uuid(), 'order.done', 'order', gen_random_uuid(),
       json_build_object('text', $2::text)::text, clock_timestamp() from generate_series(1, $3)`,
    [shop.dealer.accountId, FILLING, EVENTS],
  )
  // all of them are there, and none was taken yet
  await expect.poll(() => settledHead(shop).then(Number)).toBe(before + EVENTS)
  let rest = ''
  const seqs: number[] = []
  let hasEnded = false
  answer.once('close', () => {
    hasEnded = true
  })
  answer.on('data', (chunk: string) => {
    rest += chunk
    const end = rest.lastIndexOf('\n\n') + 2
    for (const [, seq] of rest.slice(0, end).matchAll(/^id: (\d+)$/gm)) seqs.push(Number(seq))
    rest = rest.slice(end)
  })
  answer.resume()
  await expect.poll(() => seqs.length, { timeout: 45_000 }).toBe(EVENTS)
  expect(hasEnded).toBe(false)
  expect(seqs).toEqual(Array.from({ length: EVENTS }, (_, at) => before + at + 1))
  answer.destroy()
})
