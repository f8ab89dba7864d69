// Brings the events of a stream to one webhook, while this process has its lease: in order, side by
// side or in batches. What was taken is on disk before others may take the webhook.
import { orderedId } from '../../lib/id.js'
import type { Store } from '../../store/client.js'
import {
  type ClaimedWebhook,
  type DeliveryState,
  type Disabling,
  reportDelivery,
} from '../../store/event/deliveries.js'
import { type EventRow, readEvents, streamHead } from '../../store/event/stream.js'
import type { AttemptRow } from '../../store/event/webhooks.js'
import { type CallDeps, type CallEnd, callWebhook, type Parcel } from './webhook-call.js'
import { type LetterDeps, lettersAbout } from './webhook-letters.js'
import { isGivenUp, pauseMs } from './webhook-pauses.js'

export interface DeliveryDeps extends CallDeps, LetterDeps {
  store: Store
  /** What a receiver gets: one event, or several at once. */
  parcelOf(events: readonly EventRow[], isBatch: boolean): Parcel
  /** 0 to 1. */
  random(): number
}

/** Events that are looked at together. */
const PAGE = 32
const BATCH = 100
/** Calls of one webhook at a time, where it wants no order. */
export const SIDE_BY_SIDE = 16
/** What was taken is written down at least that often. */
const REPORT_MS = 1_000

type Failure = Exclude<CallEnd, { kind: 'taken' }>

/** Until there is nothing more, a call fails, the lease is lost or `signal` ends it. */
export async function deliverTo(
  deps: DeliveryDeps,
  webhook: ClaimedWebhook,
  signal: AbortSignal,
): Promise<void> {
  await new Delivering(deps, webhook, signal).run()
}

class Delivering {
  private readonly deps: DeliveryDeps
  private readonly webhook: ClaimedWebhook
  private readonly signal: AbortSignal
  private state: DeliveryState
  private attempts: AttemptRow[] = []
  private reported = performance.now()
  private newest = 0

  constructor(deps: DeliveryDeps, webhook: ClaimedWebhook, signal: AbortSignal) {
    this.deps = deps
    this.webhook = webhook
    this.signal = signal
    const { cursor, taken, replayNext, tries, failingSince, lastError, state } = webhook
    this.state = {
      ...{ cursor, taken, replayNext, tries, failingSince, lastError, state },
      nextAt: null,
    }
  }

  async run(): Promise<void> {
    while (!this.signal.aborted) {
      const failure = await this.page()
      if (failure === 'nothing') return void (await this.report(true))
      if (failure !== undefined) return this.failed(failure)
      const isLate = performance.now() - this.reported >= REPORT_MS
      if (isLate && !(await this.report(false))) return
    }
    await this.report(true)
  }

  private async page(): Promise<Failure | 'nothing' | undefined> {
    const { store } = this.deps
    const { accountId, types, mode, replayTo } = this.webhook
    const { seq: head, firstSeq } = await streamHead(store, accountId)
    const { replayNext, cursor } = this.state
    const isReplay = replayNext !== null && replayTo !== null
    const after = isReplay ? replayNext - 1n : cursor
    const to = isReplay && replayTo < head ? replayTo : head
    const limit = mode === 'batch' ? BATCH : PAGE
    const wanted = { types: types.length === 0 ? undefined : types, limit }
    const start = after < firstSeq - 1n ? firstSeq - 1n : after
    const events = await readEvents(store, { ...wanted, accountId, after: start, to })
    if (events.length > 0) {
      const failure = await this.send(events)
      if (failure !== undefined) return failure
    }
    const end = events.length < limit ? to : (events.at(-1)?.seq ?? to)
    if (isReplay) this.move({ replayNext: end >= replayTo || end >= head ? null : end + 1n })
    else this.move({ cursor: end > cursor ? end : cursor, taken: [] })
    return events.length < limit && !isReplay ? 'nothing' : undefined
  }

  private send(events: readonly EventRow[]): Promise<Failure | undefined> {
    const { mode } = this.webhook
    if (mode === 'batch') return this.call(events)
    return mode === 'ordered' ? this.inOrder(events) : this.sideBySide(events)
  }

  private async inOrder(events: readonly EventRow[]): Promise<Failure | undefined> {
    for (const event of events) {
      if (this.signal.aborted) return STOPPED
      const failure = await this.call([event])
      if (failure !== undefined) return failure
      const { replayNext } = this.state
      this.move(replayNext === null ? { cursor: event.seq } : { replayNext: event.seq + 1n })
      const isLate = performance.now() - this.reported >= REPORT_MS
      // whoever has the webhook now goes on from there
      if (isLate && !(await this.report(false))) return STOPPED
    }
    return undefined
  }

  /** One that fails does not hold the others back: what is taken behind it is remembered. */
  private async sideBySide(events: readonly EventRow[]): Promise<Failure | undefined> {
    const known = new Set(this.state.taken)
    const open = events.filter(({ seq }) => !known.has(seq))
    const missing = new Set(open.map(({ seq }) => seq))
    let failure: Failure | undefined
    const work = async (): Promise<void> => {
      for (let event = open.shift(); event !== undefined; event = open.shift()) {
        if (this.signal.aborted) failure ??= STOPPED
        if (failure?.kind === 'gone' || failure === STOPPED) return
        const ended = await this.call([event])
        if (ended === undefined) missing.delete(event.seq)
        else failure = ended.kind === 'gone' ? ended : (failure ?? ended)
      }
    }
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work))
    if (failure === undefined) return undefined
    const first = events.find(({ seq }) => missing.has(seq))?.seq ?? 0n
    const { replayNext } = this.state
    if (replayNext !== null) this.move({ replayNext: first })
    else {
      const taken = events.filter(({ seq }) => seq > first && !missing.has(seq))
      this.move({ cursor: first - 1n, taken: taken.map(({ seq }) => seq) })
    }
    return failure
  }

  private async call(events: readonly EventRow[]): Promise<Failure | undefined> {
    const { deps, webhook, signal } = this
    const isBatch = webhook.mode === 'batch'
    const end = await callWebhook(deps, webhook, { parcel: deps.parcelOf(events, isBatch), signal })
    // the server stops: the receiver may have it, and gets it again
    if (end.kind === 'later' && signal.aborted) return STOPPED
    const at = deps.now()
    const first = events[0]?.seq ?? 0n
    this.attempts.push({
      ...{ id: this.nextId(at), seq: first, toSeq: events.at(-1)?.seq ?? first, at },
      ...{ status: end.status, ms: end.ms, error: end.kind === 'taken' ? null : end.error },
    })
    if (end.kind !== 'taken') return end
    this.move({ tries: 0, failingSince: null, lastError: null })
    return undefined
  }

  /** In the order of the calls, also where several end within a millisecond. */
  private nextId(at: Date): string {
    this.newest = Math.max(at.getTime(), this.newest + 1)
    return orderedId(this.newest)
  }

  private async failed(failure: Failure): Promise<void> {
    if (failure === STOPPED) return void (await this.report(true))
    const { now, random } = this.deps
    const moment = now()
    const { failingSince, tries } = this.state
    const since = failingSince ?? moment
    const asked = failure.kind === 'later' ? failure.retryAfterMs : undefined
    const pause = pauseMs(tries + 1, asked, random())
    this.move({
      ...{ tries: tries + 1, failingSince: since, lastError: failure.error },
      nextAt: new Date(moment.getTime() + pause),
    })
    const gone = failure.kind === 'gone'
    if (!gone && !isGivenUp(since, moment, tries + 1)) return void (await this.report(true))
    this.move({ state: 'disabled' })
    const eventId = orderedId(moment.getTime())
    const reason = gone ? 'gone' : 'failing'
    const { accountId, id, url } = this.webhook
    const about = { accountId, id, url, reason, error: failure.error } as const
    await this.report(true, { eventId, reason, tell: await lettersAbout(this.deps, about) })
  }

  private move(change: Partial<DeliveryState>): void {
    this.state = { ...this.state, ...change }
  }

  /** False: somebody else has the webhook now. */
  private async report(isDone: boolean, disabled?: Disabling): Promise<boolean> {
    const { webhook, state } = this
    const { accountId, id, lease } = webhook
    const attempts = this.attempts
    this.attempts = []
    this.reported = performance.now()
    const key = { accountId, id }
    return reportDelivery(this.deps.store, { key, lease, isDone, state, attempts, disabled })
  }
}

/** No failure of the receiver: this process leaves off. */
const STOPPED: Failure = {
  ...{ kind: 'later', status: null, ms: 0, error: 'the server stops' },
  retryAfterMs: undefined,
}
