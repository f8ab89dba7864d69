// A disk of the database that is full, as a dealer meets it: a refusal that says "later", and
// nothing half written.
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type DealerStand, openDealer } from '../../support/dealer.js'
import { direct, person } from '../../support/invitations.js'
import { connected } from '../../support/ledger.js'

let stand: DealerStand
let admin: pg.Client
beforeAll(async () => {
  stand = await openDealer()
  admin = await connected(stand.database.superuser)
  // PostgreSQL itself says so, with its own code, to whoever wants room
  await admin.query(`create function no_room() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file' using errcode = '53100'; end $$`)
})
const TABLES = ['invitation', 'account', 'outlet']
afterEach(async () => {
  for (const table of TABLES) await admin.query(`drop trigger if exists full_disk on ${table}`)
})
afterAll(async () => {
  await admin.end()
  await stand.close()
})

it.each([
  ['invitation', 'POST /api/pos-operators-invitation', person],
  ['account', 'POST /api/posoperators', direct],
])('where no %s can be written it is 503 with Retry-After, and works later', async (...given) => {
  const [table, line, bodyOf] = given
  const body: object = bodyOf()
  const before = await stand.rows(`select count(*) from ${table}`)
  await admin.query(`create trigger full_disk before insert on ${table} execute function no_room()`)
  const refused = await stand.call(line, { body })
  expect([refused.status, refused.json().Code], refused.text).toEqual([503, 'Unavailable'])
  expect(refused.headers['retry-after']).toBe('1')
  expect(await stand.rows(`select count(*) from ${table}`)).toEqual(before)
  await admin.query(`drop trigger full_disk on ${table}`)
  const later = await stand.call(line, { body })
  expect(later.status, later.text).toBeLessThan(300)
})
