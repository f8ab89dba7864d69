// One try to deliver a message: claimed, handed over behind a fence, recorded. However a server
// dies in between, nobody sends it twice: docs/decisions/0017.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Channel,
  HandOverError,
  type Outgoing,
  scrubbed,
  type Transport,
} from '../../notify/transport.js'
import type { Store } from '../../store/client.js'
import {
  type Claim,
  claimMessage,
  endMessage,
  fenceMessage,
  lockMessage,
  type MessageEnd,
  type MessageKey,
  type MessageRow,
  messageAddress,
  messageSecrets,
  recordSent,
} from '../../store/message/messages.js'
import type { Connection } from '../../store/transaction.js'
import { inTransaction } from '../../store/transaction.js'
import type { FailPoints } from '../fail-point.js'
import { type AnyKind, type Draft, LetterError, type MessageKinds, type Refusal } from './kind.js'

export interface DeliveryDeps {
  store: Store
  now(): Date
  /** The number of this server process. */
  runner: number
  transports: Readonly<Record<Channel, Transport>>
  kinds: MessageKinds
  failPoints: FailPoints
  log: { warn(details: object, message: string): void }
  observe(channel: string, outcome: 'sent' | 'later' | 'failed' | 'unsure'): void
}

export interface Try {
  /** Aborted when the server stops. */
  signal: AbortSignal
  /** The queue gives no further try. */
  last: boolean
}

/** The queue tries again after a pause. Its text lies in the queue in clear. */
export class AgainError extends Error {
  override name = 'AgainError'
}

export type Deliver = (key: MessageKey, run: Try) => Promise<void>

/** Resolves when there is nothing more to do; throws AgainError otherwise. */
export function createDelivery(deps: DeliveryDeps): Deliver {
  const running = new Set<string>()
  return async (key, run) => {
    if (running.has(key.id)) throw new AgainError('this server is at it already')
    running.add(key.id)
    try {
      await new Delivery(deps, run).deliver(key)
    } finally {
      running.delete(key.id)
    }
  }
}

interface Work {
  claim: Claim
  row: MessageRow
}

/** What is sealed in it, opened. */
interface Content {
  kind: AnyKind
  draft: Draft<unknown>
  to: string
}

type Outcome =
  | { kind: 'taken'; content: Content; providerId: string | null }
  | { kind: 'failed'; error: unknown }

/** How often and how long what the other side said is kept for the database. */
const RECORD_TRIES = 60
const RECORD_PAUSE_MS = 1_000

class Delivery {
  private readonly deps: DeliveryDeps
  private readonly run: Try

  constructor(deps: DeliveryDeps, run: Try) {
    this.deps = deps
    this.run = run
  }

  async deliver(key: MessageKey): Promise<void> {
    const { store, failPoints } = this.deps
    const work = await inTransaction(store, (client) => this.claim(client, key))
    if (work === undefined) return
    await failPoints.reach('message-claimed')
    const outcome = await this.hand(work)
    if (outcome.kind === 'failed') return this.end(work, outcome.error)
    await failPoints.reach('message-handed')
    await this.recorded(work, outcome)
    await failPoints.reach('message-recorded')
  }

  /** Undefined: nothing to do. */
  private async claim(
    client: Parameters<typeof lockMessage>[0],
    key: MessageKey,
  ): Promise<Work | undefined> {
    const { runner, now } = this.deps
    const row = await lockMessage(client, key)
    if (row === undefined || (row.state !== 'queued' && row.state !== 'sending')) return undefined
    if (row.state === 'sending') {
      if (row.alive && row.runner !== runner) throw new AgainError('another server is at it')
      if (row.fencedAt !== null) return this.giveUp(client, row)
    }
    const claim: Claim = { ...key, runner, attempts: row.attempts + 1 }
    await claimMessage(client, claim, now())
    return { claim, row }
  }

  /** Its server died between the fence and the answer: it may have arrived. */
  private async giveUp(
    client: Parameters<typeof lockMessage>[0],
    row: MessageRow,
  ): Promise<undefined> {
    const { accountId, id, attempts } = row
    const claim: Claim = { accountId, id, attempts, runner: row.runner ?? 0 }
    const error = 'the server died before it heard whether the message was taken'
    await endMessage(client, claim, { state: 'unsure', error, now: this.deps.now() })
    this.tell(row, 'unsure', error)
    return undefined
  }

  private contentOf(row: MessageRow): Content {
    const { sealer } = this.deps.store
    const kind = this.deps.kinds.get(row.kind)
    const { id, accountId, language, channel, createdAt, addressSealed, dataSealed } = row
    if (kind === undefined || addressSealed === null || dataSealed === null) {
      throw new Error(`the message ${id} of kind ${row.kind} cannot be read`)
    }
    const data: unknown = JSON.parse(sealer.open(dataSealed, messageSecrets(id)))
    const to = sealer.open(addressSealed, messageAddress(id))
    return { kind, draft: { accountId, language, channel, createdAt, data }, to }
  }

  private async hand({ claim, row }: Work): Promise<Outcome> {
    const channel = row.channel as Channel
    try {
      const content = this.contentOf(row)
      const { kind, draft, to } = content
      const letter = await kind.letter(draft)
      const outgoing: Outgoing = { id: row.id, channel, to, createdAt: row.createdAt, letter }
      const run = { fence: () => this.fence(claim), signal: this.run.signal }
      const providerId = await this.deps.transports[channel].hand(outgoing, run)
      return { kind: 'taken', content, providerId }
    } catch (error) {
      return { kind: 'failed', error }
    }
  }

  private async fence(claim: Claim): Promise<void> {
    const { store, now, failPoints } = this.deps
    if (!(await fenceMessage(store, claim, now()))) {
      throw new HandOverError('later', 'another server has taken the message over')
    }
    await failPoints.reach('message-fenced')
  }

  /** What the other side said must not be forgotten because the database is away for a moment. */
  private async recorded(
    { claim, row }: Work,
    { content, providerId }: Extract<Outcome, { kind: 'taken' }>,
  ): Promise<void> {
    const { store, now } = this.deps
    const { kind, draft } = content
    const after = await this.persistently(() =>
      inTransaction(store, async (client) => {
        const moment = now()
        if (!(await recordSent(client, claim, { providerId, now: moment }))) return undefined
        return kind.taken(client, draft, moment)
      }),
    )
    if (after === undefined) return
    after()
    this.deps.observe(row.channel, 'sent')
  }

  private async end(work: Work, error: unknown): Promise<void> {
    const { store, now } = this.deps
    const end = this.endOf(error)
    const recorded = await this.persistently(() =>
      inTransaction(store, async (client) => {
        const moment = now()
        const ended = await endMessage(client, work.claim, { ...end, now: moment })
        const failed = ended && end.state === 'failed'
        if (failed) await this.refused(client, work.row, { reason: end.error, moment })
        return ended
      }),
    )
    if (recorded) this.tell(work.row, end.state === 'queued' ? 'later' : end.state, end.error)
    if (end.state === 'queued') throw new AgainError(end.error)
  }

  /** What cannot be read any more tells nobody. */
  private async refused(
    client: Connection,
    row: MessageRow,
    { reason, moment }: Pick<Refusal, 'reason' | 'moment'>,
  ): Promise<void> {
    const content = this.readable(row)
    if (content === undefined) return
    const { id: messageId, addressMasked } = row
    const refusal = { messageId, addressMasked, reason, moment }
    await content.kind.refused(client, content.draft, refusal)
  }

  private readable(row: MessageRow): Content | undefined {
    try {
      return this.contentOf(row)
    } catch (error) {
      this.deps.log.warn({ err: error, messageId: row.id }, 'a failed message cannot be read')
      return undefined
    }
  }

  private endOf(error: unknown): MessageEnd {
    if (error instanceof LetterError) return { state: 'failed', error: scrubbed(error.message) }
    if (!(error instanceof HandOverError)) return this.again(shortReason(error))
    const { fate, message } = error
    if (fate === 'later') return this.again(message)
    return { state: fate === 'never' ? 'failed' : 'unsure', error: message }
  }

  private again(error: string): MessageEnd {
    return { state: this.run.last ? 'failed' : 'queued', error }
  }

  private async persistently<T>(work: () => Promise<T>): Promise<T> {
    for (let count = 1; ; count += 1) {
      const [done] = await Promise.allSettled([work()])
      if (done.status === 'fulfilled') return done.value
      if (count >= RECORD_TRIES || this.run.signal.aborted) throw done.reason
      await sleep(RECORD_PAUSE_MS)
    }
  }

  private tell(row: MessageRow, outcome: 'later' | 'failed' | 'unsure', reason: string): void {
    const { id, kind, channel, addressMasked, attempts } = row
    this.deps.observe(channel, outcome)
    const details = { messageId: id, kind, channel, to: addressMasked, try: attempts + 1, reason }
    this.deps.log.warn(details, SAYINGS[outcome])
  }
}

const SAYINGS = {
  later: 'a message could not be sent and is tried again',
  failed: 'a message failed for good: fiskalwerk jobs list shows it',
  unsure: 'a message may have arrived or not: fiskalwerk jobs list shows it',
}

/** Of an error that nobody expected; it may carry anything. */
function shortReason(error: unknown): string {
  const { name, code } = Object(error) as { name?: unknown; code?: unknown }
  return `an unexpected ${typeof code === 'string' ? code : String(name ?? 'error')}`
}
