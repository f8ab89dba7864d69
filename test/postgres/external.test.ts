import * as net from 'node:net'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { DatabaseError } from '../../src/postgres/database-error.js'
import { open, query } from '../support/data-folder.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})

afterAll(() => database.drop())

/** DATABASE_URL of a database in the cluster of this run. */
function url(name: string, user = 'fiskalwerk'): string {
  const host = encodeURIComponent(inject('cluster').config.host)
  return `postgresql://${user}:geheim@${host}/${name}`
}

async function sentence(databaseUrl: string): Promise<string> {
  const failure = await open('unused', { databaseUrl }).catch((error) => error)
  expect(failure).toBeInstanceOf(DatabaseError)
  expect(failure.message).not.toContain('geheim')
  return failure.message
}

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('an external database', () => {
  it('is used as it is, by several at once', async () => {
    const options = { databaseUrl: url(database.config.database), durable: false }
    const both = await Promise.all([open('unused', options), open('unused', options)])
    for (const { embedded, poolConfig, stop } of both) {
      expect(embedded).toBe(false)
      expect(await query(poolConfig, 'select 1 as n')).toEqual([{ n: 1 }])
      await stop()
    }
  })

  it('that may lose data in a crash is refused', async () => {
    expect(await sentence(url(database.config.database))).toBe(
      'This PostgreSQL cannot be used: fsync and synchronous_commit and full_page_writes ' +
        'must be on, or a crash could lose receipts.',
    )
  })

  it.each([
    ['datestyle', 'German', 'German, DMY', 'iso'],
    ['standard_conforming_strings', 'off', 'off', 'on'],
    ['array_nulls', 'off', 'off', 'on'],
  ])('whose role has another %s is refused: it would be misread', async (name, set, is, wanted) => {
    const options = encodeURIComponent(`-c ${name}=${set}`)
    expect(await sentence(`${url(database.config.database)}?options=${options}`)).toBe(
      `This PostgreSQL cannot be used: its ${name} is ${is} and has to be ${wanted}; ` +
        `alter role … set ${name} to ${wanted}.`,
    )
  })

  it('that does not exist is refused in a sentence', async () => {
    expect(await sentence(url('nowhere'))).toContain(
      '(database "nowhere", user "fiskalwerk") cannot be used: there is no such database.',
    )
    expect(await sentence(url(database.config.database, 'stranger'))).toContain(
      'user "stranger") cannot be used: the user may not log in.',
    )
  })

  it('that cannot be reached is refused in a sentence without the password', async () => {
    const port = await closedPort()
    expect(await sentence(`postgres://till:geheim@127.0.0.1:${port}/ledger`)).toBe(
      `The database at 127.0.0.1:${port} (database "ledger", user "till") cannot be used: ` +
        'nothing listens there.',
    )
    expect(await sentence('postgres://till:geheim@no.such.host.invalid/ledger')).toContain(
      'The database at no.such.host.invalid:5432 (database "ledger", user "till") cannot be used',
    )
  })

  it.each(['mysql://till:geheim@host/ledger', 'till:geheim@host', 'postgres://till:geheim@[/x'])(
    'an address like %s is refused in a sentence without the password',
    async (address) => {
      expect(await sentence(address)).toBe(
        'DATABASE_URL is not understood: expected postgresql://user:password@host:port/database.',
      )
    },
  )
})
