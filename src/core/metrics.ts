// Figures for /metrics, in the Prometheus form. Made once by deps.ts; the sign path and
// core/message report to it.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { SignObserver } from './sign/job.js'

export interface Metrics {
  observer: SignObserver
  /** One try to send a message. */
  message(channel: string, outcome: string): void
  text(): Promise<{ contentType: string; text: string }>
}

/** waiting: how many receipts wait in front of their queues right now. */
export function createMetrics(waiting: () => number): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const receipts = new Counter({
    name: 'fiskalwerk_receipts_total',
    help: 'Receipts that left the sign path, by market and outcome.',
    labelNames: ['market', 'outcome'],
    registers,
  })
  const conflicts = new Counter({
    name: 'fiskalwerk_sign_conflicts_total',
    help: 'Queue heads that another server process moved first.',
    registers,
  })
  const batches = new Histogram({
    name: 'fiskalwerk_sign_batch_receipts',
    help: 'Receipts committed with one statement.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  })
  const messages = new Counter({
    name: 'fiskalwerk_messages_total',
    help: 'Tries to send a message, by channel and outcome.',
    labelNames: ['channel', 'outcome'],
    registers,
  })
  new Gauge({
    name: 'fiskalwerk_sign_waiting',
    help: 'Receipts that wait in front of their queues.',
    registers,
    collect() {
      this.set(waiting())
    },
  })
  return {
    observer: {
      batch: (count) => batches.observe(count),
      receipt: (market, outcome) => receipts.inc({ market, outcome }),
      conflict: () => conflicts.inc(),
    },
    message: (channel, outcome) => messages.inc({ channel, outcome }),
    text: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  }
}
