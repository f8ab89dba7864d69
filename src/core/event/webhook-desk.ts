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
import type { Transaction } from '../../store/transaction.js'
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
  test(actor: Actor, id: string, parcel: Parcel): Promise<CallEnd>
  attempts(
    key: WebhookKey,
    page: { before: string | undefined; limit: number },
  ): Promise<AttemptRow[]>
}

export function createWebhookDesk(deps: DeskDeps): WebhookDesk {
  return new Desk(deps)
}

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
    return this.write(actor, { id, after }, (tx, key) => updateWebhook(tx, key, change))
  }

  remove(actor: Actor, id: string): Promise<void> {
    return this.write(actor, { id, after: undefined }, async (tx, key) => {
      return (await deleteWebhook(tx, key)) ? null : undefined
    }).then(() => undefined)
  }

  async enable(actor: Actor, id: string): Promise<WebhookRow> {
    return this.write(actor, { id, after: { state: 'active' } }, enableWebhook)
  }

  async replay(
    actor: Actor,
    id: string,
    { from, to }: { from: bigint; to: bigint },
  ): Promise<WebhookRow> {
    const { accountId } = actor
    await this.get({ accountId, id })
    const { seq, firstSeq } = await streamHead(this.deps.store, accountId)
    if (from < firstSeq) {
      const after = String(from - 1n)
      throw fail('CURSOR_TOO_OLD', { after, firstSeq: String(firstSeq) })
    }
    if (from > to || to > seq) throw fail('CURSOR_AHEAD', { after: String(to), head: String(seq) })
    const after = { replay: `${from}-${to}` }
    return this.write(actor, { id, after }, (tx, key) => replayWebhook(tx, key, { from, to }))
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
    return this.write(actor, { id, after: { oldUntil } }, async (tx, key) => {
      return (await rotateWebhook(tx, key, { ...sealed, oldUntil })) ? result : undefined
    })
  }

  async test(actor: Actor, id: string, parcel: Parcel): Promise<CallEnd> {
    const known = await this.get({ accountId: actor.accountId, id })
    const result = await callWebhook(this.deps, known, { parcel })
    // nothing has changed, but the answer is kept for who asks again
    return audited(this.deps, actor, async () => ({ result, unchanged: true }))
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
    { id, after }: { id: string; after: unknown },
    work: (tx: Transaction, key: WebhookKey) => Promise<T | undefined>,
  ): Promise<T> {
    return audited(this.deps, actor, async (tx) => {
      const result = await work(tx, { accountId: actor.accountId, id })
      if (result === undefined) throw fail('WEBHOOK_UNKNOWN', { webhook: id })
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
