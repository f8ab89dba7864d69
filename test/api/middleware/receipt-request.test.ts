// The receipt request flag over HTTP: the stored answer comes back, or nothing does.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, countRows, startTestServer, type TestServer } from '../../support/app.js'
import { austrianCase, saleText } from '../../support/receipts.js'

const REQUEST = 0x8000_0000_0000n

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const sign = (members: Record<string, string | undefined>, path = '/json/v1/sign') =>
  call(server, path, { body: saleText(members) })

const asked = (reference: string) => ({
  cbReceiptReference: `"${reference}"`,
  ftReceiptCase: austrianCase(1n | REQUEST),
})

describe('a receipt request', () => {
  it('gives the stored answer back byte for byte, as often as it is asked', async () => {
    const first = await sign({ cbReceiptReference: '"again"' })
    const before = await countRows(server)
    for (const path of ['/json/v1/sign', '/json/v0/sign', '/sign']) {
      const repeated = await sign(asked('again'), path)
      expect([repeated.status, repeated.text]).toEqual([200, first.text])
    }
    const after = await countRows(server)
    expect(after.items).toBe(before.items)
    expect(after.receipts).toBe(before.receipts)
    expect(Number(after.actions)).toBe(Number(before.actions) + 3)
  })

  it('that finds nothing: v0 and unversioned 204 without a body, v1 200 with null', async () => {
    const before = await countRows(server)
    for (const path of ['/json/v0/sign', '/json/sign', '/sign', '/v0/json/sign']) {
      const { status, text, headers } = await sign(asked('never'), path)
      expect([status, text]).toEqual([204, ''])
      expect(headers['content-type']).toBeUndefined()
    }
    const { status, text, headers } = await sign(asked('never'), '/json/v1/sign')
    expect([status, text]).toEqual([200, 'null'])
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    // heads move on, so that a statement still on its way cannot write the receipt any more
    const versions = expect.anything()
    expect(await countRows(server)).toEqual({ ...before, versions })
  })

  it('finds only equal content: terminal, number of items, amount, case, moment', async () => {
    await sign({ cbReceiptReference: '"same"' })
    const item = '"Quantity":1,"ftChargeItemCase":4707387510509010947'
    const others: Record<string, string | undefined>[] = [
      { cbTerminalID: '"2"' },
      { cbChargeItems: '[]' },
      { cbPayItems: '[{},{}]' },
      { cbChargeItems: `[{${item},"Amount":4.91}]` },
      { cbChargeItems: '[{"Amount":4.9,"ftChargeItemCase":4707387510509010945}]' },
      { cbChargeItems: `[{${item},"Amount":4.9,"Moment":"2026-01-31T10:15:00Z"}]` },
      { cbReceiptReference: '"SAME"' },
    ]
    for (const members of others) {
      const { text } = await sign({ ...asked('same'), ...members })
      expect(text, JSON.stringify(members)).toBe('null')
    }
    for (const members of [
      { cbTerminalID: undefined },
      { cbTerminalID: '" "' },
      { cbChargeItems: `[{${item},"Amount":"4.900","Description":"another"}]` },
    ]) {
      const found = await sign({ ...asked('same'), ...members })
      expect(found.json(), JSON.stringify(members)).toMatchObject({ cbReceiptReference: 'same' })
    }
  })

  it('gives the newest of several', async () => {
    await sign({ cbReceiptReference: '"twice"' })
    const second = await sign({ cbReceiptReference: '"twice"' })
    expect((await sign(asked('twice'))).text).toBe(second.text)
  })

  it('gives nothing back where the stored answer is an error', async () => {
    const zero = { cbReceiptReference: '"bad"', ftReceiptCase: austrianCase(2n) }
    expect((await sign(zero)).status).toBe(400)
    const again = { ...zero, ftReceiptCase: austrianCase(2n | REQUEST) }
    expect((await sign(again)).text).toBe('null')
  })

  it('is answered in the form of dates that the stored request had', async () => {
    const wcf = { cbReceiptReference: '"wcf"', cbReceiptMoment: '"\\/Date(1593452740505)\\/"' }
    const first = await sign(wcf)
    expect((await sign(asked('wcf'))).text).toBe(first.text)
  })
})
