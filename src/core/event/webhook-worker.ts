// Looks for webhooks that have something to get, and brings it to them; some at a time.

import { setMaxListeners } from 'node:events'
import { randomId } from '../../lib/id.js'
import { pause } from '../../lib/pause.js'
import { isAway } from '../../store/client.js'
import { type ClaimedWebhook, claimWebhooks } from '../../store/event/deliveries.js'
import { type DeliveryDeps, deliverTo, SIDE_BY_SIDE } from './webhook-delivery.js'

export interface WebhookWorker {
  start(): void
  /** Calls under way are given up and made again by whoever comes next. */
  stop(): Promise<void>
}

export interface WorkerDeps extends DeliveryDeps {
  log: { warn(details: object, message: string): void }
}

/** Webhooks at a time; each has the connections of its own calls. */
const AT_A_TIME = 16
const LOOK_MS = 250
const AWAY_MS = 1_000

export function createWebhookWorker(deps: WorkerDeps): WebhookWorker {
  return new Working(deps)
}

class Working implements WebhookWorker {
  private readonly deps: WorkerDeps
  private readonly stopping = new AbortController()
  private readonly running = new Set<Promise<void>>()
  private looking: Promise<void> | undefined

  constructor(deps: WorkerDeps) {
    this.deps = deps
    // each call under way listens, and so does the pause between looks; more would be a leak
    setMaxListeners(AT_A_TIME * SIDE_BY_SIDE + 1, this.stopping.signal)
  }

  start(): void {
    this.looking ??= this.look()
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await this.looking
    await Promise.allSettled([...this.running])
  }

  private async look(): Promise<void> {
    const { signal } = this.stopping
    while (!signal.aborted) {
      await pause(await this.turn(), signal)
    }
  }

  /** Returns how long to wait for the next one, in milliseconds. */
  private async turn(): Promise<number> {
    const { store, log } = this.deps
    const most = AT_A_TIME - this.running.size
    if (most <= 0) return LOOK_MS
    try {
      for (const webhook of await claimWebhooks(store, { lease: randomId(), most })) {
        const one = this.deliver(webhook).finally(() => this.running.delete(one))
        this.running.add(one)
      }
      return LOOK_MS
    } catch (error) {
      log.warn({ err: error }, isAway(error) ? 'webhooks wait for the database' : 'no webhooks')
      return AWAY_MS
    }
  }

  /** What is not written down is sent again once the lease is over. */
  private async deliver(webhook: ClaimedWebhook): Promise<void> {
    try {
      await deliverTo(this.deps, webhook, this.stopping.signal)
    } catch (error) {
      this.deps.log.warn({ err: error, webhookId: webhook.id }, 'a webhook is tried again later')
    }
  }
}
