import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FAILED, POS, START, signReceipt, ZERO } from '../../support/group-b.js'
import { call, outcome } from '../../support/group-c.js'
import {
  makeQueue,
  makeServer,
  makeSigner,
  type TestServer,
  type TestSigner,
} from '../../support/make-scu.js'

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
  expect(await receipt(START)).toBe(0n)
})

async function receipt(kind: bigint, app = server.app): Promise<bigint> {
  return (await signReceipt(app, { box, queueId, kind })).state
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
    expect(await receipt(POS)).toBe(0n)
    await fault([{ do: 'unreachable' }])
    expect(await receipt(POS)).toBe(FAILED)
    expect(await receipt(ZERO)).toBe(FAILED)
    await fault(undefined)
    expect(await receipt(ZERO)).toBe(0n)
    expect(await receipt(POS)).toBe(0n)
  })

  it.each(['garbage', 'wrong-signature', 'error', 'error-after', 'certificate-expired'])(
    'counts each try of a receipt against "%s", and goes on when the step is over',
    async (kind) => {
      // one receipt makes four rounds (scu-max-retries 3), then the queue waits for a zero receipt
      await fault([{ do: kind, calls: 6 }])
      expect(await receipt(POS)).toBe(FAILED)
      expect(await ended()).toBe(0)
      expect(await receipt(ZERO)).toBe(0n)
      expect(await ended()).toBe(1)
      expect(await leftSteps()).toEqual([])
      expect(await receipt(POS)).toBe(0n)
    },
  )

  it('shares the count with group C', async () => {
    await fault([{ do: 'error', calls: 5 }])
    expect(await outcome(server.app, box, Buffer.of(1))).toBe('500')
    expect(await receipt(POS)).toBe(FAILED)
    expect(await outcome(server.app, box, Buffer.of(1))).toBe('signed')
    expect(await leftSteps()).toEqual([])
  })

  it('of another server notices a script before its next receipt', async () => {
    const second = await makeServer({ database: server.database })
    expect(await receipt(POS, second.app)).toBe(0n)
    await fault([{ do: 'unreachable' }])
    expect(await receipt(POS, second.app)).toBe(FAILED)
    await second.close()
  })
})

describe('setting and clearing while receipts are signed', () => {
  it('breaks no receipt and blocks nobody', async () => {
    const receipts = async () => {
      for (let turn = 0; turn < 12; turn += 1)
        expect(await receipt(ZERO)).toBeLessThanOrEqual(FAILED)
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
    expect(await receipt(ZERO)).toBe(0n)
    expect(await receipt(POS)).toBe(0n)
  })
})
