// What was given out of a French register stands in its journal of technical events, whether it was
// the archive or the documents of a chain; a break in the middle is no export.
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exportJournal } from '../../src/core/journal/export.js'
import { workOutbox } from '../../src/core/journal/outbox.js'
import { frState } from '../../src/market/fr/queue.js'
import { marketOf } from '../../src/market/index.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'
import { connected } from '../support/ledger.js'
import { answer, createTill, job, openStand, type Stand, type Till } from '../support/stand.js'

const TICKETS = 0x4652_0000_0000_0001n

let database: TestDatabase
let client: pg.Client
let stand: Stand
let till: Till

beforeAll(async () => {
  database = await createTestDatabase()
  client = await connected(database.config)
  stand = openStand(database.config)
  till = await createTill(stand, { market: 'FR' })
  await answer(stand.signing.sign(job(till, {})))
})
afterAll(async () => {
  await stand.close()
  await client.end()
  await database.drop()
})

const opened = () => {
  const { accountId, queueId } = till
  const deps = { store: stand.store, marketOf, now: () => new Date() }
  return exportJournal(deps, { accountId, queueId, type: TICKETS, range: { from: 0n, to: 0n } })
}

async function exported(): Promise<string> {
  const pieces: string[] = []
  for await (const piece of (await opened()).body) pieces.push(String(piece))
  return pieces.join('')
}

async function jobs(): Promise<unknown[]> {
  const { rows } = await client.query(
    'select payload from graphile_worker._private_jobs where key like $1 order by id',
    [`outbox:${till.queueId}:exported:%`],
  )
  return rows.map(({ payload }) => payload)
}

async function told() {
  const { rows } = await client.query(
    `select queue_item_id as item, message, data_json as data from action_journal
      where queue_id = $1 and type = 'JET-110' order by time_stamp`,
    [till.queueId],
  )
  return rows
}

it('each export is told once it was read to its end, two at once and during receipts', async () => {
  for await (const _first of (await opened()).body) break
  expect(await jobs()).toEqual([])
  const [one, other] = await Promise.all([exported(), exported()])
  expect(one).toBe(other)
  const payloads = await jobs()
  expect(payloads).toHaveLength(2)

  const tools = stand.deps.tools
  const deps = { store: stand.store, marketOf, tools, now: tools.now, open: stand.signing.open }
  const run = { signal: new AbortController().signal, last: false }
  const [, , text] = await Promise.all([
    ...payloads.map((payload) => workOutbox(deps, payload, run)),
    answer(stand.signing.sign(job(till, {}))),
  ])
  expect(String(text)).toContain('#T2')
  const { rows } = await client.query('select state from queue where id = $1', [till.queueId])
  const { chains, messages } = frState.parse(JSON.parse(rows[0]?.state))
  expect([chains.T?.number, messages]).toEqual([2, []])
  const asked = { type: '0x4652000000000001', from: '0', to: '0' }
  const entries = await told()
  expect(entries.map(({ message, data }) => [message, JSON.parse(data)])).toEqual(
    Array(2).fill(['Data were exported: journal type 0x4652000000000001.', asked]),
  )
  // what was exported stays what it was, but for the receipt that came
  expect((await exported()).startsWith(one)).toBe(true)
})
