// Every operation of groups A and F: the line for a shell that the drawer shows does on a second
// server what the click has done on the first.
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { examplePeople } from '../../../src/api/dealer/operations/invitation-schemas.js'
import { dealerOperations } from '../../../src/api/dealer/operations.js'
import { platformOperations } from '../../../src/api/platform/operations.js'
import type { Operation } from '../../../src/api/shared/account/operation.js'
import { openPortal, type PortalShop, type Visit, visitOf } from '../../support/portal.js'

const run = promisify(execFile)
const PORTAL = join(import.meta.dirname, '../../../portal/src')

interface Shown {
  method: string
  address: string
  body?: unknown
}

interface Lines {
  curlOf(call: Shown): string
  powerShellOf(call: Shown): string
}

interface File {
  readonly name: string
}

// the pages are a program of their own, of another library of types
const { curlOf, powerShellOf } = (await import(join(PORTAL, 'api/curl.ts'))) as Lines
const { FormFile } = (await import(join(PORTAL, 'api/form-file.ts'))) as {
  FormFile: new (name: string) => File
}
const GROUPS = [
  { operations: dealerOperations, mount: '/portal/api', base: '/api' },
  { operations: platformOperations, mount: '/portal/platform', base: '/platform/v1' },
] as const

/** Its answer has no end. */
const ENDLESS = 'streamEvents'

interface Side {
  shop: PortalShop
  visit: Visit
  ids: Record<string, string>
  /** What stands behind a word of an address: of `/webhooks/` a webhook. */
  things: Readonly<Record<string, string>>
}

let clicked: Side
let pasted: Side
let folder: string
let file: string

async function sideOf(): Promise<Side> {
  // webhooks are called where nobody listens
  const shop = await openPortal({ OUTBOUND_ALLOW: '127.0.0.1:1' })
  const { box, demo, deps } = shop
  const visit = await visitOf(shop.url, shop.dealer)
  const { rows } = await deps.store.pool.query<{ id: string }>(
    'select id from queue_item where queue_id = $1 order by id limit 1',
    [box.queueId],
  )
  const ids = {
    ...{ posOperatorId: demo.operator.accountId, cashBoxId: box.cashBoxId, outletNumber: '1' },
    ...{ queueId: box.queueId, scuId: box.scuIds[0] ?? '', receiptId: rows[0]?.id ?? '' },
  }
  const things = await thingsOf(shop, visit)
  return { shop, visit, ids: { ...ids, linkId: things.links ?? '', seq: '1' }, things }
}

/** One of each kind that has addresses of its own, on both sides alike. */
async function thingsOf(
  { demo, box, deps }: PortalShop,
  visit: Visit,
): Promise<Record<string, string>> {
  const platform = async (path: string, body: object) => {
    const answer = await visit.ask('POST', `/portal/${path}`, { body })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Record<string, { id: string }> & { id: string }
  }
  const inserted = async (table: string, columns: string, ...values: unknown[]) => {
    const id = randomUUID()
    const places = values.map((_, at) => `$${at + 3}`)
    await deps.store.pool.query(
      `insert into ${table} (account_id, id, ${columns}) values ($1, $2, ${places.join(', ')})`,
      [demo.operator.accountId, id, ...values],
    )
    return id
  }
  const now = new Date()
  const { cashBoxId, queueId } = box
  const hook = { url: 'http://127.0.0.1:1/x', types: ['order.done'] }
  const { webhook } = await platform('platform/webhooks', hook)
  const { key } = await platform('platform/api-keys', { name: 'k', scopes: ['platform:read'] })
  const period = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' }
  const asked = { posOperatorId: demo.operator.accountId, include: ['masterData'], ...period }
  const [first, second] = [
    await platform('platform/inspections', asked),
    await platform('platform/inspections', asked),
  ]
  const invitation = await platform('api/pos-operators-invitation', examplePeople('drawer'))
  return {
    ...{ webhooks: webhook?.id ?? '', 'api-keys': key?.id ?? '', inspections: first.id },
    ...{ jobs: second.id, 'pos-operators-invitation': invitation.id },
    links: await inserted(
      'inspection_link',
      'inspection_id, made_by, created_at, until',
      ...[first.id, demo.dealer.accountId, now, new Date('2040-01-01')],
    ),
    problems: await inserted(
      'problem',
      'kind, severity, subject_kind, subject_id, cash_box_id, since, details, found_at',
      ...['message', 1, 'message', randomUUID(), cashBoxId, now, '{}', now],
    ),
    submissions: await inserted(
      'submission',
      `market, kind, subject, occasion, queue_id, cash_box_id, moment, due, state, is_ready,
        created_at, changed_at`,
      ...['AT', 'register_outage', `queue/${queueId}`, randomUUID(), queueId],
      ...[cashBoxId, now, now, 'ready', true, now, now],
    ),
    backups: await inserted(
      'backup',
      `queue_id, period, period_from, period_to, receipts, first_number, last_number, object, bytes,
        sha256, verified, findings, stored_at`,
      ...[queueId, '2026-10', new Date('2026-10-01'), new Date('2026-11-01'), 2, 1, 2, 'kept.zip'],
      ...[4711, Buffer.alloc(32), 1, 0, now],
    ),
    calls: await inserted(
      'kept_call',
      'at, is_proven, via, api, method, path, status, ms, trace_id, headers, body_bytes',
      ...[now, true, 'program', 'middleware', 'GET', '/', 200, 1, 'x', '{}', 0],
    ),
  }
}

beforeAll(async () => {
  clicked = await sideOf()
  pasted = await sideOf()
  folder = mkdtempSync(join(tmpdir(), 'drawer-'))
  file = join(folder, `it's "ä; 1".csv`)
  writeFileSync(file, 'CompanyName,CompanyEmail\n')
})
afterAll(async () => {
  await clicked.shop.close()
  await pasted.shop.close()
  rmSync(folder, { recursive: true })
})

const UNKNOWN = randomUUID()

interface Call {
  operation: Operation
  mount: string
  base: string
}

/** `:id` is of a Queue, a CashBox or of nothing, by the word before it. */
function addressOf({ operation }: Call, { ids, things }: Side): string {
  const path = operation.path.replace(/\/([\w-]+)\/:(\w+)/g, (_, word: string, name: string) => {
    const named = { ...things, queues: ids.queueId, cashboxes: ids.cashBoxId }[word]
    const value = name === 'id' ? (named ?? UNKNOWN) : (ids[name] ?? UNKNOWN)
    return `/${word}/${value}`
  })
  const query = new URLSearchParams(QUERIES[operation.id] ?? {}).toString()
  return query === '' ? path : `${path}?${query}`
}

const QUERIES: Readonly<Record<string, Record<string, string>>> = {
  search: { q: 'Café' },
  listActions: { kind: 'operator', id: UNKNOWN },
  exportQueueJournal: { type: '2' },
  executeTemplate: { outlet_number: '1' },
  importInvitations: { dryRun: 'true' },
}

function bodyOf({ operation: { body, example, examples, upload } }: Call): unknown {
  if (upload === 'stream') return new FormFile(file)
  if (body === undefined) return undefined
  return example ?? Object.values(examples ?? {})[0] ?? {}
}

/** Drawing has a limit of time, which a busy machine exceeds. */
const BUSY = 503
const BUSY_TRIES = 5
const BUSY_MS = 1_000

async function click(call: Call): Promise<[number, string]> {
  const { visit, shop } = clicked
  const body = bodyOf(call)
  const path = `${call.mount}${addressOf(call, clicked)}`
  const { method } = call.operation
  if (!(body instanceof FormFile)) {
    for (let again = BUSY_TRIES; ; again -= 1) {
      const answer = await visit.ask(method, path, { body })
      const text = await answer.text()
      if (answer.status !== BUSY || again === 0) return [answer.status, text]
      await sleep(BUSY_MS)
    }
  }
  const form = new FormData()
  form.set('file', new Blob([readFileSync(file)]), file)
  const { csrf = '', account } = visit.session ?? {}
  const headers = { cookie: visit.cookie, 'x-csrf-token': csrf }
  const answer = await fetch(shop.url + path, {
    ...{ method, body: form, headers: { ...headers, 'x-account': account?.accountId ?? '' } },
  })
  return [answer.status, await answer.text()]
}

/** All lines in one shell; what comes is kept beside the status. */
async function paste(calls: readonly Call[]): Promise<[number, string][]> {
  const { shop } = pasted
  const lines = calls.map((call, index) => {
    const address = call.base + addressOf(call, pasted)
    const text = curlOf({ method: call.operation.method, address, body: bodyOf(call) })
    return `N=${index}\n${text}`
  })
  const repeated = `--retry ${BUSY_TRIES} --retry-delay 1`
  const kept = `-o "$OUT/$N" -w '%{http_code}\\n'`
  const answered = `curl() { command curl ${repeated} ${kept} "$@"; }`
  const { stdout } = await run('bash', ['-c', [answered, ...lines].join('\n')], {
    env: {
      ...process.env,
      ...{ FISKALWERK_URL: shop.url, OUT: folder, ACCOUNT_ID: shop.demo.dealer.accountId },
      ACCOUNT_TOKEN: shop.demo.dealer.accessToken,
    },
  })
  const statuses = stdout.trim().split('\n').map(Number)
  return statuses.map((status, index) => [status, textIn(join(folder, String(index)))])
}

/** curl makes no file of an answer without a body. */
function textIn(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Names of members, not their values; of a list those of its first row. */
function shapeOf(text: string): unknown {
  const namesOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.slice(0, 1).map(namesOf)
    return typeof value === 'object' && value !== null ? Object.keys(value) : typeof value
  }
  try {
    const value: unknown = JSON.parse(text)
    const { items } = Object(value) as { items?: unknown }
    return [namesOf(value), namesOf(items)]
  } catch {
    return text === '' ? 'nothing' : 'no JSON'
  }
}

/** What takes something away comes last, so that the others find it. */
const endsSomething = ({ operation }: Call): boolean => operation.method === 'DELETE'

/** Of 134 operations; the others want another country, another state, or things nobody has. */
const LEAST_DONE = 90

describe('the line that the drawer shows', () => {
  it('does what the click did, for every operation', { timeout: 300_000 }, async () => {
    const calls: Call[] = GROUPS.flatMap(({ operations, mount, base }) =>
      operations
        .filter(({ id }) => id !== ENDLESS)
        .map((operation) => ({ operation, mount, base })),
    ).toSorted((a, b) => Number(endsSomething(a)) - Number(endsSomething(b)))
    const clicks: [number, string][] = []
    for (const call of calls) clicks.push(await click(call))
    const pastes = await paste(calls)
    const told = (all: readonly [number, string][]) =>
      all.map(([status, text], index) => [calls[index]?.operation.id, status, shapeOf(text)])
    expect(told(pastes)).toEqual(told(clicks))
    expect(clicks.filter(([status]) => status < 300).length).toBeGreaterThanOrEqual(LEAST_DONE)
    expect(clicks.filter(([status]) => status >= 500)).toEqual([])
  })

  it('keeps quotes, umlauts, lines and emoji, and never a secret', async () => {
    const body = { name: `it's "so" $HOME \`x\` \\ ä\n🧾 @file` }
    const text = curlOf({ method: 'POST', address: `/api/it's?x='`, body })
    const { stdout } = await run('bash', ['-c', `curl() { printf '%s\\0' "$@"; }\n${text}`], {
      env: { FISKALWERK_URL: 'http://x', ACCOUNT_ID: 'me', ACCOUNT_TOKEN: 'secret' },
    })
    const words = stdout.split('\0')
    expect(words).toContain(`http://x/api/it's?x='`)
    expect(words).toContain(JSON.stringify(body))
    expect(words).toContain('accessToken: secret')
    expect(text).not.toContain('secret')
    const power = powerShellOf({ method: 'POST', address: '/api', body })
    expect(power).toContain(JSON.stringify(body).replaceAll("'", "''"))
  })
})
