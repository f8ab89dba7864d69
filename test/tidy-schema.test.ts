// Shows for each check of the schema that it finds what it forbids, and nothing in clean tables.
import { describe, expect, it } from 'vitest'
import {
  checkAccounts,
  checkBatches,
  checkRights,
  checkStatements,
  checkTables,
} from './support/tidy/schema.js'
import { foundIn as found, Tree } from './support/tidy/tree.js'

describe('the schema', () => {
  const file = 'prisma/migrations/1_first/migration.sql'
  const table = (name: string, first: string, more = '') =>
    `CREATE TABLE "${name}" (\n  "id" UUID NOT NULL,${more}\n  ` +
    `CONSTRAINT "${name}_pkey" PRIMARY KEY ("${first}","id")\n);\n`
  it.each([
    [table('till', 'id'), 'a key of till begins with id, not with account_id'],
    [
      'CREATE UNIQUE INDEX "a" ON "till"("pin");\n',
      'a key of till begins with pin, not with account_id',
    ],
    [
      'ALTER TABLE "till" ADD FOREIGN KEY ("a") REFERENCES "b"("a");\n',
      'a foreign key ties tables together that may lie in two databases',
    ],
    [
      table('till', 'account_id', ' "n" BIGSERIAL,'),
      'till has a counter of PostgreSQL; ids are made by the application',
    ],
    ['CREATE TABLE "inbox" ("n" SERIAL);\n', 'a counter is smaller than 64 bits'],
    [
      'CREATE TABLE "till" ("a" int) PARTITION BY HASH ("a");\n',
      'partitions are by time only, on one level',
    ],
    [
      'CREATE TABLE "t1" PARTITION OF "t" FOR VALUES FROM (1) TO (2) PARTITION BY RANGE ("a");\n',
      'partitions are by time only, on one level',
    ],
    [
      'ALTER TABLE "till" DROP COLUMN "a";\n',
      'a migration takes away what the version before still needs',
    ],
  ])('may not: %s', (text, finding) => {
    expect(found(checkTables, { [file]: text })).toEqual([finding])
  })
  it('clean tables pass, and each statement is told with its line', () => {
    const clean = table('till', 'account_id', ' "serial" TEXT,')
    expect(found(checkTables, { [file]: clean })).toEqual([])
    const two = `-- first\n${clean}\n\n${table('shop', 'id')}`
    expect(checkTables(Tree.of({ [file]: two })).map(({ line }) => line)).toEqual([8])
  })
  it('rows that never change are taken from the role', () => {
    const made = table('queue_item', 'account_id')
    const fault = 'queue_item never changes, and the role may change it'
    expect(found(checkRights, { [file]: made })).toEqual([fault])
    const kept = `${made}REVOKE UPDATE, DELETE, TRUNCATE ON "queue_item" FROM CURRENT_USER;\n`
    expect(found(checkRights, { [file]: kept })).toEqual([])
  })
  it.each([
    ['`insert into queue_item select pg_notify(1)`', 'writes queue_item uses pg_notify'],
    ['`update operation set a = 1 from pg_locks`', 'writes operation uses pg_locks'],
    [
      "'delete from scu using lateral (select 1 limit 1) x'",
      'a statement that writes scu uses lateral',
    ],
    ["error.constraint === 'operation_pkey'", 'an error is told by the name of a constraint'],
  ])('a statement may not: %s', (text, finding) => {
    const findings = found(checkStatements, { 'src/store/a.ts': `export const a = ${text}` })
    expect(findings).toEqual([expect.stringContaining(finding)])
  })
  it('a statement says of which account', () => {
    const of = (text: string) => found(checkAccounts, { 'src/store/a.ts': text })
    const fault = 'a statement of queue does not say of which account'
    expect(of("const a = 'select state from queue where id = $1'")).toEqual([fault])
    const asked = `const a = \`select 1 from queue where ${'$'}{W}\``
    expect(of(`const W = \`id = $1\`\n${asked}`)).toEqual([fault])
    const whose = `const W =\n  \`account_id = $1\`\n${asked}`
    expect(of(whose)).toEqual([])
    expect(of("const a = 'select 1 from detector_run'")).toEqual([])
  })
  it.each(['const a = openStore(b)', 'const a = new pg.Pool()', 'interface A { stores: Store[] }'])(
    'who signs may not: %s',
    (text) => {
      expect(found(checkBatches, { 'src/core/sign/a.ts': text })).toHaveLength(1)
      expect(found(checkBatches, { 'src/deps/a.ts': text })).toEqual([])
    },
  )
  it('a statement that only reads may look at locks', () => {
    const text = "export const a = 'select from queue_item, pg_locks'"
    expect(found(checkStatements, { 'src/store/a.ts': text })).toEqual([])
  })
})
