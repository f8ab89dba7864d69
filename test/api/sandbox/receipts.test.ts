import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { call, outcome } from '../../support/group-c.js'
import {
  makeQueue,
  makeServer,
  makeSigner,
  type TestServer,
  type TestSigner,
} from '../../support/make-scu.js'

/** Case words of Austria (0x4154…): POS receipt 1, zero 2, start 3. */
const AUSTRIA = 0x4154n << 48n
/** Low bits of ftState: 2 the signing device is out of order. */
const FAILED = 2n

let server: TestServer
let box: TestSigner
let queueId: string

beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  box = await makeSigner(server)
  queueId = await makeQueue(server, box, [box.scuId])
  expect(await receipt(3n)).toBe(0n)
})

/** Signs over group B; the country's part of ftState of the answer. */
async function receipt(kind: bigint, app = server.app): Promise<bigint> {
  const items =
    kind === 1n
      ? `"cbChargeItems":[{"Quantity":1,"Description":"x","Amount":1.2,"VATRate":20,
          "ftChargeItemCase":${AUSTRIA | 3n}}],
         "cbPayItems":[{"Quantity":1,"Description":"Cash","Amount":1.2,
          "ftPayItemCase":${AUSTRIA | 1n}}]`
      : '"cbChargeItems":[],"cbPayItems":[]'
  const answer = await app.inject({
    method: 'POST',
    url: `/${queueId}/json/v1/sign`,
    headers: { ...box.headers, 'content-type': 'application/json' },
    payload: `{"ftCashBoxID":"${box.cashBoxId}","cbTerminalID":"1",
      "cbReceiptReference":"${randomUUID()}","cbReceiptMoment":"${new Date().toISOString()}",
      ${items},"ftReceiptCase":${AUSTRIA | kind}}`,
  })
  expect(answer.statusCode, answer.body).toBe(200)
  const state = /"ftState":(\d+)/.exec(answer.body)?.[1]
  if (state === undefined) throw new Error(answer.body)
  return BigInt(state) & 0xffn
}

async function fault(steps: object[] | undefined): Promise<void> {
  const method = steps === undefined ? 'DELETE' : 'PUT'
  const path = `/sandbox/scus/${box.scuId}/fault`
  const body = steps === undefined ? undefined : { steps }
  const { status } = await call(server.app, { method, path, headers: box.headers, body })
  expect(status).toBe(200)
}

async function ended(): Promise<number> {
  const found = await server.deps.store.pool.query(
    `select 1 from action_journal where queue_id = $1 and type = 'FaultScript-ended'`,
    [queueId],
  )
  return found.rowCount ?? 0
}

async function leftSteps(): Promise<unknown> {
  const path = `/sandbox/scus/${box.scuId}/fault`
  const { body } = await call(server.app, { method: 'GET', path, headers: box.headers })
  return body.steps
}

describe('a queue in memory', () => {
  it('meets a script with its next receipt, and its end as well', async () => {
    expect(await receipt(1n)).toBe(0n)
    await fault([{ do: 'unreachable' }])
    expect(await receipt(1n)).toBe(FAILED)
    expect(await receipt(2n)).toBe(FAILED)
    await fault(undefined)
    expect(await receipt(2n)).toBe(0n)
    expect(await receipt(1n)).toBe(0n)
  })

  it.each(['garbage', 'wrong-signature', 'error', 'error-after', 'certificate-expired'])(
    'counts each try of a receipt against "%s", and goes on when the step is over',
    async (kind) => {
      // one receipt makes four rounds (scu-max-retries 3), then the queue waits for a zero receipt
      await fault([{ do: kind, calls: 6 }])
      expect(await receipt(1n)).toBe(FAILED)
      expect(await ended()).toBe(0)
      expect(await receipt(2n)).toBe(0n)
      expect(await ended()).toBe(1)
      expect(await leftSteps()).toEqual([])
      expect(await receipt(1n)).toBe(0n)
    },
  )

  it('shares the count with group C', async () => {
    await fault([{ do: 'error', calls: 5 }])
    expect(await outcome(server.app, box, Buffer.of(1))).toBe('500')
    expect(await receipt(1n)).toBe(FAILED)
    expect(await outcome(server.app, box, Buffer.of(1))).toBe('signed')
    expect(await leftSteps()).toEqual([])
  })

  it('of another server notices a script before its next receipt', async () => {
    const second = await makeServer({ database: server.database })
    expect(await receipt(1n, second.app)).toBe(0n)
    await fault([{ do: 'unreachable' }])
    expect(await receipt(1n, second.app)).toBe(FAILED)
    await second.close()
  })
})

describe('setting and clearing while receipts are signed', () => {
  it('breaks no receipt and blocks nobody', async () => {
    const receipts = async () => {
      for (let turn = 0; turn < 12; turn += 1) expect(await receipt(2n)).toBeLessThanOrEqual(FAILED)
    }
    const scripts = async () => {
      for (let turn = 0; turn < 12; turn += 1) {
        await fault([
          { do: 'error', calls: 3 },
          { do: 'garbage', calls: 1 },
        ])
        await outcome(server.app, box, Buffer.of(turn))
        if (turn % 2 === 1) await fault(undefined)
      }
    }
    await Promise.all([receipts(), receipts(), scripts()])
    await fault(undefined)
    expect(await receipt(2n)).toBe(0n)
    expect(await receipt(1n)).toBe(0n)
  })
})
