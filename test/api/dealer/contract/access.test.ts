// The contract, row by row: who may not call. Wrong credentials, another role, too low a right, a
// market without the operation, too many calls; nothing is ever changed by such a call.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { dealerOperations } from '../../../../src/api/dealer/operations.js'
import { createApiKeys } from '../../../../src/core/accounts/api-keys.js'
import { marketOf, markets } from '../../../../src/market/index.js'
import { callRow, namesIn } from '../../../support/contract/cell.js'
import { expectRefused } from '../../../support/contract/codes.js'
import { refuse, refuseAll, rightCall } from '../../../support/contract/refusing.js'
import { granting, openWorld, type World } from '../../../support/contract/world.js'
import type { Reply } from '../../../support/dealer.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.stand.close())
afterEach(() => granting(world, {}))

const named = (rows: typeof dealerOperations) => rows.map((row) => [row.id, row] as const)
const asked = dealerOperations.filter(({ access }) => access !== 'open')
const open = dealerOperations.filter(({ access }) => access === 'open')

const told = ({ text }: Reply) =>
  text.replace(/00-[0-9a-f]{32}-[0-9a-f]{16}-01/, '').replace(/"instance":"[^"]*"/, '')

describe('wrong credentials', () => {
  const tries = (): Record<string, Record<string, string | undefined>> => ({
    'no account id': { accountid: undefined },
    'no token': { accesstoken: undefined },
    neither: { accountid: undefined, accesstoken: undefined },
    'an account id that is no GUID': { accountid: 'x' },
    'an account that nobody has': { accountid: randomUUID() },
    'another account': { accountid: world.foreign.dealer.accountId },
    'a token of another account': { accesstoken: world.foreign.dealer.accessToken },
    'a token that is longer': { accesstoken: `${world.own.dealer.accessToken}x` },
    'an empty token': { accesstoken: '' },
    'the token of a cash box': { accesstoken: world.own.box.accessToken },
  })

  it.each(named(asked))('%s answers all of them in the same words', async (_id, row) => {
    const sent = await rightCall(world, row)
    const { 'no token': none, 'an empty token': empty, ...wrong } = tries()
    // where an id is enough, leaving the token out is nothing wrong
    const all = Object.values(row.access === 'account' ? wrong : { ...wrong, none, empty })
    const replies = await refuseAll(
      world,
      row,
      all.map((headers) => ({
        sent: { ...sent, headers: { ...sent.headers, ...headers } },
        code: 'ACCOUNT_CREDENTIALS_WRONG' as const,
      })),
    )
    expect(new Set(replies.map(told)).size).toBe(1)
  })

  it.each(named(asked))('%s tells nothing else before: no path, no body', async (_id, row) => {
    const params = Object.fromEntries(namesIn(row.path).map((name) => [name, 'x']))
    const sent = { params, body: '{', headers: { accesstoken: 'x' } }
    await refuse(world, row, { sent, code: 'ACCOUNT_CREDENTIALS_WRONG' })
  })

  it('asks for none where the firewall check and the launcher call', () => {
    expect(open.map(({ id }) => id)).toEqual([
      ...['version', 'downloadConfiguration', 'downloadConfigurationByHeader'],
    ])
  })
})

describe('another role', () => {
  const dealers = asked.filter(({ access }) => access !== 'any')

  it('is enough for the own template and the own connections only', () => {
    const others = asked.filter((row) => !dealers.includes(row))
    expect(others.map(({ id }) => id)).toEqual([
      ...['listConnections', 'endConnection'],
      ...['executeOwnTemplate', 'executeOwnTemplateV1'],
    ])
  })

  it.each(named(dealers))('%s is for dealers', async (_id, row) => {
    const sent = { ...(await rightCall(world, row)), as: world.merchant }
    await refuse(world, row, { sent, code: 'DEALER_ROLE_MISSING' })
  })

  const auto = dealers.filter(({ autoInvite }) => autoInvite === true)
  it('auto-invitation is what needs an opt-in', () => {
    expect(auto.map(({ id }) => id)).toEqual(['autoInvitePosOperator', 'autoExecuteInvitation'])
  })
  it.each(named(auto))('%s is for dealers that have opted in', async (_id, row) => {
    const as = await world.stand.account({ market: 'DE', autoInvite: false })
    const sent = { ...(await rightCall(world, row)), as }
    await refuse(world, row, { sent, code: 'AUTO_INVITE_ROLE_MISSING' })
  })
})

const RIGHTS = ['None', 'Read', 'ReadWrite', 'Full'] as const
/** Rights that do not follow from the method. */
const NEEDED: Record<string, (typeof RIGHTS)[number]> = {
  getPosOperator: 'None',
  erasePersonalData: 'Full',
}
const below = dealerOperations.filter(({ right }) => right !== undefined)

describe('a right', () => {
  it.each(named(below))('%s: is what it needs, and not less', async (id, row) => {
    const usual = row.method === 'GET' ? 'Read' : 'ReadWrite'
    const needed = NEEDED[id] ?? usual
    const at = RIGHTS.indexOf(needed)
    for (const rights of RIGHTS.slice(0, at)) {
      const sent = await rightCall(world, row)
      await granting(world, { rights })
      await refuse(world, row, { sent, code: 'RIGHTS_TOO_LOW' })
      await granting(world, {})
    }
    const sent = await rightCall(world, row)
    await granting(world, { rights: needed })
    const reply = await callRow(world, row, sent)
    expect(reply.status, reply.text).toBe(row.success.status)
  })

  it.each(named(below))('%s: there is none before the connection is active', async (_id, row) => {
    const sent = await rightCall(world, row)
    await granting(world, { state: 'pending' })
    await refuse(world, row, { sent, code: 'OPERATOR_UNKNOWN' })
  })
})

describe('another market', () => {
  /** "DE only", and the markets of the partial update of SCUs. */
  const GERMAN = [
    ...['updateMasterData', 'getQueue', 'switchScu'],
    ...['listScus', 'getScu', 'addScu', 'removeScu'],
  ]
  const restricted = dealerOperations.filter(({ capability }) => capability !== undefined)

  it('has what the specification does not restrict', () => {
    const germanOnly = restricted.filter(({ capability }) =>
      Object.values(markets).every(
        ({ facts }) =>
          capability === undefined || facts.capabilities[capability] === (facts.code === 'DE'),
      ),
    )
    expect(germanOnly.map(({ id }) => id).toSorted()).toEqual(GERMAN.toSorted())
    expect(restricted.map(({ id }) => id).toSorted()).toEqual([...GERMAN, 'updateScu'].toSorted())
    for (const code of ['AT', 'DE']) {
      expect(marketOf(code).facts.capabilities.unitDescriptions).toBe(true)
    }
  })

  it.each(named(restricted.filter(({ id }) => GERMAN.includes(id))))(
    '%s does not exist for its dealers',
    async (_id, row) => {
      const sent = { ...(await rightCall(world, row)), as: world.elsewhere }
      await refuse(world, row, { sent, code: 'MARKET_UNSUPPORTED' })
    },
  )

  const free = below.filter(({ id }) => !GERMAN.includes(id))
  it.each(named(free))('%s exists for its dealers', async (_id, row) => {
    const sent = { ...(await rightCall(world, row)), as: world.elsewhere }
    await refuse(world, row, { sent, code: 'OPERATOR_UNKNOWN' })
  })
})

describe('an API key that is for something else', () => {
  const tokens = new Map<string, string>()
  beforeAll(async () => {
    const now = () => new Date()
    const keys = createApiKeys({ store: world.stand.deps.store, now, accounts: { forget() {} } })
    const { accountId } = world.own.dealer
    const actor = { accountId, onBehalfOf: null, operation: 'test', traceId: 'test' }
    for (const scope of ['platform:write', 'dealer:read'] as const) {
      const wish = { name: scope, scopes: [scope], expiresAt: null }
      tokens.set(scope, (await keys.create(actor, wish)).token)
    }
    // that it was used is noted once a minute, and is no change that a call has made
    await world.stand.deps.store.pool.query(
      "update api_key set last_used_at = now() + interval '1 day'",
    )
  })

  it.each(named(asked))('%s is not called with it', async (_id, row) => {
    const scope = row.method === 'GET' ? 'platform:write' : 'dealer:read'
    const accesstoken = tokens.get(scope) ?? ''
    const right = await rightCall(world, row)
    const sent = { ...right, headers: { ...right.headers, accesstoken } }
    await refuse(world, row, { sent, code: 'SCOPE_MISSING' })
  })
})

describe('too many calls', () => {
  let limited: World
  let network = 0
  beforeAll(async () => {
    const limits = { RATE_LIMITS: 'dealer=3,credentials=2' }
    limited = await openWorld({ ...limits, TRUST_PROXY: 'true' })
  })
  afterAll(() => limited.stand.close())

  it.each(named(asked))('%s counts the calls of the account', async (_id, row) => {
    const as = await limited.stand.account({ market: 'DE' })
    const params = Object.fromEntries(namesIn(row.path).map((name) => [name, as.accountId]))
    const calls = []
    for (let count = 0; count < 3; count += 1) {
      calls.push((await callRow(limited, row, { params, as, body: '{' })).status)
    }
    expect(calls).not.toContain(429)
    const reply = await callRow(limited, row, { params, as, body: '{' })
    expectRefused(reply, { id: row.id, code: 'ACCOUNT_LIMITED' })
  })

  it.each(named([...asked, ...open.filter(({ id }) => id !== 'version')]))(
    '%s counts wrong credentials of an id',
    async (id, row) => {
      const accountid = randomUUID()
      const params = Object.fromEntries(namesIn(row.path).map((name) => [name, accountid]))
      // a network of its own: those of one are counted together as well
      network += 1
      const from = { 'x-forwarded-for': `192.0.2.${network}` }
      const headers = { accountid, cashboxid: accountid, accesstoken: 'x', ...from }
      const body = row.method === 'GET' ? undefined : '{'
      const sent = { params, headers, ...(body === undefined ? {} : { body }) }
      for (const _ of [1, 2]) expect((await callRow(limited, row, sent)).status).toBe(401)
      expectRefused(await callRow(limited, row, sent), { id, code: 'CREDENTIALS_LIMITED' })
    },
  )
})
