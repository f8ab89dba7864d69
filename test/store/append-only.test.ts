import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/db.js'

const ACCOUNT = 'a0000000-0000-4000-8000-000000000001'
const QUEUE = 'b0000000-0000-4000-8000-000000000001'
const HASH = Buffer.alloc(32, 7)

const JOURNALS = [
  'receipt_journal',
  'action_journal',
  'market_journal',
  'recorded_receipt',
  'certificate',
  'audit_entry',
  'agreement',
  'served_log',
] as const

let database: TestDatabase
let owner: pg.Client
let superuser: pg.Client

async function connected(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config)
  await client.connect()
  return client
}

beforeAll(async () => {
  database = await createTestDatabase()
  owner = await connected(database.config)
  superuser = await connected(database.superuser)
  await owner.query(`insert into receipt_journal values ($1, $2, 1, $2, now(), 1, 1.5, $2, $3)`, [
    ACCOUNT,
    QUEUE,
    HASH,
  ])
  await owner.query(
    `insert into action_journal values ($1, $2, 1, $2, null, now(), 0, 'type', 'text', null, null)`,
    [ACCOUNT, QUEUE],
  )
  await owner.query(
    `insert into market_journal values ($1, $2, 1, $2, 'kind', 1, null, $2, null, 'content')`,
    [ACCOUNT, QUEUE],
  )
  await owner.query(
    `insert into recorded_receipt
     values ($1, $2, 2, $2, now(), 2, 1.5, $2, $3, $2, 'kind', 1, null, null, 'content')`,
    [ACCOUNT, QUEUE, HASH],
  )
  await owner.query(`insert into certificate values ($1, $2, $2, '{}')`, [ACCOUNT, HASH])
  await owner.query(
    `insert into audit_entry values ($1, $2, null, 'test', '{}', null, '{}', now(), 'trace')`,
    [ACCOUNT, QUEUE],
  )
  await owner.query(
    `insert into agreement values ($1, $2, 'name', 'text', $3, 'Eva', $1, '', now())`,
    [ACCOUNT, QUEUE, HASH],
  )
  await owner.query(`insert into served_log values ($1, $2, 1, 1, '', '', 'content')`, [
    ACCOUNT,
    QUEUE,
  ])
  await insertItem(1, null)
  await insertItem(2, new Date())
})

afterAll(async () => {
  await owner.end()
  await superuser.end()
  await database.drop()
})

async function insertItem(row: number, done: Date | null): Promise<void> {
  await owner.query(
    `insert into queue_item (account_id, queue_id, row, id, queue_moment, timeout_ms,
       receipt_moment, done_moment, country, version, request, request_hash, processing_version,
       time_stamp)
     values ($1, $2, $3, $2, now(), 1, now(), $4, 'AT', 'v1', '{}', $5, '', $3)`,
    [ACCOUNT, QUEUE, row, done, HASH],
  )
}

/** SQLSTATE of the refusal: 42501 no privilege, 23001 the trigger. */
async function refusal(client: pg.Client, sql: string): Promise<string> {
  try {
    await client.query(sql)
    return 'done'
  } catch (error) {
    return String((error as pg.DatabaseError).code)
  }
}

const NO_PRIVILEGE = '42501'
const TRIGGER = '23001'

describe.each(JOURNALS)('%s', (table) => {
  it.each([
    `update ${table} set account_id = account_id`,
    `delete from ${table}`,
    `truncate ${table}`,
  ])('"%s" is refused to its owner by privilege', async (sql) => {
    expect(await refusal(owner, sql)).toBe(NO_PRIVILEGE)
  })

  it.each([
    `update ${table} set account_id = account_id`,
    `delete from ${table}`,
    `truncate ${table}`,
  ])('"%s" is refused to a superuser by trigger', async (sql) => {
    expect(await refusal(superuser, sql)).toBe(TRIGGER)
  })

  it('a superuser who plays replication is refused too', async () => {
    await superuser.query('set session_replication_role = replica')
    expect(await refusal(superuser, `delete from ${table}`)).toBe(TRIGGER)
    await superuser.query('reset session_replication_role')
  })

  it('still holds its row', async () => {
    const { rows } = await owner.query(`select count(*)::int as n from only ${table}`)
    expect(rows).toEqual([{ n: 1 }])
  })
})

const ANSWER = `update queue_item set work_moment = now(), done_moment = now(), response = '{}',
  response_hash = sha256('{}'), processing_version = '1', time_stamp = 3`

describe('queue_item', () => {
  it.each(['delete from queue_item', 'truncate queue_item'])('"%s" is refused', async (sql) => {
    expect(await refusal(owner, sql)).toBe(NO_PRIVILEGE)
    expect(await refusal(superuser, sql)).toBe(TRIGGER)
  })

  it('no column but those of the answer can be updated, done or not', async () => {
    const { rows } = await superuser.query<{ name: string }>(
      `select column_name as name from information_schema.columns where table_name = 'queue_item'`,
    )
    const answer = ANSWER.match(/\w+(?= = )/g)
    const others = rows.map((row) => row.name).filter((name) => !answer?.includes(name))
    expect(others).toHaveLength(15)
    for (const name of others) {
      const sql = `update queue_item set "${name}" = "${name}" where row = 1`
      expect(await refusal(owner, sql), name).toBe(NO_PRIVILEGE)
      expect(await refusal(superuser, sql), name).toBe(TRIGGER)
    }
  })

  it('a done item keeps its answer', async () => {
    expect(await refusal(owner, `${ANSWER} where row = 2`)).toBe(TRIGGER)
    expect(await refusal(superuser, `${ANSWER} where row = 2`)).toBe(TRIGGER)
  })

  it('an item that waits gets its answer once', async () => {
    expect(await refusal(owner, `${ANSWER} where row = 1`)).toBe('done')
    expect(await refusal(owner, `${ANSWER} where row = 1`)).toBe(TRIGGER)
  })
})

describe('broken values', () => {
  it('a hash that is no SHA-256 is refused', async () => {
    const sql = `insert into certificate values ('${ACCOUNT}', '\\x00', '\\x00', '{}')`
    expect(await refusal(owner, sql)).toBe('23514')
  })

  it('outlet number 2 does not exist', async () => {
    const insert = (number: number) =>
      `insert into outlet values ('${ACCOUNT}', gen_random_uuid(), ${number}, '', '{}', now())`
    expect(await refusal(owner, insert(2))).toBe('23514')
    expect(await refusal(owner, insert(3))).toBe('done')
  })
})
