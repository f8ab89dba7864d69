// Tenant isolation: every operation with every id of somebody else, in every place that takes one.
// Such an id is answered like one that nobody has, byte by byte and by the same statements, and
// nothing is changed.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Operation } from '../../../../src/api/dealer/operation.js'
import { dealerOperations } from '../../../../src/api/dealer/operations.js'
import type { AccountAccess } from '../../../../src/core/accounts/accounts.js'
import { grantEntitlement } from '../../../../src/core/sales/entitlements.js'
import { callRow, namesIn, type Sent } from '../../../support/contract/cell.js'
import { cellOf } from '../../../support/contract/cells.js'
import { changedTables, snapshotOf } from '../../../support/contract/snapshot.js'
import { statementsOf } from '../../../support/contract/statements.js'
import { FOREIGN_OUTLET, type Place, placesIn } from '../../../support/contract/strangers.js'
import { SIGNING_ONLY } from '../../../support/contract/templates.js'
import { idsOf, openWorld, planOf, SIGNER, type World } from '../../../support/contract/world.js'
import { operationOf, refusal } from '../../../support/dealer.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
  const { stand, foreign } = world
  const body = { name: 'R', address: 'R 2', postalCode: '1', city: 'C', country: 'DE' }
  await stand.call(`POST /api/posoperators/${foreign.operator}/outlets`, {
    as: foreign.dealer,
    body: { ...body, outletNumber: FOREIGN_OUTLET },
  })
})
afterAll(() => world.stand.close())

interface Seen {
  status: number
  headers: object
  text: string
  statements: string[]
}

/** The answer, without what differs from call to call, and the id as `<id>`. */
async function seen(row: Operation, sent: Sent, ids: readonly string[]): Promise<Seen> {
  // who calls is asked for each time, and not only when it was forgotten meanwhile
  world.stand.deps.dealer.accounts.forget(world.own.dealer.accountId)
  const { result, statements } = await statementsOf(() => callRow(world, row, sent))
  const { date: _date, ...headers } = result.headers
  let text = result.text.replace(/00-[0-9a-f]{32}-[0-9a-f]{16}-01/, '<trace>')
  for (const id of ids) text = text.replaceAll(id, '<id>')
  return { status: result.status, headers, text, statements }
}

const places = dealerOperations.flatMap((row) =>
  placesIn(row).map((place) => [row.id, place.name, row, place] as const),
)
const compared = places.filter(([, , , { creates }]) => !creates)
const creating = places.filter(([, , , { creates }]) => creates)

/** Fails unless the call is refused as a whole. */
async function untouched(work: () => Promise<Seen[]>): Promise<Seen[]> {
  const before = await snapshotOf(world.stand)
  const all = await work()
  expect(changedTables(before, await snapshotOf(world.stand))).toEqual([])
  return all
}

function refused({ id }: Operation): number[] {
  // a launcher has no account: its credentials are wrong
  return cellOf(id).refuses?.CREDENTIALS_WRONG === undefined ? [403, 404] : [401]
}

async function compare(row: Operation, place: Place): Promise<void> {
  const nobody = place.nobody()
  const unknown = await place.call(world, nobody)
  const strangers = place.strangers(world)
  const calls: { id: string; sent: Sent }[] = []
  for (const { id } of strangers) calls.push({ id, sent: await place.call(world, id) })
  const [none, ...others] = await untouched(async () => {
    const all = [await seen(row, unknown, [nobody])]
    for (const { id, sent } of calls) all.push(await seen(row, sent, [id]))
    return all
  })
  expect(refused(row), none?.text).toContain(none?.status)
  for (const [at, other] of others.entries()) expect(other, strangers[at]?.of).toEqual(none)
  expect(none?.statements.length).toBeGreaterThan(0)
}

describe('an id of somebody else is one that nobody has', () => {
  it.each(compared)('%s, %s', (_id, _place, row, place) => compare(row, place))

  it('in every place of every path', () => {
    for (const row of dealerOperations) {
      const names = placesIn(row).map(({ name }) => name)
      expect(names).toEqual(expect.arrayContaining(namesIn(row.path)))
    }
  })
})

describe('credentials of somebody else', () => {
  const asked = dealerOperations.filter(({ access }) => access !== 'open')

  it.each(asked.map((row) => [row.id, row] as const))(
    '%s: an account with a wrong token is one that nobody has',
    async (_id, row) => {
      const { dealer } = world.foreign
      const sent = await cellOf(row.id).works(world)
      const as = (accountid: string): Sent => ({ ...sent, headers: { accountid } })
      const nobody = randomUUID()
      // as if he had called a moment ago
      await world.stand.call('GET /api/entitlements', { as: dealer })
      const [theirs, nobodys, again] = await untouched(async () => [
        await seen(row, as(dealer.accountId), [dealer.accountId]),
        await seen(row, as(nobody), [nobody]),
        await seen(row, as(nobody), [nobody]),
      ])
      expect(theirs?.status).toBe(401)
      expect(theirs?.statements).toHaveLength(1)
      expect([theirs, again]).toEqual([nobodys, nobodys])
    },
  )
})

describe('a whole path of somebody else', () => {
  const below = dealerOperations.filter(({ path }) => namesIn(path).includes('posOperatorId'))

  it.each(below.map((row) => [row.id, row] as const))('%s', async (_id, row) => {
    const { foreign } = world
    const { operator, box, helper } = foreign
    const { cashBoxId, queueId, scuId } = box
    const known: Record<string, string> = {
      ...{ posOperatorId: operator, cashBoxId, queueId, scuId, helperId: helper },
      outletNumber: String(FOREIGN_OUTLET),
    }
    const sent = await cellOf(row.id).works(world)
    const pathOf = (idOf: (name: string) => string) =>
      Object.fromEntries(namesIn(row.path).map((name) => [name, idOf(name)]))
    const theirs = pathOf((name) => known[name] ?? '')
    const nobodys = pathOf((name) => (name === 'outletNumber' ? '78' : randomUUID()))
    const [foreignSeen, unknownSeen] = await untouched(async () => [
      await seen(row, { ...sent, params: theirs }, Object.values(theirs)),
      await seen(row, { ...sent, params: nobodys }, Object.values(nobodys)),
    ])
    expect(foreignSeen?.status).toBe(404)
    expect(foreignSeen).toEqual(unknownSeen)
  })
})

describe('a template', () => {
  it.each(creating)(
    '%s: must not name what somebody else has, %s',
    async (_id, _name, row, place) => {
      for (const { of, id } of place.strangers(world)) {
        const sent = await place.call(world, id)
        const [one] = await untouched(async () => [await seen(row, sent, [id])])
        expect(one?.status, of).toBe(404)
        expect(one?.text).toContain('<id>')
        for (const [what, secret] of Object.entries(idsOf(world.foreign))) {
          expect(one?.text, what).not.toContain(secret)
        }
      }
    },
  )

  it('takes an id that nobody has for a new thing, so that the two can be told apart', async () => {
    for (const [, , row, place] of creating) {
      const sent = await place.call(world, place.nobody())
      expect((await callRow(world, row, sent)).status).toBe(200)
    }
  })
})

describe('what somebody else has bought', () => {
  const produceOutlets = operationOf('produceOutlets')

  it('is used up by nobody else, not even for a plan that is open to all', async () => {
    const { stand, own, foreign } = world
    const { number, entitlement } = await planOf({ stand, dealer: foreign.dealer }, 'Outlet')
    const sent = {
      params: { posOperatorId: own.operator },
      body: { rolloutPlanNumber: number, outletNumbers: [1] },
    }
    const before = await snapshotOf(stand)
    const reply = await callRow(world, produceOutlets, sent)
    expect(refusal(reply)).toEqual({ status: 409, code: 'InsufficientEntitlements' })
    expect(reply.json()).toMatchObject({ name: entitlement, required: 1, available: 0 })
    expect(changedTables(before, await snapshotOf(stand))).toEqual([])
  })

  it('is signed with by nobody else: an instance that only signs', async () => {
    const { stand, elsewhere } = world
    const other = await stand.account({ roles: ['PosDealer', SIGNER] })
    for (const { accountId } of [elsewhere, other]) {
      const lot = { accountId, market: 'AT', name: 'AT_RKSV_SIGN', terms: '2', validTo: null }
      await grantEntitlement(stand.deps.dealer.sales, lot)
    }
    const execute = (as: AccountAccess, query: Record<string, string>) => {
      const params = { posOperatorId: as.accountId }
      const body = JSON.stringify(SIGNING_ONLY)
      const sent = { params, as, body, query: { outlet_number: '1', ...query } }
      return callRow(world, operationOf('executeTemplate'), sent)
    }
    const made = await execute(other, {})
    expect(made.status, made.text).toBe(200)
    const { cashBoxId, configuration } = made.json()
    const [unit] = Object(configuration).ftSignaturCreationDevices as { id: string }[]
    const before = await snapshotOf(stand)
    const wanted = { cashbox_id: String(cashBoxId), scu0_id: String(unit?.id) }
    for (const [name, id] of Object.entries(wanted)) {
      const reply = await execute(elsewhere, { [name]: id })
      expect(reply.status, reply.text).toBe(404)
    }
    for (const line of [`cashboxes/${cashBoxId}`, `cashboxes/${cashBoxId}/pairing-pin`]) {
      const method = line.endsWith('pin') ? 'POST' : 'GET'
      const path = `${method} /api/posoperators/${elsewhere.accountId}/${line}`
      const reply = await stand.call(path, { as: elsewhere })
      expect(refusal(reply)).toEqual({ status: 404, code: 'CashBoxNotFound' })
    }
    expect(changedTables(before, await snapshotOf(stand))).toEqual([])
  })
})
