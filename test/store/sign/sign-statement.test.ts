import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Decimal } from '../../../src/lib/decimal.js'
import type { QueueHead } from '../../../src/model/queue.js'
import { commitBatch, loadHead, loadHeads } from '../../../src/store/sign/queues.js'
import type { ItemRow, SignBatch } from '../../../src/store/sign/sign-batch.js'
import { signStatement } from '../../../src/store/sign/sign-statement.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { connected } from '../../support/ledger.js'
import { createTill, createTills, openStand, type Stand, type Till } from '../../support/stand.js'

let database: TestDatabase
let client: pg.Client
let stand: Stand
let one: Till
let two: Till

beforeAll(async () => {
  database = await createTestDatabase()
  client = await connected(database.config)
  stand = openStand(database.config)
})

afterAll(async () => {
  await stand.close()
  await client.end()
  await database.drop()
})

beforeEach(async () => {
  one = await createTill(stand)
  two = await createTill(stand, { shares: one })
})

async function headOf(till: Till): Promise<QueueHead> {
  const head = await loadHead(stand.store, { accountId: till.accountId, id: till.queueId })
  if (head === undefined) throw new Error('no head')
  return head
}

type Filled = { -readonly [K in keyof SignBatch]: SignBatch[K][number][] }

const emptyBatch = (): Filled => ({
  ...{
    heads: [],
    items: [],
    completions: [],
    recorded: [],
    receipts: [],
    markets: [],
    actions: [],
  },
  ...{ certificates: [], operations: [], endings: [], outbox: [], events: [], scus: [] },
})

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** Adds one receipt with a row in every table. `version`: what the head is believed to be at. */
function addReceipt(
  batch: Filled,
  head: QueueHead,
  { version = head.version, group = 0 }: { version?: bigint; group?: number } = {},
): ItemRow {
  const row = head.queuedRow + 1
  const stamp = head.timeStamp
  const moment = new Date('2026-03-01T12:00:00Z')
  const itemId = randomUUID()
  const queueId = head.id
  const certificate = randomBytes(40)
  const item: ItemRow = {
    queueId,
    row,
    id: itemId,
    queueMoment: moment,
    timeoutMs: 15_000,
    workMoment: moment,
    doneMoment: moment,
    receiptMoment: moment,
    terminalId: null,
    posSystemId: null,
    receiptReference: 'r',
    country: 'AT',
    version: 'v1',
    request: '{}',
    requestHash: sha256('{}'),
    response: '{}',
    responseHash: sha256('{}'),
    processingVersion: '',
    timeStamp: stamp + 1n,
    operationId: null,
  }
  batch.items.push(item)
  batch.receipts.push({
    queueId,
    timeStamp: stamp + 2n,
    id: randomUUID(),
    receiptMoment: moment,
    receiptNumber: head.receiptNumerator + 1,
    receiptTotal: Decimal.of('1.5'),
    queueItemId: itemId,
    receiptHash: sha256('receipt'),
  })
  const fingerprint = sha256(certificate.toString('hex'))
  batch.markets.push({
    queueId,
    queueItemId: itemId,
    timeStamp: stamp + 3n,
    id: randomUUID(),
    kind: 'kind',
    number: 1,
    scuId: null,
    certificate: { fingerprint, entry: null },
    content: 'content',
  })
  batch.actions.push({
    queueId,
    queueItemId: itemId,
    timeStamp: stamp + 4n,
    id: randomUUID(),
    moment,
    priority: 0,
    type: 'type',
    message: 'message',
    dataJson: null,
    dataBase64: null,
  })
  batch.certificates.push({ queueId, fingerprint, der: certificate, chain: [certificate] })
  const next = {
    ...head,
    queuedRow: row,
    currentRow: head.currentRow + 1,
    receiptNumerator: head.receiptNumerator + 1,
    timeStamp: stamp + 4n,
  }
  batch.heads.push({ group, version, next, state: head.state, secretsSealed: null })
  return item
}

const TABLES = ['queue_item', 'receipt_journal', 'market_journal', 'action_journal'] as const

/** Everything that there is of a queue's account, as text. */
async function everything(tills: Till[]): Promise<Record<string, unknown[]>> {
  const queues = tills.map((till) => till.queueId)
  const accounts = tills.map((till) => till.accountId)
  const found: Record<string, unknown[]> = {}
  const select = async (table: string, where: string, ids: string[]) => {
    const { rows } = await client.query(`select * from ${table} where ${where} order by 1, 2, 3`, [
      ids,
    ])
    found[table] = rows
  }
  for (const table of TABLES) await select(table, 'queue_id = any($1)', queues)
  for (const table of ['certificate', 'scu']) await select(table, 'account_id = any($1)', accounts)
  await select('queue', 'id = any($1)', queues)
  return found
}

const winners = (won: Set<string>) => [...won].sort()

describe('a head that is as it was read', () => {
  it('moves by one version, and every row is there', async () => {
    const before = await everything([one])
    const head = await headOf(one)
    const batch = emptyBatch()
    const item = addReceipt(batch, head)
    expect(winners(await commitBatch(stand.store, batch))).toEqual([one.queueId])
    const moved = await headOf(one)
    expect(moved.version).toBe(head.version + 1n)
    expect(moved).toMatchObject({ queuedRow: item.row, timeStamp: head.timeStamp + 4n })
    const after = await everything([one])
    for (const table of [...TABLES, 'certificate']) {
      expect(after[table]?.length, table).toBe((before[table]?.length ?? 0) + 1)
    }
  })
})

describe('a head that was moved meanwhile', () => {
  it('writes nothing at all: no row, no certificate, no change', async () => {
    const head = await headOf(one)
    const stale = emptyBatch()
    addReceipt(stale, head)
    await client.query('update queue set version = version + 1 where id = $1', [one.queueId])
    const before = await everything([one])
    expect(winners(await commitBatch(stand.store, stale))).toEqual([])
    expect(await everything([one])).toEqual(before)
  })

  it('writes nothing when its version seems to be ahead', async () => {
    const head = await headOf(one)
    const before = await everything([one])
    const batch = emptyBatch()
    addReceipt(batch, head, { version: head.version + 1n })
    expect(winners(await commitBatch(stand.store, batch))).toEqual([])
    expect(await everything([one])).toEqual(before)
  })

  it('does not keep the other heads of the batch from moving', async () => {
    const batch = emptyBatch()
    addReceipt(batch, await headOf(one))
    addReceipt(batch, await headOf(two))
    await client.query('update queue set version = version + 1 where id = $1', [one.queueId])
    const before = await everything([one])
    const account = { certificate: before.certificate?.length ?? 0 }
    expect(winners(await commitBatch(stand.store, batch))).toEqual([two.queueId])
    const after = await everything([one])
    expect({ ...after, certificate: [] }).toEqual({ ...before, certificate: [] })
    // both queues are of one account: the certificate of the winner only
    expect(after.certificate).toHaveLength(account.certificate + 1)
    expect((await everything([two])).receipt_journal).toHaveLength(2)
  })

  it('writes nothing when the move is under way: it waits, and then sees it', async () => {
    const head = await headOf(one)
    const other = await connected(database.config)
    await other.query('begin')
    await other.query('update queue set version = version + 1 where id = $1', [one.queueId])
    const batch = emptyBatch()
    addReceipt(batch, head)
    const late = commitBatch(stand.store, batch)
    await other.query('commit')
    await other.end()
    expect(winners(await late)).toEqual([])
  })

  it('two statements at once: exactly one wins, whatever the order of their queues', async () => {
    const tills = await createTills(stand, 8)
    const heads = await loadHeads(
      stand.store,
      tills.map((till) => ({ accountId: till.accountId, id: till.queueId })),
    )
    const ordered = [...heads.values()].flatMap((head) => (head instanceof Error ? [] : [head]))
    const batches = [ordered, [...ordered].reverse(), ordered, [...ordered].reverse()].map(
      (all) => {
        const batch = emptyBatch()
        for (const head of all) addReceipt(batch, head)
        return batch
      },
    )
    const won = await Promise.all(batches.map((batch) => commitBatch(stand.store, batch)))
    expect(won.flatMap(winners).sort()).toEqual(tills.map((till) => till.queueId).sort())
    for (const till of tills) {
      expect((await everything([till])).receipt_journal).toHaveLength(2)
    }
  })
})

describe('a second head', () => {
  it('that was moved meanwhile keeps everything from being written', async () => {
    const head = await headOf(one)
    const batch = emptyBatch()
    addReceipt(batch, head, { group: 1 })
    const [scu] = head.scus
    if (scu === undefined) throw new Error('no unit')
    batch.scus.push({ ...scu, group: 1, state: '{"other":1}', timeStamp: 1n })
    await client.query('update scu set version = version + 1 where id = $1', [scu.id])
    const before = await everything([one])
    expect(winners(await commitBatch(stand.store, batch))).toEqual([])
    expect(await everything([one])).toEqual(before)
  })

  it('moves together with the queue, and not when the queue was moved', async () => {
    const head = await headOf(one)
    const [scu] = head.scus
    if (scu === undefined) throw new Error('no unit')
    const move = { ...scu, group: 1, state: '{"other":1}', timeStamp: 1n }
    const batch = emptyBatch()
    addReceipt(batch, head, { group: 1 })
    batch.scus.push(move)
    expect(winners(await commitBatch(stand.store, batch))).toEqual([one.queueId])
    const stale = emptyBatch()
    addReceipt(stale, head, { group: 1 })
    stale.scus.push({ ...move, version: scu.version + 1n, state: '{"other":2}' })
    expect(winners(await commitBatch(stand.store, stale))).toEqual([])
    const { rows } = await client.query('select state, version from scu where id = $1', [scu.id])
    expect(rows).toEqual([{ state: '{"other":1}', version: String(scu.version + 1n) }])
  })

  it('is moved by all queues of its group or by none, whatever becomes of the others', async () => {
    const three = await createTill(stand)
    const heads = [await headOf(one), await headOf(two), await headOf(three)] as const
    const [scu] = heads[0].scus
    if (scu === undefined) throw new Error('no unit')
    const batch = () => {
      const made = emptyBatch()
      heads.forEach((head, at) => {
        addReceipt(made, head, { group: at < 2 ? 7 : 0 })
      })
      made.scus.push({ ...scu, group: 7, state: '{"other":3}', timeStamp: 2n })
      return made
    }
    await client.query('update queue set version = version + 1 where id = $1', [two.queueId])
    expect(winners(await commitBatch(stand.store, batch()))).toEqual([three.queueId])
    const unmoved = await client.query('select version from scu where id = $1', [scu.id])
    expect(unmoved.rows).toEqual([{ version: String(scu.version) }])
    await client.query('update queue set version = version - 1 where id = $1', [two.queueId])
    // its row lies elsewhere now
    expect((await headOf(two)).version).toBe(heads[1].version)
    const won = winners(await commitBatch(stand.store, batch())).sort()
    // the third one has moved by now, and its group is its own
    expect(won).toEqual([one.queueId, two.queueId].sort())
    const moved = await client.query('select state, version from scu where id = $1', [scu.id])
    expect(moved.rows).toEqual([{ state: '{"other":3}', version: String(scu.version + 1n) }])
  })
})

describe('an item that waits', () => {
  it('gets its answer with the move of the head, once', async () => {
    const head = await headOf(one)
    const stored = emptyBatch()
    const item = addReceipt(stored, head)
    const rest = { receipts: [], markets: [], actions: [], certificates: [] }
    const open = { ...item, doneMoment: null, workMoment: null, response: null, responseHash: null }
    await commitBatch(stand.store, { ...stored, ...rest, items: [open] })
    const next = await headOf(one)
    const late = emptyBatch()
    const answered = { ...item, timeStamp: next.timeStamp + 1n }
    late.heads.push({
      group: 0,
      version: head.version,
      next,
      state: next.state,
      secretsSealed: null,
    })
    late.completions.push(answered)
    expect(winners(await commitBatch(stand.store, late))).toEqual([])
    late.heads = [{ group: 0, version: next.version, next, state: next.state, secretsSealed: null }]
    expect(winners(await commitBatch(stand.store, late))).toEqual([one.queueId])
    const { rows } = await client.query('select response from queue_item where id = $1', [item.id])
    expect(rows).toEqual([{ response: '{}' }])
    late.heads = [
      { group: 0, version: next.version + 1n, next, state: next.state, secretsSealed: null },
    ]
    await expect(commitBatch(stand.store, late)).rejects.toThrow('append-only')
  })

  it('is found by its id alone, also by a plan that was made without statistics', async () => {
    const fresh = await createTestDatabase()
    const [young, youngStand] = [await connected(fresh.config), openStand(fresh.config)]
    try {
      const { accountId, queueId } = await createTill(youngStand)
      await young.query(
        `insert into queue_item (account_id, queue_id, row, id, queue_moment, timeout_ms,
           receipt_moment, country, version, request, request_hash, processing_version, time_stamp)
         select $1, $2, n, gen_random_uuid(), now(), 0, now(), 'AT', 'v2', '{}', sha256('{}'), '', n
         from generate_series(11, 2010) n`,
        [accountId, queueId],
      )
      const batch = emptyBatch()
      batch.completions.push(addReceipt(emptyBatch(), await headOf(one)))
      addReceipt(batch, await headOf(two))
      addReceipt(batch, await headOf(one))
      const { text, values } = signStatement(batch, new Map(), stand.store.signPlaces)
      const { rows } = await young.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      const update = plan.slice(plan.indexOf('Update on queue_item'))
      expect(update).toMatch(/^.*?Index Scan using queue_item_account_id_id_idx on queue_item/s)
      expect(update).toMatch(/Index Cond: \(\(account_id = \S+\) AND \(id = \S+\)\)/)
    } finally {
      await Promise.all([young.end(), youngStand.close()])
      await fresh.drop()
    }
  })
})
