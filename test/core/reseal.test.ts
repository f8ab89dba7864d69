// Changing the master key: both keys, seal anew, the new key alone.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReceiptApp } from '../../src/core/accounts/accounts.js'
import { addPerson } from '../../src/core/accounts/people/desk.js'
import { beginCodes } from '../../src/core/accounts/people/second-factor.js'
import { createOnce } from '../../src/core/audit/once.js'
import { enqueueMessage } from '../../src/core/message/enqueue.js'
import { resealAll } from '../../src/core/reseal.js'
import { cashBoxToken } from '../../src/store/master-key.js'
import { INSTALLATION, insertLinkKey } from '../../src/store/receipt/link-keys.js'
import { SEALED_COLUMNS } from '../../src/store/sealed.js'
import { inTransaction } from '../../src/store/transaction.js'
import { call, startServer, startTestServer, type TestServer } from '../support/app.js'
import { saleText } from '../support/receipts.js'

const old = randomBytes(32).toString('base64')
const fresh = randomBytes(32).toString('base64')

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ MASTER_KEY: old })
  const { store } = server.deps
  const now = () => new Date()
  await createReceiptApp({ store, now }, { name: 'App', shareUrl: null })
  await publishOne()
  await inTransaction(store, (client) =>
    enqueueMessage({ store, now }, client, {
      ...{ accountId: server.demo.operator.accountId, kind: 'receipt', subject: 'a receipt' },
      ...{ channel: 'email', to: 'max@example.com', language: 'de', data: {}, send: false },
    }),
  )
  await insertLinkKey(store, INSTALLATION, 'first')
  const { wallets, webhooks } = server.deps.platform
  const { accountId } = server.demo.operator
  const actor = { accountId, onBehalfOf: null, operation: 'createWebhook', traceId: '' }
  const wish = { url: 'https://example.com/', description: '', types: [], after: undefined }
  const wished = { ...wish, mode: 'ordered', asymmetric: true } as const
  const { webhook } = await webhooks.create(actor, wished)
  await webhooks.rotate(actor, webhook.id, 1)
  await wallets.put(actor, { accountId, maker: 'google', entered: { simulated: true } })
  const ida = { accountId, email: 'ida@lenz.example', name: 'Ida', role: 'Reader' } as const
  const { personId: id } = await addPerson({ store, now }, { ...ida, base: '' })
  await beginCodes({ store, now }, { id, email: ida.email })
})
afterAll(() => server.close())

/** Fills what only a publication seals. */
async function publishOne(): Promise<void> {
  const { accountId } = server.demo.operator
  const { store } = server.deps
  const once = createOnce(
    { store, now: () => new Date() },
    { accountId, key: 'once', requestHash: randomBytes(32), answerOf: () => 'answer' },
  )
  const actor = { accountId, onBehalfOf: null, operation: 'executeTemplate', traceId: '', once }
  await server.deps.dealer.templates.execute(actor, {
    ...{ accountId, outletNumber: 1, strict: true, query: new Map(), mayCreateSigners: false },
    body: `{ "ftSignaturCreationDevices": [ { "Package": "fiskaltrust.signing.atapdu" } ],
      "ftQueues": [ { "Package": "fiskalwerk.Queue" } ] }`,
  })
}

/** Signs on a server that starts with these keys; the status. */
async function signsWith(keys: string): Promise<number> {
  const other = await startServer(server, { MASTER_KEY: keys })
  try {
    const target = { ...other, headers: server.headers }
    return (await call(target, '/json/v1/sign', { body: saleText() })).status
  } finally {
    await other.close()
  }
}

async function reseal(keys: string) {
  const other = await startServer(server, { MASTER_KEY: keys })
  try {
    return await resealAll(other.deps.store)
  } finally {
    await other.close()
  }
}

describe('a change of the master key', () => {
  it('every column that holds something sealed takes part', async () => {
    const { found } = await server.row(`select array_agg(table_name || '.' || column_name
      order by 1) as found from information_schema.columns
      where table_schema = 'public' and column_name like '%\\_sealed'`)
    const known = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`)
    expect([...(found as string[])].sort()).toEqual([...known].sort())
    for (const { table, column } of SEALED_COLUMNS) {
      const { count } = await server.row(
        `select count(*)::int as count from ${table} where ${column} is not null`,
      )
      expect(count, `${table}.${column}`).toBeGreaterThan(0)
    }
  })

  it('goes from one key over two to the other, and a queue signs all the way', async () => {
    expect(await signsWith(old)).toBe(200)
    expect(await signsWith(`${fresh},${old}`)).toBe(200)
    expect(await signsWith(fresh)).toBe(500)
    const first = await reseal(`${fresh},${old}`)
    expect(first.resealed).toBeGreaterThanOrEqual(SEALED_COLUMNS.length)
    expect(await reseal(`${fresh},${old}`)).toEqual({
      resealed: 0,
      kept: first.resealed + first.kept,
    })
    expect(await signsWith(fresh)).toBe(200)
    expect(await signsWith(old)).toBe(500)
  })

  it('keeps every secret as it was', async () => {
    const other = await startServer(server, { MASTER_KEY: fresh })
    try {
      const row = await server.row(
        `select access_token_sealed as sealed from cash_box where id = '${server.box.cashBoxId}'`,
      )
      const { sealer } = other.deps.store
      expect(sealer.open(row.sealed as Buffer, cashBoxToken(server.box.cashBoxId))).toBe(
        server.box.accessToken,
      )
    } finally {
      await other.close()
    }
  })

  it('without the old key stops with a clear word and changes nothing', async () => {
    await expect(reseal(old)).rejects.toThrow('master key')
    expect(await signsWith(fresh)).toBe(200)
  })
})
