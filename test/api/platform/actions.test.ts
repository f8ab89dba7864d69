// May I, and if not, why: judged by doing it and taking it back, so nothing of it may stay.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dealerOperations } from '../../../src/api/dealer/operations.js'
import { platformOperations } from '../../../src/api/platform/operations.js'
import {
  type AccountAccess,
  connectAccounts,
  createAccount,
} from '../../../src/core/accounts/accounts.js'
import { newAccount } from '../../support/dealer.js'
import { accountHeaders, openPlatform, type PlatformShop } from '../../support/platform.js'
import { PROBLEM_CASES } from '../../support/problem-cases.js'

let shop: PlatformShop
let reader: AccountAccess
let stranger: AccountAccess
beforeAll(async () => {
  shop = await openPlatform()
  const accounts = { store: shop.deps.store, now: () => new Date() }
  reader = await createAccount(accounts, newAccount('PosDealer'))
  stranger = await createAccount(accounts, newAccount('PosDealer'))
  await connectAccounts(accounts, {
    ...{ accountId: reader.accountId, toAccountId: shop.operatorId, rights: 'Read' },
  })
})
afterAll(() => shop.close())

const sql = async (text: string, ...values: unknown[]) =>
  (await shop.deps.store.pool.query<Record<string, unknown>>(text, values)).rows

interface Action {
  operationId: string
  method: string
  path: string
  allowed: boolean
  code: string | null
  text: string | null
  needs: string | null
  checked: string
}

async function ask(path: string, as: AccountAccess, body?: unknown) {
  const answer = await fetch(`${shop.url}/platform/v1${path}`, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { ...accountHeaders(as), 'content-type': 'application/json' },
  })
  return { status: answer.status, json: await answer.json() }
}

async function actions(kind: string, id: string, as = shop.dealer): Promise<Map<string, Action>> {
  const { status, json } = await ask(`/actions?kind=${kind}&id=${id}`, as)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(json)}`)
  return new Map((json as { items: Action[] }).items.map((one) => [one.operationId, one]))
}

const tried = async (body: object, as = shop.dealer) => {
  const { json } = await ask('/actions', as, body)
  return json as Action
}

/** What notes that somebody has called, and what runs by itself. */
const MOVING = new Set(['api_key', 'detector_run', 'account_call', 'activity', 'kept_call'])

/** Every row of every table, as one hash each. */
async function everything(): Promise<Record<string, unknown>> {
  const tables = await sql(
    `select format('%I.%I', table_schema, table_name) as name, table_name as bare
     from information_schema.tables where table_type = 'BASE TABLE'
       and table_schema in ('public', 'graphile_worker')`,
  )
  const found: Record<string, unknown> = {}
  for (const { name, bare } of tables as { name: string; bare: string }[]) {
    if (MOVING.has(bare)) continue
    const [row] = await sql(
      `select count(*)::int as rows, md5(string_agg(t::text, ',' order by t::text)) as hash
       from ${name} t`,
    )
    found[bare] = row
  }
  return found
}

const ids: Record<string, string> = {}

/** One thing of each kind that operations can be tried on. */
async function things(): Promise<Record<string, Record<string, string>>> {
  const { box, operatorId, dealer } = shop
  const stand = { shop, sql, after: [] }
  const problem = randomUUID()
  await sql(
    `insert into problem (account_id, id, kind, severity, subject_kind, subject_id, since, details,
       found_at) values ($1, $2, 'order', 2, 'order', $2, now(), '{}', now())`,
    ...[operatorId, problem],
  )
  const [, submission = ''] = (await PROBLEM_CASES.report(stand)).subject.split('/')
  const job = randomUUID()
  await sql(
    `insert into job (account_id, id, kind, asked_by, state, args, created_at)
     values ($1, $2, 'inspection', $1, 'queued', '{}', now())`,
    ...[operatorId, job],
  )
  await PROBLEM_CASES.outage(stand)
  const made = await ask('/webhooks', dealer, { url: 'https://hooks.example.com/x' })
  const webhook = (made.json as { webhook: { id: string } }).webhook.id
  const key = await ask('/api-keys', dealer, { name: 'one', scopes: ['all'] })
  const apiKey = (key.json as { key: { id: string } }).key.id
  const invitation = randomUUID()
  Object.assign(ids, { problem, submission, job, webhook, apiKey })
  Object.assign(ids, { queue: box.queueId, cashbox: box.cashBoxId, scu: box.scuIds[0] ?? '' })
  const queue = { posOperatorId: operatorId, queueId: box.queueId }
  const cashbox = { posOperatorId: operatorId, cashBoxId: box.cashBoxId }
  const scu = { posOperatorId: operatorId, scuId: box.scuIds[0] ?? '' }
  return {
    snoozeProblem: { id: problem },
    closeOutage: { id: box.queueId },
    putAutopilot: { id: box.cashBoxId },
    ...{ markSubmission: { id: submission }, ignoreSubmission: { id: submission } },
    reopenSubmission: { id: submission },
    ...{ createWebhook: {}, createApiKey: {} },
    ...{ updateWebhook: { id: webhook }, deleteWebhook: { id: webhook } },
    ...{ rotateWebhookSecret: { id: webhook }, enableWebhook: { id: webhook } },
    cancelJob: { id: job },
    endInspectionLink: { id: randomUUID(), linkId: randomUUID() },
    ...{ rotateApiKey: { id: apiKey }, deleteApiKey: { id: apiKey } },
    endConnection: { accountId: operatorId },
    ...{ updateQueue: queue, updateScu: scu, updateCashBox: cashbox, createPairingPin: cashbox },
    ...{ deleteInvitation: { id: invitation }, resetInvitation: { id: invitation } },
    ...{ createOutlet: { posOperatorId: operatorId } },
    updateOutlet: { posOperatorId: operatorId, outletNumber: '1' },
    updateMasterData: { posOperatorId: operatorId },
    updateHelper: { posOperatorId: operatorId, helperId: randomUUID() },
    ...{ addScu: { ...cashbox, ...scu }, removeScu: { ...cashbox, ...scu } },
    switchScu: queue,
    putRegistrationData: { queueId: box.queueId },
    putUnitRegistrationData: { scuId: box.scuIds[0] ?? '' },
  }
}

describe('a call that is tried', () => {
  it('leaves nothing behind, whichever it is, and is mostly allowed', async () => {
    const rows = [...dealerOperations, ...platformOperations].filter((one) => one.rehearsable)
    const paths = await things()
    expect(rows.map(({ id }) => id).sort()).toEqual(Object.keys(paths).sort())
    const before = await everything()
    const told: Record<string, string> = {}
    for (const { id, example, examples, body } of rows) {
      const given =
        example ?? Object.values(examples ?? {})[0] ?? (body === undefined ? undefined : {})
      const one = await tried({ operationId: id, path: paths[id], body: given })
      expect([id, one.checked]).toEqual([id, 'all'])
      told[id] = one.allowed ? 'allowed' : String(one.code)
      const after = await everything()
      for (const [table, row] of Object.entries(before)) {
        expect([id, table, after[table]]).toEqual([id, table, row])
      }
    }
    const refused = Object.entries(told).filter(([, end]) => end !== 'allowed')
    expect(Object.fromEntries(refused)).toEqual({
      reopenSubmission: 'SubmissionState',
      ...{ deleteInvitation: 'InvitationNotFound', resetInvitation: 'InvitationNotFound' },
      ...{ updateHelper: 'HelperNotFound', endInspectionLink: 'InspectionNotFound' },
      ...{ addScu: 'MarketNotSupported', removeScu: 'MarketNotSupported' },
      switchScu: 'MarketNotSupported',
      ...{ updateMasterData: 'MarketNotSupported', putUnitRegistrationData: 'MarketNotSupported' },
      putRegistrationData: 'MarketNotSupported',
    })
  })

  it('is answered as the call itself: its refusal, its member, unknown operations', async () => {
    const { problem = '' } = ids
    const path = { id: problem }
    const past = { operationId: 'snoozeProblem', path, body: { until: 'yesterday' } }
    expect(await tried(past)).toMatchObject({ allowed: false, code: 'RequestInvalid' })
    const foreign = { operationId: 'snoozeProblem', path, body: { until: null } }
    expect(await tried(foreign, stranger)).toMatchObject({ code: 'ProblemNotFound' })
    expect(await tried(foreign, reader)).toMatchObject({
      ...{ allowed: false, code: 'InsufficientAccessRights', needs: 'ReadWrite' },
    })
    for (const operationId of ['nothing', 'listProblems', 'constructor']) {
      const { status, json } = await ask('/actions', shop.dealer, { operationId })
      expect([status, json]).toMatchObject([404, { code: 'OperationNotFound' }])
    }
    // only who may is looked at, and it says so
    const inspect = { operationId: 'askInspection', body: { from: 'x' } }
    expect(await tried(inspect)).toMatchObject({ allowed: false, checked: 'rights' })
  })
})

describe('a thing', () => {
  it.each(['problem', 'submission', 'webhook', 'job', 'queue', 'cashbox', 'scu'])(
    '%s: what can be done with it, for who may, who may only read, and strangers',
    async (kind) => {
      const id = ids[kind] ?? ''
      const all = await actions(kind, id)
      expect(all.size).toBeGreaterThan(0)
      for (const one of all.values()) expect(one.path).toContain(id)
      if (!['webhook', 'scu'].includes(kind)) {
        const few = await actions(kind, id, reader)
        const needs = [...few.values()].map((one) => [one.allowed, one.needs])
        expect(new Set(needs.map(String))).toContain('false,ReadWrite')
      }
      const foreign = await ask(`/actions?kind=${kind}&id=${id}`, stranger)
      const unknown = await ask(`/actions?kind=${kind}&id=${randomUUID()}`, stranger)
      expect([foreign.status, unknown.status]).toEqual([404, 404])
      const plain = ({ json }: { json: unknown }) =>
        JSON.stringify(json).replace(/[0-9a-f]{8}-[0-9a-f-]{27}|"traceId":"[^"]*"/g, '…')
      expect(plain(foreign)).toBe(plain(unknown))
    },
  )

  it('a Queue without an outage has none to close', async () => {
    const { queue = '' } = ids
    expect((await actions('queue', queue)).get('closeOutage')).toMatchObject({ allowed: true })
    await sql('update outage set ended_at = now()')
    expect((await actions('queue', queue)).get('closeOutage')).toMatchObject({
      ...{ allowed: false, code: 'NoOutage', checked: 'all' },
    })
  })
})
