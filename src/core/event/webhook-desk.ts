// Webhooks as an account makes, changes and tries them.
import { randomBytes } from 'node:crypto'
import { fail } from '../../errors.js'
import { randomId } from '../../lib/id.js'
import type { Store } from '../../store/client.js'
import { streamHead } from '../../store/event/stream.js'
import {
  type AttemptRow,
  deleteWebhook,
  enableWebhook,
  findWebhook,
  insertWebhook,
  listAttempts,
  listWebhooks,
  replayWebhook,
  rotateWebhook,
  updateWebhook,
  type WebhookChange,
  type WebhookKey,
  type WebhookMode,
  type WebhookRow,
  webhookOldSecret,
  webhookSecret,
} from '../../store/event/webhooks.js'
import { type Actor, audited } from '../audit/audit.js'
import { type CallDeps, type CallEnd, callWebhook, type Parcel } from './webhook-call.js'

export interface DeskDeps extends CallDeps {
  store: Store
  /** `host:port` that may be called without TLS. */
  allow: readonly string[]
}

export interface NewWebhook {
  url: string
  description: string
  types: string[]
  mode: WebhookMode
  /** Behind this number; undefined: what comes next. */
  after: bigint | undefined
}

/** Most of one account. */
const MOST = 50
const SECRET_BYTES = 32
const HOUR_MS = 60 * 60 * 1000

/** Of a webhook that was never called. */
const FRESH = {
  ...{ tries: 0, failingSince: null, nextAt: null, lastError: null },
  ...{ replayNext: null, replayTo: null, oldSecretSealed: null, oldUntil: null },
} as const

/** As Standard Webhooks writes them. */
const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

export interface WebhookDesk {
  list(accountId: string): Promise<WebhookRow[]>
  /** All others throw WEBHOOK_UNKNOWN. */
  get(key: WebhookKey): Promise<WebhookRow>
  /** The secret is told this once. Throws WEBHOOKS_FULL, FIELD_INVALID, CURSOR_AHEAD. */
  create(actor: Actor, wish: NewWebhook): Promise<{ webhook: WebhookRow; secret: string }>
  update(actor: Actor, id: string, change: WebhookChange): Promise<WebhookRow>
  remove(actor: Actor, id: string): Promise<void>
  enable(actor: Actor, id: string): Promise<WebhookRow>
  /** Both inclusive. */
  replay(actor: Actor, id: string, range: { from: bigint; to: bigint }): Promise<WebhookRow>
  /** The former secret signs as well for so many hours. */
  rotate(actor: Actor, id: string, hours: number): Promise<{ secret: string; oldUntil: Date }>
  /** Calls it now, with an event that stands in no stream. */
  test(key: WebhookKey, parcel: Parcel): Promise<CallEnd>
  attempts(
    key: WebhookKey,
    page: { before: string | undefined; limit: number },
  ): Promise<AttemptRow[]>
}

export function createWebhookDesk(deps: DeskDeps): WebhookDesk {
  return new Desk(deps)
}

const NOTHING = { result: undefined } as const

type Writing = (tx: Parameters<typeof enableWebhook>[0], key: WebhookKey) => Promise<boolean>

class Desk implements WebhookDesk {
  private readonly deps: DeskDeps

  constructor(deps: DeskDeps) {
    this.deps = deps
  }

  list(accountId: string): Promise<WebhookRow[]> {
    return listWebhooks(this.deps.store, accountId)
  }

  async get(key: WebhookKey): Promise<WebhookRow> {
    const found = await findWebhook(this.deps.store, key)
    if (found === undefined) throw fail('WEBHOOK_UNKNOWN', { webhook: key.id })
    return found
  }

  async create(actor: Actor, wish: NewWebhook): Promise<{ webhook: WebhookRow; secret: string }> {
    const { store, now } = this.deps
    const { accountId } = actor
    this.checkUrl(wish.url)
    const head = await streamHead(store, accountId)
    const cursor = wish.after ?? head.seq
    if (cursor > head.seq) {
      throw fail('CURSOR_AHEAD', { after: String(cursor), head: String(head.seq) })
    }
    const id = randomId()
    const secret = newSecret()
    const secretSealed = store.sealer.seal(secret, webhookSecret(id))
    const { url, description, types, mode } = wish
    const webhook: WebhookRow = {
      ...{ accountId, id, url, description, types, mode, cursor, secretSealed },
      ...{ state: 'active', createdAt: now(), ...FRESH },
    }
    return audited(this.deps, actor, async (tx) => {
      if (!(await insertWebhook(tx, webhook, MOST))) throw fail('WEBHOOKS_FULL', { most: MOST })
      const after = { host: hostOf(url), types, mode }
      return { result: { webhook, secret }, subjects: { webhookId: id }, after }
    })
  }

  async update(actor: Actor, id: string, change: WebhookChange): Promise<WebhookRow> {
    if (change.url !== undefined) this.checkUrl(change.url)
    const { url, types, mode, description } = change
    const after = { ...(url && { host: hostOf(url) }), types, mode, description }
    await this.write(actor, { id, after, ...NOTHING }, (tx, key) => updateWebhook(tx, key, change))
    return this.get({ accountId: actor.accountId, id })
  }

  remove(actor: Actor, id: string): Promise<void> {
    return this.write(actor, { id, after: undefined, ...NOTHING }, deleteWebhook)
  }

  async enable(actor: Actor, id: string): Promise<WebhookRow> {
    await this.write(actor, { id, after: { state: 'active' }, ...NOTHING }, enableWebhook)
    return this.get({ accountId: actor.accountId, id })
  }

  async replay(
    actor: Actor,
    id: string,
    { from, to }: { from: bigint; to: bigint },
  ): Promise<WebhookRow> {
    const { accountId } = actor
    const { seq, firstSeq } = await streamHead(this.deps.store, accountId)
    if (from < firstSeq) {
      const after = String(from - 1n)
      throw fail('CURSOR_TOO_OLD', { after, firstSeq: String(firstSeq) })
    }
    if (from > to || to > seq) throw fail('CURSOR_AHEAD', { after: String(to), head: String(seq) })
    const after = { replay: `${from}-${to}` }
    await this.write(actor, { id, after, ...NOTHING }, (tx, key) =>
      replayWebhook(tx, key, { from, to }),
    )
    return this.get({ accountId, id })
  }

  async rotate(
    actor: Actor,
    id: string,
    hours: number,
  ): Promise<{ secret: string; oldUntil: Date }> {
    const { store, now } = this.deps
    const { sealer } = store
    const known = await this.get({ accountId: actor.accountId, id })
    const old = sealer.open(known.secretSealed, webhookSecret(id))
    const secret = newSecret()
    const oldUntil = new Date(now().getTime() + hours * HOUR_MS)
    const sealed = {
      secret: sealer.seal(secret, webhookSecret(id)),
      old: sealer.seal(old, webhookOldSecret(id)),
    }
    const result = { secret, oldUntil }
    return this.write(actor, { id, after: { oldUntil }, result }, (tx, key) =>
      rotateWebhook(tx, key, { ...sealed, oldUntil }),
    )
  }

  async test(key: WebhookKey, parcel: Parcel): Promise<CallEnd> {
    return callWebhook(this.deps, await this.get(key), { parcel })
  }

  async attempts(
    key: WebhookKey,
    page: { before: string | undefined; limit: number },
  ): Promise<AttemptRow[]> {
    await this.get(key)
    return listAttempts(this.deps.store, { ...key, ...page })
  }

  /** Throws WEBHOOK_UNKNOWN where `work` finds none. */
  private write<T>(
    actor: Actor,
    { id, after, result }: { id: string; after: unknown; result: T },
    work: Writing,
  ): Promise<T> {
    return audited(this.deps, actor, async (tx) => {
      const isThere = await work(tx, { accountId: actor.accountId, id })
      if (!isThere) throw fail('WEBHOOK_UNKNOWN', { webhook: id })
      return { result, subjects: { webhookId: id }, after }
    })
  }

  /** Where it leads is judged with each call, behind the resolution of its name. */
  private checkUrl(text: string): void {
    const url = URL.canParse(text) ? new URL(text) : undefined
    const isPlain = url?.protocol === 'http:' && this.deps.allow.includes(hostAndPort(url))
    const isGood = url?.protocol === 'https:' || isPlain
    const bare = url?.username === '' && url.password === '' && url.hash === ''
    if (isGood && bare) return
    throw fail('FIELD_INVALID', { field: 'url', expected: 'https://host/path' })
  }
}

const HTTP_PORT = '80'

const hostAndPort = ({ hostname, port }: URL): string =>
  `${hostname}:${port === '' ? HTTP_PORT : port}`

/** All of an address that goes into the audit: its path and query may be secret. */
const hostOf = (url: string): string => new URL(url).host
