// Arrays in PostgreSQL's binary format, read back by PostgreSQL itself.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  byteaArray,
  int4Array,
  int8Array,
  textArray,
  timestamptzArray,
  uuidArray,
} from '../../src/store/binary-array.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'

let database: TestDatabase
let client: pg.Client

beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client(database.config)
  await client.connect()
})

afterAll(async () => {
  await client.end()
  await database.drop()
})

/** The elements as PostgreSQL writes them. */
async function read(type: string, bytes: Buffer): Promise<(string | null)[]> {
  const sql = `select x::text from unnest($1::${type}[]) with ordinality t(x, n) order by n`
  const found = await client.query<{ x: string | null }>(sql, [bytes])
  return found.rows.map((row) => row.x)
}

describe('a binary array arrives as it was meant', () => {
  it('carries 64-bit numbers exactly, given as number or as bigint', async () => {
    const numbers = [0, 1, -1, 4294967295, 4294967296, -4294967297, Number.MAX_SAFE_INTEGER]
    const words = [4707387510509010945n, -9223372036854775808n, 9223372036854775807n]
    const sent = [...numbers, Number.MIN_SAFE_INTEGER, ...words, null]
    expect(await read('int8', int8Array(sent))).toEqual(
      sent.map((value) => (value === null ? null : String(value))),
    )
  })

  it('carries 32-bit numbers', async () => {
    expect(await read('int4', int4Array([0, 15000, -2147483648, null]))).toEqual([
      '0',
      '15000',
      '-2147483648',
      null,
    ])
  })

  it('carries moments to the millisecond, far ones too', async () => {
    const sent = [
      '2026-11-20T10:15:00.123Z',
      '1999-12-31T23:59:59.999Z',
      '2000-01-01T00:00:00.000Z',
      '0001-01-01T00:00:00.001Z',
      '9999-12-31T23:59:59.999Z',
    ]
    const found = await client.query<{ x: string }>(
      `select to_char(x at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as x
       from unnest($1::timestamptz[]) with ordinality t(x, n) order by n`,
      [timestamptzArray(sent.map((text) => new Date(text)))],
    )
    expect(found.rows.map((row) => row.x)).toEqual(sent)
    expect(await read('timestamptz', timestamptzArray([null]))).toEqual([null])
  })

  it('carries ids in either case', async () => {
    const id = '8f2d5cba-6f3c-4c0e-9b8a-1f4f0c8c7a11'
    expect(await read('uuid', uuidArray([id, null, id.toUpperCase()]))).toEqual([id, null, id])
  })

  it('carries texts and bytes of any length', async () => {
    const texts = ['', 'Grüner Veltliner 1/8', '日本', '🧾', null, 'x'.repeat(100_000)]
    expect(await read('text', textArray(texts))).toEqual(texts)
    const bytes = [Buffer.from([0, 255, 92]), null, Buffer.alloc(0)]
    expect(await read('bytea', byteaArray(bytes))).toEqual(['\\x00ff5c', null, '\\x'])
  })
})
