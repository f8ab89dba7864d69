// Keeps everything that a database holds as lines of JSON, packed: what tests of later migrations
// begin with. `npx tsx scripts/keep-database.ts FACTS.json FILE.ndjson.gz` reads the database of
// the settings (DATA_DIR, DATABASE_URL); the facts become a member of the first line.
import { readFile, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { readConfig } from '../src/config.js'
import { createLog } from '../src/log.js'
import { openDatabase } from '../src/postgres/database.js'

const TABLES = `select table_name as name from information_schema.tables
  where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`
const MIGRATIONS = '_prisma_migrations'

async function linesOf(client: pg.Client, facts: unknown): Promise<string[]> {
  const tables = (await client.query<{ name: string }>(TABLES)).rows.map(({ name }) => name)
  const rows: string[] = []
  for (const name of tables.filter((table) => table !== MIGRATIONS)) {
    const found = await client.query<{ text: string }>(
      `select row_to_json(one)::text as text from only "${name}" one`,
    )
    rows.push(...found.rows.map(({ text }) => `{"table":"${name}","row":${text}}`))
  }
  const done = await client.query<{ name: string }>(
    `select migration_name as name from ${MIGRATIONS} order by 1`,
  )
  const migrations = done.rows.map(({ name }) => name)
  return [JSON.stringify({ migrations, facts }), ...rows]
}

const [factsFile = '', file = ''] = process.argv.slice(2)
const config = readConfig()
const database = await openDatabase({
  dataDir: config.DATA_DIR,
  databaseUrl: config.DATABASE_URL,
  mode: 'tool',
  log: createLog('silent', false),
})
const client = new pg.Client(database.poolConfig)
await client.connect()
try {
  const lines = await linesOf(client, JSON.parse(await readFile(factsFile, 'utf8')))
  await writeFile(file, gzipSync(`${lines.join('\n')}\n`, { level: 9 }))
  console.log(`${lines.length - 1} rows in ${file}`)
} finally {
  await client.end()
  await database.stop()
}
