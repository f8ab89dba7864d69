// Figures for /metrics that the database knows: read when somebody asks, at most every few seconds,
// and never for longer than a scrape may take. A database that is away leaves them out.
import { Gauge, type Registry } from 'prom-client'
import type { Store } from '../store/client.js'
import { type Figure, figuresOf } from '../store/operation/figures.js'
import { type CertificateEnds, certificateEnds, type EndsDeps } from './certificate-ends.js'

/** Several servers and several Prometheus ask one database. */
const KEPT_MS = 5_000
/** Certificates end by the day; all units are read for it. */
const ENDS_KEPT_MS = 600_000

export interface OutsideDeps extends EndsDeps {
  store: Store
  log: { warn(details: object, message: string): void }
}

const FIGURES: Readonly<Record<Figure['name'], { help: string; labels: readonly string[] }>> = {
  outages_open: { help: 'Outages that go on, by cause: device, register.', labels: ['cause'] },
  jobs: {
    help: 'Jobs of the queue, by task and state: waiting, running, failed.',
    labels: ['task', 'state'],
  },
  problems_open: {
    help: 'Problems that go on, by kind and severity.',
    labels: ['kind', 'severity'],
  },
  webhooks: { help: 'Webhooks, by state: active, failing, disabled.', labels: ['state'] },
  events_waiting: { help: 'Events on their way into the streams.', labels: [] },
  events_waiting_seconds: { help: 'Age of the oldest event on its way.', labels: [] },
}

export function outsideFigures(deps: OutsideDeps): (registry: Registry) => void {
  return (registry) => {
    const isUp = new Gauge({
      name: 'fiskalwerk_database_up',
      help: 'Whether the database answered the question for these figures: 1, else 0.',
      registers: [registry],
    })
    const rows = kept(KEPT_MS, () => figuresOf(deps.store))
    const read = async (): Promise<readonly Figure[]> => {
      const [found] = await Promise.allSettled([rows()])
      isUp.set(found.status === 'fulfilled' ? 1 : 0)
      if (found.status === 'fulfilled') return found.value
      deps.log.warn({ err: found.reason }, 'figures of the database are missing')
      return []
    }
    for (const [name, { help, labels }] of Object.entries(FIGURES)) {
      new Gauge({
        ...{ name: `fiskalwerk_${name}`, help, labelNames: [...labels], registers: [registry] },
        async collect() {
          this.reset()
          const own = (await read()).filter((row) => row.name === name)
          if (labels.length === 0) this.remove()
          for (const { values, value } of own) this.labels(...values).set(value)
        },
      })
    }
    certificateFigures(registry, deps)
  }
}

function certificateFigures(registry: Registry, deps: OutsideDeps): void {
  let last: CertificateEnds | undefined
  const look = kept(ENDS_KEPT_MS, async () => {
    last = await certificateEnds(deps)
  })
  // all units are read for it: a scrape gets what is known and does not wait
  const known = (): CertificateEnds | undefined => {
    look().catch((error: unknown) => {
      deps.log.warn({ err: error }, 'ends of certificates could not be read')
    })
    return last
  }
  new Gauge({
    name: 'fiskalwerk_certificate_days_left',
    help: 'Days until the first certificate of a signing unit in use ends; below 0: it has.',
    registers: [registry],
    collect() {
      this.remove()
      const days = known()?.nearestDays
      if (days !== undefined) this.set(days)
    },
  })
  new Gauge({
    name: 'fiskalwerk_certificates_ending',
    help: 'Certificates of signing units in use that end within so many days; 0: have ended.',
    labelNames: ['days'],
    registers: [registry],
    collect() {
      const ends = known()
      if (ends === undefined) return
      for (const [days, count] of Object.entries(ends.within)) this.set({ days }, count)
    },
  })
}

/** The same answer for a while; whoever asks meanwhile waits for the question under way. */
function kept<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  let since = 0
  return () => {
    if (running === undefined || performance.now() - since > ms) {
      since = performance.now()
      running = ask()
    }
    return running
  }
}
