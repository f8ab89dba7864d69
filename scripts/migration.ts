// npm run db:migration -- <name>: writes what schema.prisma says and the migrations do not yet.
// npm run db:check: fails when there is such a difference. Both work on a throw-away database.
import * as fs from 'node:fs'
import * as path from 'node:path'
import { migrationsFolder } from '../src/postgres/migrate.js'
import { missingMigration, SCHEMA_FILE } from './schema-difference.js'

const USAGE = 'usage: npm run db:migration -- <name_in_lower_case>, or npm run db:check'

async function main([command, name]: string[]): Promise<number> {
  if (command === 'check' && name === undefined) return check()
  if (command === 'new' && /^[a-z][a-z0-9_]*$/.test(name ?? '')) return write(String(name))
  console.error(USAGE)
  return 2
}

async function check(): Promise<number> {
  const sql = await missingMigration()
  if (sql === '') return 0
  console.error(`The migrations do not say what ${SCHEMA_FILE} says. Missing:\n\n${sql}`)
  console.error('Write a migration with: npm run db:migration -- <name>')
  return 1
}

async function write(name: string): Promise<number> {
  const sql = await missingMigration()
  if (sql === '') {
    console.log(`Nothing to do: the migrations say what ${SCHEMA_FILE} says.`)
    return 0
  }
  const moment = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const file = path.join(migrationsFolder, `${moment}_${name}`, 'migration.sql')
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, sql)
  console.log(`Wrote ${path.relative(process.cwd(), file)}. Triggers, checks and storage settings `)
  console.log(
    'of new tables are written by hand below it; never change it once it is applied anywhere.',
  )
  return 0
}

// pools that idle would hold the process
process.exit(await main(process.argv.slice(2)))
