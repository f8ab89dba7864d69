// A local middleware of another server: fetches the configuration of its cash box there, and works
// with its own database from then on, online or not.
import { createDecipheriv, createECDH, createPublicKey } from 'node:crypto'
import type { Logger } from 'pino'
import { type OutboundCall, OutboundError } from '../../device/outbound.js'
import { fail } from '../../errors.js'
import { sha256 } from '../../lib/hash.js'
import { guidBytes, isUuid } from '../../lib/id.js'
import { JsonObject, type JsonValue, objectIn } from '../../lib/json.js'
import { objectMember, rowsMember, textMember } from '../../lib/json-object.js'
import { writeJson } from '../../lib/json-write.js'
import type { Store } from '../../store/client.js'
import { findCashBox } from '../../store/rollout/cashboxes.js'
import { putLocalAccount } from '../../store/rollout/local.js'
import type { Templates } from './template/execute.js'

export interface Source {
  cashBoxId: string
  accessToken: string
  /** Address of the other server. */
  from: string
}

export interface FollowDeps {
  store: Store
  now(): Date
  fetch: OutboundCall
  templates: Templates
  /** What is remembered of these is read anew. */
  forget(cashBoxId: string, queueIds: readonly string[]): void
  log: Pick<Logger, 'info' | 'warn'>
}

export interface Follower {
  /**
   * Fetches and applies; when that fails, what was fetched before stays in force. Throws
   * CONFIGURATION_AWAY when there is nothing yet.
   */
  refresh(): Promise<void>
  /** Every half hour: a rebuilt configuration is active within the hour. */
  start(): void
  stop(): void
}

const EVERY_MS = 30 * 60_000

export function createFollower(deps: FollowDeps, source: Source): Follower {
  let applied = ''
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  const once = async (): Promise<void> => {
    try {
      const text = await fetchDocument(deps, source)
      if (text === applied) return
      await apply(deps, source, text)
      applied = text
      deps.log.info({ cashBoxId: source.cashBoxId }, 'the configuration was fetched and applied')
    } catch (error) {
      if ((await findCashBox(deps.store, source.cashBoxId)) === undefined) throw error
      deps.log.warn({ err: error }, 'the configuration could not be fetched; the last one stays')
    }
  }
  const refresh = (): Promise<void> => {
    running ??= once().finally(() => {
      running = undefined
    })
    return running
  }
  return {
    refresh,
    start: () => {
      timer = setInterval(
        () =>
          void refresh().catch((error: unknown) => {
            deps.log.warn({ err: error }, 'the configuration could not be fetched')
          }),
        EVERY_MS,
      ).unref()
    },
    stop: () => clearInterval(timer),
  }
}

const TIMEOUT_MS = 20_000
const MOST_BYTES = 16 * 1024 * 1024

const away = (source: Source, reason: string) =>
  fail('CONFIGURATION_AWAY', { from: source.from, reason })

/** The document as text, secrets decrypted. */
async function fetchDocument({ fetch }: FollowDeps, source: Source): Promise<string> {
  const pair = createECDH('prime256v1')
  const point = pair.generateKeys()
  const { status, body } = await ask(fetch, source, spkiOf(point))
  if (status !== 200) throw away(source, `status ${status}`)
  const document = objectIn(body)
  if (document === undefined || textMember(document, 'ftCashBoxId') !== source.cashBoxId) {
    throw away(source, 'the answer is no configuration of this cash box')
  }
  const secret = sha256(pair.computeSecret(Buffer.from(source.accessToken, 'base64')))
  return writeJson(decrypted(document, source, secret))
}

async function ask(fetch: OutboundCall, source: Source, publicKeyX509: string) {
  const url = `${source.from.replace(/\/+$/, '')}/api/configuration/${source.cashBoxId}`
  try {
    const answer = await fetch(url, {
      method: 'GET',
      headers: { accesstoken: source.accessToken, 'content-type': 'application/json' },
      body: JSON.stringify({ publicKeyX509 }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MOST_BYTES,
      named: true,
    })
    return { status: answer.status, body: answer.body.toString('utf8') }
  } catch (error) {
    if (error instanceof OutboundError) throw away(source, error.message)
    throw error
  }
}

const HALF = 32

function spkiOf(point: Buffer): string {
  const part = (from: number) => point.subarray(from, from + HALF).toString('base64url')
  const key = createPublicKey({
    key: { kty: 'EC', crv: 'P-256', x: part(1), y: part(1 + HALF) },
    format: 'jwk',
  })
  return key.export({ type: 'spki', format: 'der' }).toString('base64')
}

const SECRET = /^connectionstring$|_encrypted$/i

function decrypted(document: JsonObject, { cashBoxId }: Source, secret: Buffer): JsonObject {
  const iv = guidBytes(cashBoxId)
  const plain = (text: string): string => {
    const decipher = createDecipheriv('aes-256-cbc', secret, iv)
    const bytes = Buffer.concat([decipher.update(text, 'base64'), decipher.final()])
    return bytes.toString('utf8')
  }
  const settings = (value: JsonValue, name: string): JsonValue =>
    typeof value === 'string' && value !== '' && SECRET.test(name) ? plain(value) : value
  const item = (value: JsonValue, name: string): JsonValue =>
    name === 'Configuration' && value instanceof JsonObject ? mapped(value, settings) : value
  return mapped(document, (value, name) => {
    if (name !== 'ftQueues' || !Array.isArray(value)) return value
    return value.map((queue) => (queue instanceof JsonObject ? mapped(queue, item) : queue))
  })
}

function mapped(
  object: JsonObject,
  change: (value: JsonValue, name: string) => JsonValue,
): JsonObject {
  const copy = new JsonObject()
  copy.names.push(...object.names)
  copy.values.push(...object.values.map((value, at) => change(value, object.names[at] ?? '')))
  return copy
}

/** The document is a template whose ids are all given. */
async function apply(deps: FollowDeps, source: Source, text: string): Promise<void> {
  const document = objectIn(text) ?? new JsonObject()
  const accountId = await accountFor(deps, source, document)
  const actor = { accountId, onBehalfOf: null, operation: 'fetchConfiguration', traceId: '' }
  await deps.templates.execute(actor, {
    accountId,
    outletNumber: 1,
    strict: false,
    body: text,
    // the other server has decided where they are
    query: new Map([['move', 'true']]),
    accessToken: source.accessToken,
    mayCreateSigners: true,
  })
  const queues = rowsMember(document, 'ftQueues').flatMap((row) => textMember(row, 'Id') ?? [])
  deps.forget(source.cashBoxId, queues)
}

/** The merchant, with the address and the outlet that the configuration names. */
async function accountFor(
  { store, now }: FollowDeps,
  { cashBoxId }: Source,
  document: JsonObject,
): Promise<string> {
  const settings = objectMember(rowsMember(document, 'ftQueues')[0], 'Configuration')
  const master = objectMember(settings, 'init_masterData')
  const account = objectMember(master, 'Account')
  const outlet = objectMember(master, 'Outlet')
  const market = textMember(rowsMember(settings, 'init_ftQueue')[0], 'CountryCode') ?? 'AT'
  const given = textMember(account, 'AccountId')?.toLowerCase() ?? ''
  const text = (row: JsonObject | undefined, name: string) => textMember(row, name) ?? ''
  // without queues nothing says whose it is
  const id = isUuid(given) ? given : cashBoxId
  const outletId = text(outlet, 'OutletId').toLowerCase()
  await putLocalAccount(store, {
    id,
    market,
    name: text(account, 'AccountName'),
    line1: text(account, 'Street'),
    postalCode: text(account, 'Zip'),
    city: text(account, 'City'),
    country: text(account, 'Country') === '' ? market : text(account, 'Country'),
    vatId: text(account, 'VatId'),
    taxId: text(account, 'TaxId'),
    outlet: {
      id: isUuid(outletId) ? outletId : id,
      name: text(outlet, 'OutletName'),
      details: JSON.stringify({
        street: text(outlet, 'Street'),
        zip: text(outlet, 'Zip'),
        city: text(outlet, 'City'),
        country: text(outlet, 'Country'),
        locationId: text(outlet, 'LocationId'),
      }),
    },
    createdAt: now(),
  })
  return id
}
