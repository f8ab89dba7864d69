// Webhooks as an account makes, changes and tries them.
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
  lockSecret,
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
import { newKeys, publicKeyOf, secretOf, withKey } from './webhook-keys.js'

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
  /** Signed with an Ed25519 key as well. */
  asymmetric: boolean
  /** Behind this number; undefined: what comes next. */
  after: bigint | undefined
}

/** Most of one account. */
const MOST = 50
const HOUR_MS = 60 * 60 * 1000

/** Of a webhook that was never called. */
const FRESH = {
  ...{ tries: 0, failingSince: null, nextAt: null, lastError: null },
  ...{ replayNext: null, replayTo: null, oldSecretSealed: null, oldUntil: null },
} as const

export interface ShownWebhook extends WebhookRow {
  /** `whpk_…` of Standard Webhooks; null: its calls are signed with the secret alone. */
  publicKey: string | null
}

/** Told once. */
export interface MadeWebhook {
  webhook: ShownWebhook
  secret: string
}

export interface RotatedSecret extends Pick<ShownWebhook, 'publicKey'> {
  secret: string
  oldUntil: Date
}

/** Undefined: as it is. */
export type WishedChange = WebhookChange & { asymmetric?: boolean | undefined }

export interface WebhookDesk {
  list(accountId: string): Promise<ShownWebhook[]>
  /** All others throw WEBHOOK_UNKNOWN. */
  get(key: WebhookKey): Promise<ShownWebhook>
  /** The secret is told this once. Throws WEBHOOKS_FULL, FIELD_INVALID, CURSOR_AHEAD. */
  create(actor: Actor, wish: NewWebhook): Promise<MadeWebhook>
  update(actor: Actor, id: string, change: WishedChange): Promise<ShownWebhook>
  remove(actor: Actor, id: string): Promise<void>
  enable(actor: Actor, id: string): Promise<ShownWebhook>
  /** Both inclusive. */
  replay(actor: Actor, id: string, range: { from: bigint; to: bigint }): Promise<ShownWebhook>
  /** What has signed so far signs as well for so many hours. */
  rotate(actor: Actor, id: string, hours: number): Promise<RotatedSecret>
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

  async list(accountId: string): Promise<ShownWebhook[]> {
    return (await listWebhooks(this.deps.store, accountId)).map((row) => this.shown(row))
  }

  async get(key: WebhookKey): Promise<ShownWebhook> {
    const found = await findWebhook(this.deps.store, key)
    if (found === undefined) throw fail('WEBHOOK_UNKNOWN', { webhook: key.id })
    return this.shown(found)
  }

  async create(actor: Actor, wish: NewWebhook): Promise<MadeWebhook> {
    const { store, now } = this.deps
    const { accountId } = actor
    this.checkUrl(wish.url)
    const head = await streamHead(store, accountId)
    const cursor = wish.after ?? head.seq
    if (cursor > head.seq) {
      throw fail('CURSOR_AHEAD', { after: String(cursor), head: String(head.seq) })
    }
    const id = randomId()
    const keys = newKeys(wish.asymmetric)
    const secretSealed = store.sealer.seal(keys, webhookSecret(id))
    const { url, description, types, mode, asymmetric } = wish
    const webhook: ShownWebhook = {
      ...{ accountId, id, url, description, types, mode, cursor, secretSealed },
      publicKey: publicKeyOf(keys),
      ...{ state: 'active', createdAt: now(), ...FRESH },
    }
    return audited(this.deps, actor, async (tx) => {
      if (!(await insertWebhook(tx, webhook, MOST))) throw fail('WEBHOOKS_FULL', { most: MOST })
      const after = { host: hostOf(url), types, mode, asymmetric }
      const result = { webhook, secret: secretOf(keys) }
      return { result, subjects: { webhookId: id }, after }
    })
  }

  async update(actor: Actor, id: string, wish: WishedChange): Promise<ShownWebhook> {
    const { asymmetric, ...change } = wish
    if (change.url !== undefined) this.checkUrl(change.url)
    const { url, types, mode, description } = change
    const after = { ...(url && { host: hostOf(url) }), types, mode, description, asymmetric }
    return this.write(actor, { id, after }, async (tx, key) => {
      const secretSealed = await this.resealed(tx, key, asymmetric)
      return this.shownIn(await updateWebhook(tx, key, { ...change, ...secretSealed }))
    })
  }

  /** With a key or without one, as wished; nothing: as it is. */
  private async resealed(tx: Transaction, key: WebhookKey, asymmetric: boolean | undefined) {
    if (asymmetric === undefined) return {}
    const sealed = await lockSecret(tx, key)
    if (sealed === undefined) return {}
    const { sealer } = this.deps.store
    const keys = sealer.open(sealed, webhookSecret(key.id))
    const wished = asymmetric ? withKey(keys) : secretOf(keys)
    return { secretSealed: sealer.seal(wished, webhookSecret(key.id)) }
  }

  private shown(row: WebhookRow): ShownWebhook {
    const keys = this.deps.store.sealer.open(row.secretSealed, webhookSecret(row.id))
    return { ...row, publicKey: publicKeyOf(keys) }
  }

  private shownIn(row: WebhookRow | undefined): ShownWebhook | undefined {
    return row === undefined ? undefined : this.shown(row)
  }

  remove(actor: Actor, id: string): Promise<void> {
    return this.write(actor, { id, after: undefined }, async (tx, key) => {
      return (await deleteWebhook(tx, key)) ? null : undefined
    }).then(() => undefined)
  }

  async enable(actor: Actor, id: string): Promise<ShownWebhook> {
    return this.write(actor, { id, after: { state: 'active' } }, async (tx, key) =>
      this.shownIn(await enableWebhook(tx, key)),
    )
  }

  async replay(
    actor: Actor,
    id: string,
    { from, to }: { from: bigint; to: bigint },
  ): Promise<ShownWebhook> {
    const { accountId } = actor
    await this.get({ accountId, id })
    const { seq, firstSeq } = await streamHead(this.deps.store, accountId)
    if (from < firstSeq) {
      const after = String(from - 1n)
      throw fail('CURSOR_TOO_OLD', { after, firstSeq: String(firstSeq) })
    }
    if (from > to || to > seq) throw fail('CURSOR_AHEAD', { after: String(to), head: String(seq) })
    const after = { replay: `${from}-${to}` }
    return this.write(actor, { id, after }, async (tx, key) =>
      this.shownIn(await replayWebhook(tx, key, { from, to })),
    )
  }

  rotate(actor: Actor, id: string, hours: number): Promise<RotatedSecret> {
    const { store, now } = this.deps
    const { sealer } = store
    const oldUntil = new Date(now().getTime() + hours * HOUR_MS)
    return this.write(actor, { id, after: { oldUntil } }, async (tx, key) => {
      // who changes it at the same moment waits: the former one is what was told last
      const known = await lockSecret(tx, key)
      if (known === undefined) return undefined
      const old = sealer.open(known, webhookSecret(id))
      const keys = newKeys(publicKeyOf(old) !== null)
      await rotateWebhook(tx, key, {
        secret: sealer.seal(keys, webhookSecret(id)),
        old: sealer.seal(old, webhookOldSecret(id)),
        oldUntil,
      })
      return { secret: secretOf(keys), publicKey: publicKeyOf(keys), oldUntil }
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
