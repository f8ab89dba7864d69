// A database as an older version left it, from test/store/former: kept by scripts/keep-database.ts
// when all examples of that version had been run against it.
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { migrate, migrationsFolder } from '../../src/postgres/migrate.js'
import { quietLog } from './data-folder.js'
import { createTestDatabase, type TestDatabase } from './db.js'

/** A cash box of the older version, and what that version answered. */
export interface FormerBox {
  market: string
  cashBoxId: string
  accessToken: string
  queueId: string
  operation: { id: string; body: string; answer: string }
  /** Path of the receipt's page. */
  document: string
  /**
   * Its journals by type: SHA-256 of every member of an archive, or of the file under ''. A DEP7
   * counts without blanks between its members: it was not indented in 2026.
   */
  exports: Record<string, Record<string, string>>
}

interface Kept {
  migrations: string[]
  facts: { boxes: FormerBox[] }
  rows: { table: string; row: string }[]
}

const FOLDER = new URL('../store/former/', import.meta.url)

export function keptDatabases(): string[] {
  return fs.readdirSync(FOLDER).sort()
}

/** With the older version's schema and rows, and no younger migration. */
export async function openFormer(
  name: string,
): Promise<{ database: TestDatabase; boxes: FormerBox[]; rows: number }> {
  const { migrations, facts, rows } = readKept(name)
  const database = await createTestDatabase({ empty: true })
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fiskalwerk-former-'))
  for (const one of migrations) {
    fs.cpSync(path.join(migrationsFolder, one), path.join(folder, one), { recursive: true })
  }
  try {
    await migrate(database.config, quietLog, folder)
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
  await insert(database, rows)
  return { database, boxes: facts.boxes, rows: rows.length }
}

function readKept(name: string): Kept {
  const text = gunzipSync(fs.readFileSync(new URL(name, FOLDER))).toString('utf8')
  const [first = '', ...lines] = text.trimEnd().split('\n')
  const rows = lines.map((line) => {
    const [, table = '', row = ''] = /^\{"table":"(\w+)","row":(.*)\}$/.exec(line) ?? []
    return { table, row }
  })
  return { ...JSON.parse(first), rows }
}

/** PostgreSQL reads what it wrote: numbers and bytes keep every digit. */
async function insert({ superuser }: TestDatabase, rows: Kept['rows']): Promise<void> {
  const client = new pg.Client(superuser)
  await client.connect()
  try {
    // what refers to each other comes in any order
    await client.query('set session_replication_role = replica')
    for (const { table, row } of rows) {
      await client.query(
        `insert into "${table}" select * from json_populate_record(null::"${table}", $1::json)`,
        [row],
      )
    }
  } finally {
    await client.end()
  }
}
