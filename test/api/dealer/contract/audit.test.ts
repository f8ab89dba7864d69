// What each operation leaves behind: a write exactly one audit row and nothing in tables of others,
// a read nothing at all.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { dealerOperations } from '../../../../src/api/dealer/operations.js'
import { callRow, type Sent, type Trail } from '../../../support/contract/cell.js'
import { cellOf } from '../../../support/contract/cells.js'
import { expectRefused } from '../../../support/contract/codes.js'
import { AUDIT, changedTables, snapshotOf } from '../../../support/contract/snapshot.js'
import { invitationOf, openWorld, type World } from '../../../support/contract/world.js'
import { operationOf } from '../../../support/dealer.js'
import { person } from '../../../support/invitations.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.stand.close())

type Row = (typeof dealerOperations)[number]

const rows = dealerOperations.map((row) => [row.id, row, cellOf(row.id).leaves] as const)
const writes = rows.flatMap(([id, row, trail]) =>
  trail === undefined ? [] : [[id, row, trail] as const],
)
const reads = rows.filter(([, , trail]) => trail === undefined)

async function done(row: Row) {
  const sent = await cellOf(row.id).works(world)
  const before = await snapshotOf(world.stand)
  const [newest] = await world.stand.rows('select count(*)::int as count from audit_entry')
  const reply = await callRow(world, row, sent)
  expect(reply.status, reply.text).toBe(row.success.status)
  const after = await snapshotOf(world.stand)
  const lines = await world.stand.rows('select * from audit_entry order by moment, id offset $1', [
    Number(newest?.count),
  ])
  return { sent, reply, lines, changed: changedTables(before, after) }
}

describe('a write', () => {
  it.each(writes)('%s leaves exactly one row: who, for whom, what', async (id, row, trail) => {
    const { sent, lines, changed, reply } = await done(row)
    expect(changed).toContain(AUDIT)
    if (trail.shows === true) expect(changed).toEqual([AUDIT])
    else expect(changed.length, String(changed)).toBeGreaterThan(1)
    expect(lines).toHaveLength(1)
    const [line = {}] = lines
    const own = sent.params?.posOperatorId ?? sent.params?.accountId ?? null
    expect(line).toMatchObject({
      ...{ account_id: world.own.dealer.accountId, on_behalf_of: own, operation: id },
      trace_id: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
    })
    expectTrail(line, trail)
    const words = JSON.stringify(line)
    expect(words).not.toContain(world.own.box.accessToken)
    if (reply.status !== 204 && row.success.contentType === undefined) {
      const { accessToken } = Object(JSON.parse(reply.text)) as { accessToken?: unknown }
      if (typeof accessToken === 'string') expect(words).not.toContain(accessToken)
    }
  })
})

/** What was changed, and how it was and is. */
function expectTrail(line: Record<string, unknown>, { subjects, before, after }: Trail): void {
  expect(Object.keys(JSON.parse(String(line.subjects)) as object)).toEqual(subjects)
  const shown = { before: line.before !== null, after: line.after !== null }
  expect(shown).toEqual({ before, after })
  if (before && after) expect(line.before).not.toBe(line.after)
}

describe('a write whose row cannot be written', () => {
  /** Stands in front of everybody who adds a row. */
  const REFUSING = `create function no_audit() returns trigger language plpgsql as
      $$ begin raise exception 'the disk is full'; end $$;
    create trigger no_audit before insert on audit_entry execute function no_audit()`

  afterEach(() => world.stand.rows('drop function if exists no_audit cascade'))

  it.each(writes)('%s is not done', async (id, row) => {
    const sent = await cellOf(row.id).works(world)
    const before = await snapshotOf(world.stand)
    await world.stand.rows(REFUSING)
    const reply = await callRow(world, row, sent)
    // what fails there for a technical reason is told by its result
    if (id === 'resendInvitation') expect(reply.json()).toMatchObject({ success: false })
    else expectRefused(reply, { id, code: 'INTERNAL' })
    expect(changedTables(before, await snapshotOf(world.stand))).toEqual([])
  })
})

describe('a partial update of nothing', () => {
  const patches = writes.filter(([, { method }]) => method === 'PATCH')

  it.each(patches)('%s changes nothing', async (id, row) => {
    const described = (JSON.stringify((await cellOf(id).works(world)).body) ?? '').includes(
      'description',
    )
    const bodies = [{}, { unknown: 1 }, ...(described ? [{ description: null }] : [])]
    for (const body of bodies) {
      const sent = await cellOf(id).works(world)
      const before = await snapshotOf(world.stand)
      const reply = await callRow(world, row, { ...sent, body })
      expect(reply.status, reply.text).toBe(200)
      expect(changedTables(before, await snapshotOf(world.stand))).toEqual([])
    }
  })
})

describe('what is so already', () => {
  const INVITATION = '/pos-operators-invitation/:id'
  const cases: [string, number, (id: string) => Promise<Sent>][] = [
    ['deleteInvitationPdf', 204, async () => ({ as: await world.stand.account() })],
    ['executeInvitation', 200, async () => executed()],
    ['autoExecuteInvitation', 200, async () => executed()],
    ['resendInvitation', 200, async () => ({ params: { id: world.own.invitation } })],
    ['addScu', 204, (id) => twice(id, { rebuild: 'false' })],
    ['removeScu', 204, (id) => twice(id, {})],
  ]

  /** A call that works, and has been made already. */
  async function twice(id: string, query: Record<string, string>): Promise<Sent> {
    const sent = { ...(await cellOf(id).works(world)), query }
    expect((await callRow(world, operationOf(id), sent)).status).toBe(204)
    return sent
  }

  async function executed(): Promise<Sent> {
    const sent = await cellOf('executeInvitation').works(world)
    const address = { method: 'POST', path: `${INVITATION}/execute` }
    expect((await callRow(world, address, sent)).json().success).toBe(true)
    return { params: sent.params ?? {} }
  }

  it.each(cases)('%s: is answered with %i and leaves nothing', async (id, status, made) => {
    const sent = await made(id)
    const before = await snapshotOf(world.stand)
    const reply = await callRow(world, operationOf(id), sent)
    expect(reply.status, reply.text).toBe(status)
    if (status === 200) {
      expect(reply.json()).toMatchObject({ success: false, error: expect.stringMatching(/\.$/) })
    }
    expect(changedTables(before, await snapshotOf(world.stand))).toEqual([])
  })
})

describe('an invitation that a business rule refuses', () => {
  it.each(['executeInvitation', 'autoExecuteInvitation'])('%s leaves a row', async (id) => {
    const { stand, own } = world
    const body = { ...person(), accessRights: 'None' }
    const params = { id: await invitationOf(stand, own.dealer, body) }
    const known = await stand.rows('select id from audit_entry')
    const reply = await callRow(world, operationOf(id), { params })
    expect(reply.json()).toMatchObject({ success: false, errorCode: 'InvalidAccessRights' })
    const lines = await stand.rows('select * from audit_entry where not id = any($1)', [
      known.map((row) => row.id),
    ])
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatchObject({
      ...{ operation: id, before: expect.stringContaining('"lastRun":null') },
      after: expect.stringContaining('"success":false'),
    })
  })
})

describe('a read', () => {
  it('is everything that is called with GET, and nothing else', () => {
    const gets = dealerOperations.filter(({ method }) => method === 'GET').map(({ id }) => id)
    expect(reads.map(([id]) => id).toSorted()).toEqual(gets.toSorted())
  })

  it.each(reads)('%s leaves nothing', async (_id, row) => {
    const { lines, changed } = await done(row)
    // the first time that a configuration is fetched is an event
    const told = row.id === 'downloadConfiguration' ? ['public.inbox', 'public.publication'] : []
    expect([lines, changed.filter((table) => !told.includes(table))]).toEqual([[], []])
  })
})
