// The log of calls: one line for each, which tells who called what and nothing that opens anything.

import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLog } from '../../../src/log.js'
import { saleText } from '../../support/receipts.js'
import { openShop, type Shop } from '../../support/shop.js'

interface Line {
  msg: string
  traceId: string
  group: string
  method: string
  route: string | null
  caller: string | null
  status: number | null
  ms: number | null
}

const lines: string[] = []
let shop: Shop
beforeAll(async () => {
  const log = createLog('info', false, { write: (line: string) => void lines.push(line) })
  shop = await openShop({ LOG_LEVEL: 'info,access' }, log, { countries: ['AT'] })
})
afterAll(() => shop.close())

const calls = () =>
  lines.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg.startsWith('call'))

/** The lines of what `work` does, when there are so many. */
async function told(count: number, work: () => Promise<unknown>): Promise<Line[]> {
  const before = calls().length
  await work()
  await expect.poll(() => calls().length).toBeGreaterThanOrEqual(before + count)
  return calls().slice(before)
}

const sign = (headers: Record<string, string>) =>
  fetch(`${shop.url}/json/v1/sign`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: saleText({ ftCashBoxID: `"${shop.box.cashBoxId}"` }),
  }).then((answer) => answer.text())

it('has a line for each call: who, what, how it ended, how long', async () => {
  const { cashBoxId: cashboxid, accessToken: accesstoken } = shop.box
  const [line, ...more] = await told(1, () => sign({ cashboxid, accesstoken }))
  expect(more).toEqual([])
  expect(line).toMatchObject({
    ...{ msg: 'call', group: 'middleware', method: 'POST', route: '/json/v1/sign' },
    ...{ caller: cashboxid, status: 200 },
  })
  expect(line?.ms).toBeGreaterThan(0)
  const [refused] = await told(1, () => sign({ cashboxid, accesstoken: 'wrong' }))
  expect(refused).toMatchObject({ status: 401, caller: cashboxid })
})

it('tells neither tokens, nor addresses of receipts, nor what a caller makes up', async () => {
  const [queue, item] = [randomUUID(), randomUUID()]
  const found = await told(3, async () => {
    await fetch(`${shop.url}/${queue}/${item}?secret=canary-1`)
    await fetch(`${shop.url}/nothing/canary-2`)
    await sign({ cashboxid: 'canary-3', accesstoken: 'canary-4' })
  })
  expect(found).toHaveLength(3)
  const text = JSON.stringify(found)
  for (const part of ['canary', queue, item, '127.0.0.1']) expect(text).not.toContain(part)
})

it('has one line for a call that is broken off in the middle', async () => {
  const { cashBoxId, accessToken } = shop.box
  const [line, ...more] = await told(1, async () => {
    const socket = connect(Number(new URL(shop.url).port), '127.0.0.1')
    socket.write(
      'POST /json/v1/sign HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n' +
        `cashboxid: ${cashBoxId}\r\naccesstoken: ${accessToken}\r\ncontent-length: 999\r\n\r\n{`,
    )
    await new Promise((resolve) => setTimeout(resolve, 200))
    socket.destroy()
  })
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(more).toEqual([])
  expect(line).toMatchObject({ caller: cashBoxId, route: '/json/v1/sign' })
})
