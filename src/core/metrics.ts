// Figures for /metrics, in the Prometheus form. Made once by deps.ts; the sign path, devices, calls
// and core/message report to it. Labels have few values that this program knows: nothing that a
// caller sends becomes one.
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client'
import type { DeviceWatch } from '../device/device.js'
import { PROCESSING_VERSION } from '../lib/version.js'
import type { SignObserver } from './sign/job.js'

export interface Metrics {
  observer: SignObserver
  devices: DeviceWatch
  calls: CallObserver
  /** One try to send a message. */
  message(channel: string, outcome: string): void
  text(): Promise<MetricsText>
  /** Everything, in a form that another process can be given. */
  figures(): Promise<unknown>
  /** Of several processes. */
  textOf(figures: readonly unknown[]): Promise<MetricsText>
}

interface MetricsText {
  contentType: string
  text: string
}

/** Where the door tells of calls over HTTP. */
export interface CallObserver {
  /** `group`: of the route table, `other` outside of it. */
  answered(group: string, status: number, seconds: number): void
  /** Refused because there were too many, by the code of the refusal. */
  limited(code: string): void
}

export interface MetricsInput {
  /** How many receipts wait in front of their queues right now. */
  waiting(): number
  /** Called for every statement of receipts. */
  signed(): void
  /** Connections to the database. */
  pool: { totalCount: number; idleCount: number; waitingCount: number }
  environment: string
  /** Exports that run, and that wait for a place. */
  exports(): { taken: number; waiting: number }
  /** Which of several this process is: a label of everything that it tells. */
  process?: string | undefined
  /** What the database knows, read when somebody asks. */
  outside(registry: Registry): void
}

export function createMetrics(input: MetricsInput): Metrics {
  const registry = new Registry()
  if (input.process !== undefined) registry.setDefaultLabels({ process: input.process })
  collectDefaultMetrics({ register: registry })
  processFigures(registry, input)
  input.outside(registry)
  const messages = new Counter({
    name: 'fiskalwerk_messages_total',
    help: 'Tries to send a message, by channel and outcome.',
    labelNames: ['channel', 'outcome'],
    registers: [registry],
  })
  return {
    observer: signFigures(registry, input.signed),
    devices: deviceFigures(registry),
    calls: callFigures(registry),
    message: (channel, outcome) => messages.inc({ channel, outcome }),
    text: () => textOf(registry),
    figures: () => registry.getMetricsAsJSON(),
    textOf: (figures) => textOf(AggregatorRegistry.aggregate(figures as object[])),
  }
}

async function textOf(registry: Registry): Promise<MetricsText> {
  return { contentType: registry.contentType, text: await registry.metrics() }
}

function processFigures(registry: Registry, input: MetricsInput): void {
  const { waiting, pool, environment, exports } = input
  const registers = [registry]
  new Gauge({
    name: 'fiskalwerk_build_info',
    help: 'Always 1; its labels say what runs.',
    labelNames: ['version', 'node', 'environment'],
    registers,
  }).set({ version: PROCESSING_VERSION, node: process.version, environment }, 1)
  new Gauge({
    name: 'fiskalwerk_sign_waiting',
    help: 'Receipts that wait in front of their queues.',
    registers,
    collect() {
      this.set(waiting())
    },
  })
  new Gauge({
    name: 'fiskalwerk_database_connections',
    help: 'Connections of the pool that are used and idle, and work that waits for one.',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'used' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
  new Gauge({
    name: 'fiskalwerk_exports',
    help: 'Exports that run beside the signing, and that wait for a place.',
    labelNames: ['state'],
    registers,
    collect() {
      const { taken, waiting: others } = exports()
      this.set({ state: 'running' }, taken)
      this.set({ state: 'waiting' }, others)
    },
  })
}

function signFigures(registry: Registry, signed: () => void): SignObserver {
  const registers = [registry]
  const receipts = tally(registry, {
    name: 'fiskalwerk_receipts_total',
    help: 'Receipts that left the sign path, by market and outcome.',
    labelNames: ['market', 'outcome'],
  })
  const unsigned = tally(registry, {
    name: 'fiskalwerk_receipts_unsigned_total',
    help: 'Receipts that were answered without a signature, because the signing unit was out.',
    labelNames: ['market'],
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
  const latency = durations(registry, {
    name: 'fiskalwerk_sign_duration_seconds',
    help: 'From a receipt in front of its queue until its answer is stored, or it is refused.',
    labelNames: [],
  })
  return {
    batch: (count) => {
      signed()
      batches.observe(count)
    },
    receipt: (market, outcome, isUnsigned) => {
      receipts.add(market, outcome)
      if (isUnsigned) unsigned.add(market)
    },
    conflict: () => conflicts.inc(),
    settled: (seconds) => latency.add(seconds),
  }
}

function deviceFigures(registry: Registry): DeviceWatch {
  const calls = tally(registry, {
    name: 'fiskalwerk_device_calls_total',
    help: 'Calls of signing units by package and outcome: ok, refused, failed, broken.',
    labelNames: ['package', 'outcome'],
  })
  const times = durations(registry, {
    name: 'fiskalwerk_device_call_duration_seconds',
    help: 'Calls of signing units outside of this server.',
    labelNames: ['package'],
  })
  return {
    now: () => performance.now(),
    called: ({ name, remote }, outcome, began) => {
      calls.add(name, outcome)
      if (remote) times.add((performance.now() - began) / 1000, name)
    },
  }
}

function callFigures(registry: Registry): CallObserver {
  const answers = tally(registry, {
    name: 'fiskalwerk_http_requests_total',
    help: 'Answers over HTTP, by group of interfaces and status.',
    labelNames: ['group', 'code'],
  })
  const times = durations(registry, {
    name: 'fiskalwerk_http_request_duration_seconds',
    help: 'From the head of a call until its answer is sent, by group of interfaces.',
    labelNames: ['group'],
  })
  const limits = tally(registry, {
    name: 'fiskalwerk_limited_total',
    help: 'Calls refused because there were too many, by the code of the refusal.',
    labelNames: ['code'],
  })
  return {
    answered: (group, status, seconds) => {
      answers.add(group, String(status))
      times.add(seconds, group)
    },
    limited: (code) => limits.add(code),
  }
}

// ---------------------------------------------------------------- told when somebody asks

interface Names {
  name: string
  help: string
  labelNames: readonly string[]
}

/** A counter with one label or two. */
export function tally(
  registry: Registry,
  { name, help, labelNames }: Names,
): { add(value: string, further?: string): void } {
  // a text of both for each call would cost more than the counting
  const counts = new Map<string, Map<string, { values: readonly string[]; count: number }>>()
  const begin = (value: string, further: string | undefined): void => {
    const values = further === undefined ? [value] : [value, further]
    const those = counts.get(value) ?? new Map()
    counts.set(value, those.set(further ?? '', { values, count: 1 }))
  }
  new Counter({
    ...{ name, help, labelNames: [...labelNames], registers: [registry] },
    collect() {
      this.reset()
      for (const those of counts.values()) {
        for (const { values, count } of those.values()) this.labels(...values).inc(count)
      }
    },
  })
  return {
    add: (value, further) => {
      const known = counts.get(value)?.get(further ?? '')
      if (known === undefined) begin(value, further)
      else known.count += 1
    },
  }
}

const SECONDS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

interface Sums {
  labels: Record<string, string>
  /** One more than there are bounds: what is above all of them. */
  counts: Float64Array
  sum: number
}

/** A histogram of seconds, with one label at most. */
export function durations(
  registry: Registry,
  names: Names,
): { add(seconds: number, value?: string): void } {
  const [label] = names.labelNames
  const known = new Map<string, Sums>()
  const sumsOf = (value: string): Sums => {
    const labels = label === undefined ? {} : { [label]: value }
    const made = { labels, counts: new Float64Array(SECONDS.length + 1), sum: 0 }
    known.set(value, made)
    return made
  }
  if (label === undefined) sumsOf('')
  new Durations(registry, names, known)
  return {
    add: (seconds, value = '') => {
      const sums = known.get(value) ?? sumsOf(value)
      const { counts } = sums
      let at = 0
      while (at < SECONDS.length && seconds > (SECONDS[at] ?? 0)) at += 1
      counts[at] = (counts[at] ?? 0) + 1
      sums.sum += seconds
    },
  }
}

type Told = Awaited<ReturnType<Histogram['get']>>

/** In the library's own form: `observe` of each would cost what was saved. */
class Durations extends Histogram {
  private readonly title: Names
  private readonly known: ReadonlyMap<string, Sums>

  constructor(registry: Registry, names: Names, known: ReadonlyMap<string, Sums>) {
    const { name, help, labelNames } = names
    super({ name, help, labelNames: [...labelNames], buckets: SECONDS, registers: [registry] })
    this.title = names
    this.known = known
  }

  override async get(): Promise<Told> {
    const { name, help } = this.title
    const values = [...this.known.values()].flatMap((sums) => this.valuesOf(sums))
    // the library's types want its own names for the kinds, which they do not give away
    return { name, help, type: 'histogram', aggregator: 'sum', values } as unknown as Told
  }

  /** What the registry asks where a metric has it: there the library has other values. */
  getForPromString() {
    return this.get()
  }

  private valuesOf({ labels, counts, sum }: Sums) {
    const { name } = this.title
    let total = 0
    const values = [...SECONDS, '+Inf'].map((le, at) => {
      total += counts[at] ?? 0
      return { labels: { le, ...labels }, value: total, metricName: `${name}_bucket` }
    })
    return [
      ...values,
      { labels, value: sum, metricName: `${name}_sum` },
      { labels, value: total, metricName: `${name}_count` },
    ]
  }
}
