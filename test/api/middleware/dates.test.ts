// Dates over the wire: every form is taken, and answered in kind.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, startTestServer, type TestServer } from '../../support/app.js'
import { saleText } from '../../support/receipts.js'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

async function sign(members: Record<string, string>) {
  const { status, text, json } = await call(server, '/json/v1/sign', { body: saleText(members) })
  expect(status, text).toBe(200)
  const moment = /"ftReceiptMoment":("[^"]*")/.exec(text)?.[1] ?? ''
  const row = await server.row('select receipt_moment from queue_item where id = $1', [
    json().ftQueueItemID,
  ])
  return { moment, stored: (row.receipt_moment as Date).toISOString() }
}

const ISO = /^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,7})?Z"$/
const WCF = /^"\\\/Date\(\d{13}\)\\\/"$/

describe('a date of the request', () => {
  it.each([
    ['"2020-06-29T17:45:40.505Z"', '2020-06-29T17:45:40.505Z'],
    ['"2020-06-29T17:45:40.5051234Z"', '2020-06-29T17:45:40.505Z'],
    ['"2020-06-29T19:45:40+02:00"', '2020-06-29T17:45:40.000Z'],
    ['"2020-04-05 10:49:20"', '2020-04-05T10:49:20.000Z'],
    ['"2020-04-05T10:49:20"', '2020-04-05T10:49:20.000Z'],
    ['"2026-11-22"', '2026-11-22T00:00:00.000Z'],
    ['"2026-11-22T10:00Z"', '2026-11-22T10:00:00.000Z'],
    ['"2026-11-22T11:00+01:00"', '2026-11-22T10:00:00.000Z'],
    ['"0001-01-01T00:00:00"', '0001-01-01T00:00:00.000Z'],
    ['"1970-01-01T00:00:00Z"', '1970-01-01T00:00:00.000Z'],
  ])('%s is read, and answered as ISO in UTC', async (json, instant) => {
    const { moment, stored } = await sign({ cbReceiptMoment: json })
    expect(stored).toBe(instant)
    expect(moment).toMatch(ISO)
  })

  it.each([
    ['"\\/Date(1593452740505)\\/"', '2020-06-29T17:45:40.505Z'],
    ['"/Date(1593452740505)/"', '2020-06-29T17:45:40.505Z'],
    ['"\\/Date(1593452740505+0200)\\/"', '2020-06-29T17:45:40.505Z'],
    ['"\\/Date(1795212145)\\/"', '1970-01-21T18:40:12.145Z'],
    ['"\\/Date(1795212145,5)\\/"', '1970-01-21T18:40:12.145Z'],
    ['"\\/Date(-62135596800000)\\/"', '0001-01-01T00:00:00.000Z'],
  ])('%s is read, and answered in its own form', async (json, instant) => {
    const { moment, stored } = await sign({ cbReceiptMoment: json })
    expect(stored).toBe(instant)
    expect(moment).toMatch(WCF)
  })

  it('one date of that form anywhere in the request is enough', async () => {
    const cbChargeItems = '[{"Amount":1,"VATRate":20,"Moment":"\\/Date(1593452740505)\\/"}]'
    expect((await sign({ cbChargeItems })).moment).toMatch(WCF)
  })

  it('each request decides for itself', async () => {
    expect((await sign({ cbReceiptMoment: '"/Date(0)/"' })).moment).toMatch(WCF)
    expect((await sign({})).moment).toMatch(ISO)
  })

  it('the answer tells the time of processing, whatever the register says', async () => {
    const from = Date.now()
    const { moment } = await sign({ cbReceiptMoment: '"1999-01-01T00:00:00Z"' })
    const told = Date.parse(JSON.parse(moment) as string)
    expect(told).toBeGreaterThanOrEqual(from)
    expect(told).toBeLessThanOrEqual(Date.now())
  })
})
