// Rows for tests, written straight into the tables: an account with a cash box and a queue, and
// journal rows with whatever texts and time stamps a test wants.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { createSealer } from '../../src/lib/seal.js'
import { openStore, type Store } from '../../src/store/client.js'
import type { JournalKey } from '../../src/store/journal/journal-pages.js'
import { queueSecrets, scuSecrets } from '../../src/store/sign/queues.js'

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/** A store on a test database; a broken connection fails the test that sees it. */
export function testStore(connection: pg.PoolConfig, size = 4): Store {
  return openStore({
    connection,
    size,
    sealer: createSealer([randomBytes(32)]),
    onBroken: (error) => {
      throw error
    },
  })
}

export const MOMENT = new Date('2026-03-14T09:26:53.589Z')
/** Ticks of 2026-01-01T00:00:00Z. */
export const TICKS = 639028224000000000n

export interface QueueParts {
  market: string
  state: string
  configuration: string
  /** Sealed when not ''. */
  secrets: string
  receiptTotalizer: string
  receiptHash: Buffer | null
  startMoment: Date | null
  timeStamp: bigint
}

export interface MadeQueue extends JournalKey {
  cashBoxId: string
  identification: string
}

/** An account with one cash box and one queue. */
export async function makeQueue(store: Store, given: Partial<QueueParts> = {}): Promise<MadeQueue> {
  const [accountId, cashBoxId, queueId] = [randomUUID(), randomUUID(), randomUUID()]
  const identification = `TEST-${queueId.slice(0, 8)}`
  const part = { market: 'AT', state: '{}', configuration: '{}', secrets: '', ...given }
  await store.pool.query(
    `insert into account (id, kind, name, market, country, email, created_at)
     values ($1, 'PosOperator', 'Test', 'AT', 'AT', $2, now())`,
    [accountId, `${accountId}@example.com`],
  )
  await store.pool.query(
    `insert into cash_box (account_id, id, description, access_token_hash, access_token_sealed,
       private_key_sealed, time_stamp, created_at)
     values ($1, $2, 'Test', $3, 'sealed', 'sealed', $4, now())`,
    [accountId, cashBoxId, sha256('token'), TICKS],
  )
  await store.pool.query(
    `insert into queue (account_id, id, cash_box_id, market, description, identification,
       configuration, secrets_sealed, start_moment, receipt_totalizer, receipt_hash, state,
       time_stamp, created_at)
     values ($1, $2, $3, $4, 'Test', $5, $6, $7, $8, $9, $10, $11, $12, now())`,
    [
      ...[accountId, queueId, cashBoxId, part.market, identification, part.configuration],
      part.secrets === '' ? null : store.sealer.seal(part.secrets, queueSecrets(queueId)),
      ...[part.startMoment ?? null, part.receiptTotalizer ?? '0', part.receiptHash ?? null],
      ...[part.state, part.timeStamp ?? TICKS],
    ],
  )
  return { accountId, cashBoxId, queueId, identification }
}

export interface ScuParts {
  package: string
  url: string | null
  configuration: string
  secrets: string
  state: string
  mode: number
}

/** A signing unit of the queue. */
export async function makeScu(
  store: Store,
  queue: JournalKey,
  given: Partial<ScuParts> = {},
): Promise<string> {
  const id = randomUUID()
  const secrets = given.secrets ?? ''
  await store.pool.query(
    `insert into scu (account_id, id, market, package, description, mode, url, configuration,
       secrets_sealed, state, time_stamp, created_at)
     values ($1, $2, 'AT', $3, 'Test', $4, $5, $6, $7, $8, $9, now())`,
    [
      ...[queue.accountId, id, given.package ?? 'none', given.mode ?? 0, given.url ?? null],
      given.configuration ?? '{}',
      secrets === '' ? null : store.sealer.seal(secrets, scuSecrets(id)),
      ...[given.state ?? '{}', TICKS + 7n],
    ],
  )
  await store.pool.query(
    'insert into queue_scu (account_id, queue_id, scu_id, position) values ($1, $2, $3, 0)',
    [queue.accountId, queue.queueId, id],
  )
  return id
}

export interface ItemParts {
  row: number
  id: string
  timeStamp: bigint
  request: string
  /** null: never finished. */
  response: string | null
  terminalId: string | null
  receiptReference: string | null
}

/** A queue item; hashes fit the texts. Returns its id. */
export async function makeItem(
  store: Store,
  queue: JournalKey,
  given: Partial<ItemParts> & { row: number },
): Promise<string> {
  const id = given.id ?? randomUUID()
  const { request = '{}', response = '{}' } = given
  const done = response === null ? null : MOMENT
  await store.pool.query(
    `insert into queue_item (account_id, queue_id, row, id, queue_moment, timeout_ms, work_moment,
       done_moment, receipt_moment, terminal_id, receipt_reference, country, version, request,
       request_hash, response, response_hash, processing_version, time_stamp)
     values ($1, $2, $3, $4, $5, 15000, $6, $6, $5, $7, $8, 'AT', 'v1', $9, $10, $11, $12, '1.2.3',
       $13)`,
    [
      ...[queue.accountId, queue.queueId, given.row, id, MOMENT, done],
      ...[given.terminalId ?? null, given.receiptReference ?? null, request, sha256(request)],
      ...[response, response === null ? null : sha256(response)],
      given.timeStamp ?? TICKS + BigInt(given.row) * 10n,
    ],
  )
  return id
}

export interface ReceiptParts {
  timeStamp: bigint
  id: string
  number: bigint
  total: string
  queueItemId: string
  hash: Buffer
}

export async function makeReceipt(
  store: Store,
  queue: JournalKey,
  given: Partial<ReceiptParts> & { timeStamp: bigint },
): Promise<void> {
  await store.pool.query(
    `insert into receipt_journal (account_id, queue_id, time_stamp, id, receipt_moment,
       receipt_number, receipt_total, queue_item_id, receipt_hash)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      ...[queue.accountId, queue.queueId, given.timeStamp, given.id ?? randomUUID(), MOMENT],
      ...[given.number ?? 1n, given.total ?? '12.5', given.queueItemId ?? randomUUID()],
      given.hash ?? sha256('receipt'),
    ],
  )
}

export interface ActionParts {
  timeStamp: bigint
  id: string
  queueItemId: string | null
  priority: number
  message: string
  dataJson: string | null
  dataBase64: string | null
}

export async function makeAction(
  store: Store,
  queue: JournalKey,
  given: Partial<ActionParts> & { timeStamp: bigint },
): Promise<void> {
  await store.pool.query(
    `insert into action_journal (account_id, queue_id, time_stamp, id, queue_item_id, moment,
       priority, type, message, data_base64, data_json)
     values ($1, $2, $3, $4, $5, $6, $7, 'TestType', $8, $9, $10)`,
    [
      ...[queue.accountId, queue.queueId, given.timeStamp, given.id ?? randomUUID()],
      ...[given.queueItemId ?? null, MOMENT, given.priority ?? 0x30, given.message ?? 'Message'],
      ...[given.dataBase64 ?? null, given.dataJson ?? null],
    ],
  )
}

export interface MarketParts {
  timeStamp: bigint
  id: string
  number: bigint
  scuId: string | null
  queueItemId: string
  certificateFingerprint: Buffer | null
  content: string
}

export async function makeMarketRow(
  store: Store,
  queue: JournalKey,
  given: Partial<MarketParts> & { timeStamp: bigint },
): Promise<void> {
  await store.pool.query(
    `insert into market_journal (account_id, queue_id, time_stamp, id, kind, number, scu_id,
       queue_item_id, certificate_fingerprint, content)
     values ($1, $2, $3, $4, 'rksv', $5, $6, $7, $8, $9)`,
    [
      ...[queue.accountId, queue.queueId, given.timeStamp, given.id ?? randomUUID()],
      ...[given.number ?? 1n, given.scuId ?? null, given.queueItemId ?? randomUUID()],
      ...[given.certificateFingerprint ?? null, given.content ?? 'header.payload.signature'],
    ],
  )
}

export async function makeCertificate(
  store: Store,
  accountId: string,
  { der, chain = [] }: { der: Buffer; chain?: Buffer[] },
): Promise<Buffer> {
  const fingerprint = createHash('sha256').update(der).digest()
  await store.pool.query(
    'insert into certificate (account_id, fingerprint, der, chain) values ($1, $2, $3, $4)',
    [accountId, fingerprint, der, chain],
  )
  return fingerprint
}

const MANY = 20_000

/** Many market rows at once, one tick each from `TICKS` + 1 on, numbered from 1. */
export async function makeManyMarketRows(
  store: Store,
  queue: JournalKey,
  count: number,
): Promise<void> {
  // in parts: a statement of the pool may take ten seconds
  for (let from = 1; from <= count; from += MANY) {
    const to = Math.min(count, from + MANY - 1)
    await store.pool.query(
      `insert into market_journal (account_id, queue_id, time_stamp, id, kind, number,
         queue_item_id, content)
       select $1, $2, $3::int8 + n, gen_random_uuid(), 'rksv', n, gen_random_uuid(),
         'eyJhbGciOiJFUzI1NiJ9.' || repeat(md5(n::text), 7) || '.' || repeat(md5(n::text), 2)
       from generate_series($4::int, $5::int) n`,
      [queue.accountId, queue.queueId, TICKS, from, to],
    )
  }
}
