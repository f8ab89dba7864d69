// Personal data ends: by its age, by the address of a person, with a row that tells how much.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { erasePerson, erasePersonal } from '../../../src/core/accounts/personal.js'
import { expireOutbox } from '../../../src/notify/outbox-age.js'
import { requeueMessage } from '../../../src/store/message/messages.js'
import { sealedValues } from '../../../src/store/sealed.js'
import { startTestServer, type TestServer } from '../../support/app.js'

let server: TestServer
let dealer: string
beforeAll(async () => {
  server = await startTestServer()
  dealer = server.demo.dealer.accountId
})
afterAll(() => server.close())

const ADDRESSES = { table: 'message', column: 'address_sealed' } as const
const OLD = new Date('2020-01-01T00:00:00Z')
const EDGE = new Date('2024-01-01T00:00:00Z')
const YOUNG = new Date('2025-01-01T00:00:00Z')
const deps = () => ({ store: server.deps.store, now: () => new Date() })
const values = (text: string, ...given: unknown[]) => server.row(text, given)

async function invite(email: string, done: Date | null): Promise<string> {
  const id = randomUUID()
  const contact = JSON.stringify({ firstName: 'Eva', lastName: 'Muster', email })
  await values(
    `insert into invitation (account_id, id, email_key, company, contact, done, created_at)
     values ($1, $2, $3, '{}', $4, $5, $6)`,
    ...[dealer, id, email, contact, done, OLD],
  )
  return id
}

async function visit(moment: Date): Promise<string> {
  const id = randomUUID()
  await values(
    `insert into delivery (account_id, queue_id, queue_item_id, id, moment, method, kind, counts,
       user_agent, address_hash) values ($1, $2, $3, $4, $5, 'viewed', 'customer', true,
       'Mozilla', sha256('x'))`,
    ...[dealer, randomUUID(), randomUUID(), id, moment],
  )
  return id
}

async function agreement(moment: Date): Promise<string> {
  const id = randomUUID()
  await values(
    `insert into agreement (account_id, id, name, text, text_hash, signed_by, dealer_id, address,
       moment) values ($1, $2, 'x', 'x', sha256('x'), 'Eva Muster', $1, '192.0.2.1', $3)`,
    ...[dealer, id, moment],
  )
  return id
}

async function draft(moment: Date, email = 'x@example.com'): Promise<void> {
  await values(
    'insert into draft (account_id, name, document, changed_at) values ($1, $2, $3, $4)',
    ...[dealer, randomUUID(), JSON.stringify({ company: { email } }), moment],
  )
}

async function letter(moment: Date, state: string): Promise<string> {
  const id = randomUUID()
  await values(
    `insert into message (account_id, id, kind, channel, language, subject, address_sealed,
       data_sealed, address_masked, state, created_at, changed_at)
     values ($1, $2, 'receipt', 'email', 'de', 'x', '\\x01', '\\x01', 'e…@e….at', $4, $3, $3)`,
    ...[dealer, id, moment, state],
  )
  return id
}

it('what ended before the day is blanked, what is younger or under way stays', async () => {
  const [old, young, open] = [
    await invite('old@example.com', OLD),
    await invite('young@example.com', YOUNG),
    await invite('open@example.com', null),
  ]
  const [seen, justSeen] = [await visit(OLD), await visit(YOUNG)]
  const [sent, failed, stored, queued] = [
    await letter(OLD, 'sent'),
    await letter(OLD, 'failed'),
    await letter(OLD, 'stored'),
    await letter(OLD, 'queued'),
  ]
  const [signed, justSigned] = [await agreement(OLD), await agreement(YOUNG)]
  await draft(OLD)
  await draft(YOUNG)
  const counts = await erasePersonal(deps(), { before: EDGE, accountId: dealer })
  expect(counts).toEqual({ delivery: 1, message: 3, invitation: 1, agreement: 1, draft: 1 })
  const contact = async (id: string) =>
    (await values('select contact, email_key as key from invitation where id = $1', id)) as {
      contact: string
      key: string
    }
  expect((await contact(old)).contact).not.toMatch(/Eva|example/)
  expect((await contact(old)).key).not.toMatch(/example/)
  for (const id of [young, open]) expect((await contact(id)).contact).toMatch(/Eva/)
  const agent = (id: string) =>
    values('select user_agent as agent, address_hash as hash from delivery where id = $1', id)
  expect(await agent(seen)).toEqual({ agent: null, hash: null })
  expect(await agent(justSeen)).toMatchObject({ agent: 'Mozilla' })
  const sealed = (id: string) =>
    values(
      `select address_masked as masked, address_sealed as sealed, data_sealed as data
       from message where id = $1`,
      id,
    )
  for (const id of [sent, failed, stored]) {
    expect(await sealed(id)).toEqual({ masked: '', sealed: null, data: null })
  }
  const signer = (id: string) =>
    values('select signed_by as name, address from agreement where id = $1', id)
  expect(await signer(signed)).toEqual({ name: 'Eva Muster', address: '' })
  expect(await signer(justSigned)).toMatchObject({ address: '192.0.2.1' })
  expect(await sealed(queued)).toMatchObject({ masked: 'e…@e….at' })
  // twice is once, and the row tells no names
  expect(await erasePersonal(deps(), { before: EDGE, accountId: null })).toEqual({})
  const audit = await values(
    "select after, count(*) over () as rows from audit_entry where operation = 'erasePersonalData'",
  )
  expect(audit).toEqual({ after: JSON.stringify(counts), rows: 1n })
})

it('a message that was erased is not tried again, and resealing passes it over', async () => {
  const failed = await letter(OLD, 'failed')
  await erasePersonal(deps(), { before: EDGE, accountId: dealer })
  const { pool } = server.deps.store
  expect(await requeueMessage(pool, failed, new Date())).toBe('erased')
  expect(await requeueMessage(pool, randomUUID(), new Date())).toBe('unknown')
  expect(await values('select state from message where id = $1', failed)).toEqual({
    state: 'failed',
  })
  const found: string[] = []
  for await (const { id } of sealedValues(server.deps.store, ADDRESSES)) found.push(id)
  expect(found).not.toContain(failed)
})

it('nobody but the erasing changes a delivery or an agreement', async () => {
  const { pool } = server.deps.store
  await visit(YOUNG)
  await agreement(YOUNG)
  for (const change of ["delivery set method = 'x'", "agreement set signed_by = 'x'"]) {
    await expect(pool.query(`update ${change}`), change).rejects.toThrow(/permission/)
  }
  for (const change of ["delivery set user_agent = 'x'", "agreement set address = 'x'"]) {
    await expect(pool.query(`update ${change}`), change).rejects.toThrow(/append-only/)
  }
})

it('a person is erased by the address in every account, open invitations too', async () => {
  const id = await invite('eva@example.com', null)
  await values(
    `insert into contact (account_id, id, email, email_key, first_name, last_name, details,
       created_at) values ($1, $2, 'Eva@example.com', 'eva@example.com', 'Eva', 'Muster',
       '{}', $3)`,
    ...[dealer, randomUUID(), OLD],
  )
  await draft(YOUNG, 'Eva@Example.com')
  const counts = await erasePerson(deps(), { email: ' EVA@example.com ', accountId: null })
  expect(counts).toEqual({ contact: 1, invitation: 1, draft: 1 })
  const left = await values(
    `select (select count(*) from contact where email_key = 'eva@example.com') +
       (select count(*) from invitation where contact like '%eva@%') as rows,
       (select deleted from invitation where id = $1) as deleted`,
    id,
  )
  expect(left).toEqual({ rows: 0n, deleted: true })
})

it('files of the outbox expire, other files and young ones stay', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'outbox-'))
  const names = ['a.eml', 'b.sms.json', 'notes.txt', 'young.eml']
  for (const name of names) writeFileSync(join(folder, name), 'x')
  for (const name of names.slice(0, 3)) utimesSync(join(folder, name), OLD, OLD)
  expect(await expireOutbox(folder, 30, new Date())).toBe(2)
  expect(readdirSync(folder).sort()).toEqual(['notes.txt', 'young.eml'])
  expect(await expireOutbox(join(folder, 'nowhere'), 30, new Date())).toBe(0)
})
