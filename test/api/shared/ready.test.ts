// /health/ready says whether receipts can be written, not only whether somebody answers.
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call, startTestServer, type TestServer } from '../../support/app.js'
import type { TestDatabase } from '../../support/db.js'
import { connected } from '../../support/ledger.js'
import { saleText } from '../../support/receipts.js'

let server: TestServer
let admin: pg.Client
beforeAll(async () => {
  server = await startTestServer()
  admin = await connected((server.database as TestDatabase).superuser)
})
afterAll(async () => {
  await admin.end()
  await server.close()
})

const sign = async () => (await call(server, '/json/v1/sign', { body: saleText() })).status
const ready = async () => {
  const { statusCode, body } = await server.app.inject('/health/ready')
  return { status: statusCode, body: JSON.parse(body) as Record<string, string> }
}
/** Between two tries of the probe there is a pause: asks until the answer is the expected one. */
const readyAgain = () => expect.poll(async () => (await ready()).status, { timeout: 15_000 })

/** New sessions for everybody: settings of a database count for those. */
async function throwOut(): Promise<void> {
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
}

async function readOnly(isOn: boolean): Promise<void> {
  const database = String(server.database.config.database)
  await admin.query(`alter database ${database} set default_transaction_read_only = ${isOn}`)
  await throwOut()
}

it('503 from the write that a read-only database refused, until one succeeds', async () => {
  expect(await sign()).toBe(200)
  expect(await ready()).toMatchObject({ status: 200, body: { status: 'ready' } })
  await readOnly(true)
  expect(await sign()).toBe(503)
  for (const _ of [1, 2, 3]) {
    expect(await ready()).toMatchObject({
      status: 503,
      body: { status: 'not ready', database: 'takes no writes' },
    })
  }
  await readOnly(false)
  await readyAgain().toBe(200)
  expect(await sign()).toBe(200)
})

it('503 while the disk of the database is full', async () => {
  // PostgreSQL itself says so, with its own code, to whoever wants room
  await admin.query(`create function no_room() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file' using errcode = '53100'; end $$`)
  await admin.query(`create function no_table() returns event_trigger language plpgsql as $$
    begin raise exception 'could not extend file' using errcode = '53100'; end $$`)
  await admin.query(
    'create trigger full_disk before insert on queue_item execute function no_room()',
  )
  await admin.query(
    'create event trigger full_disk on ddl_command_start execute function no_table()',
  )
  expect(await sign()).toBe(503)
  expect((await ready()).status).toBe(503)
  await admin.query('drop event trigger full_disk')
  await admin.query('drop trigger full_disk on queue_item')
  await readyAgain().toBe(200)
  expect(await sign()).toBe(200)
  expect(await server.row("select to_regclass('write_probe') as left")).toEqual({ left: null })
})

it('503 with that reason also when no connection can be made for lack of room', async () => {
  await admin.query(`create function no_session() returns event_trigger language plpgsql as $$
    begin
      if session_user <> 'app' then
        raise exception 'could not write init file' using errcode = '53100';
      end if;
    end $$`)
  await admin.query('create event trigger full_disk on login execute function no_session()')
  await admin.query('alter event trigger full_disk enable always')
  await throwOut()
  await expect.poll(async () => (await ready()).body.database).toBe('takes no writes')
  expect((await ready()).status).toBe(503)
  await admin.query('drop event trigger full_disk')
  await readyAgain().toBe(200)
  expect(await sign()).toBe(200)
})
