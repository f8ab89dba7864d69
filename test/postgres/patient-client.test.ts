// A statement may take as long as it needs, and its answer may be lost on the way.
import * as net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { DatabaseError } from '../../src/postgres/database-error.js'
import { type PatientClient, patientClient } from '../../src/postgres/patient-client.js'
import { type BreakingProxy, breakingProxy } from '../support/breaking-proxy.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'

const LOOK_MS = 200
/** Some looks. */
const LONG = 'select pg_sleep(1.5)::text as waited, 7 as n'
const LOCK = 4711

let database: TestDatabase
let proxy: BreakingProxy

beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
  const { host, port } = database.config
  proxy = await breakingProxy(`${host}/.s.PGSQL.${port}`)
})
afterAll(async () => {
  await proxy.close()
  await database.drop()
})

const behindProxy = () => ({ ...database.config, host: '127.0.0.1', port: proxy.port })

async function openHere(config: pg.ClientConfig = behindProxy()): Promise<PatientClient> {
  return patientClient(config, LOOK_MS)
}

async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'answered',
    (error: unknown) => error,
  )
}

describe('a patient client', () => {
  it('waits for a statement that PostgreSQL works on', async () => {
    const client = await openHere()
    const { rows } = await client.query<{ n: number }>(LONG)
    expect(rows[0]?.n).toBe(7)
    await client.close()
  })

  it('waits for a lock as long as somebody has it', async () => {
    const [first, second] = await Promise.all([openHere(), openHere()])
    await first.query('select pg_advisory_lock($1)', [LOCK])
    const waiting = second.query('select pg_advisory_lock($1)', [LOCK])
    await sleep(LOOK_MS * 6)
    await first.close()
    await waiting
    await second.close()
  })

  it('gives up a statement whose answer was lost', async () => {
    const client = await openHere()
    proxy.plan({ way: 'back', behind: 1, how: 'silent' })
    const fault = await outcomeOf(client.query('select 1'))
    expect(fault).toBeInstanceOf(DatabaseError)
    expect(String(fault)).toContain('The database does not answer any more')
    await client.close()
  })

  it('gives up a statement that never arrived', async () => {
    const client = await openHere()
    proxy.plan({ way: 'there', behind: 1, how: 'silent' })
    const fault = await outcomeOf(client.query('select 1'))
    expect(String(fault)).toContain('The database does not answer any more')
    await client.close()
  })

  it('gives up a statement where nothing of the database is heard any more', async () => {
    const { host, port } = database.config
    let isSilent = false
    const sockets: net.Socket[] = []
    const line = net.createServer((here) => {
      const there = net.connect(`${host}/.s.PGSQL.${port}`)
      sockets.push(here, there)
      here.on('data', (bytes) => isSilent || there.write(bytes))
      there.on('data', (bytes) => isSilent || here.write(bytes))
    })
    await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve))
    const at = { host: '127.0.0.1', port: (line.address() as net.AddressInfo).port }
    const client = await openHere({ ...database.config, ...at })
    isSilent = true
    const fault = await outcomeOf(client.query('select 1'))
    expect(String(fault)).toContain('The database does not answer any more')
    await client.close()
    for (const socket of sockets) socket.destroy()
    line.close()
  })

  it('is not opened where the line is silent meanwhile', async () => {
    const client = await openHere()
    const { back } = proxy.went()
    await client.close()
    expect(back).toBeGreaterThan(0)
    for (const behind of [1, 40, 200, 400]) {
      proxy.plan({ way: 'back', behind, how: 'silent' })
      const fault = await outcomeOf(openHere().then((opened) => opened.close()))
      expect(proxy.isBroken(), `${behind}`).toBe(true)
      expect(fault, `${behind}`).toBeInstanceOf(Error)
    }
  })

  it('waits on while all connections are taken', async () => {
    const role = `patient_${process.pid}`
    const admin = await openHere(inject('cluster').superuser)
    await admin.query(`create role ${role} login connection limit 1`)
    const config = { ...database.config, user: role }
    const client = await openHere(config)
    const refused = await outcomeOf(new pg.Client(config).connect())
    expect(refused).toMatchObject({ code: '53300' })
    expect(await outcomeOf(client.query(LONG))).toBe('answered')
    await client.close()
    await admin.query(`drop role ${role}`)
    await admin.close()
  })
})
