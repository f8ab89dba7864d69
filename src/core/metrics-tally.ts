// Figures of what happens for every receipt and every call: an event costs a look into a table, and
// the library counts when it is asked.
import { Counter, Histogram, type Registry } from 'prom-client'

interface Names {
  name: string
  help: string
  labelNames: readonly string[]
}

/** A counter. */
export function tally(
  registry: Registry,
  { name, help, labelNames }: Names,
): { add(...values: readonly string[]): void } {
  const counts = new Map<string, { values: readonly string[]; count: number }>()
  new Counter({
    ...{ name, help, labelNames: [...labelNames], registers: [registry] },
    collect() {
      this.reset()
      for (const { values, count } of counts.values()) this.labels(...values).inc(count)
    },
  })
  return {
    add: (...values) => {
      const key = values.join(' ')
      const known = counts.get(key)
      if (known === undefined) counts.set(key, { values, count: 1 })
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
      const { counts } = known.get(value) ?? sumsOf(value)
      let at = 0
      while (at < SECONDS.length && seconds > (SECONDS[at] ?? 0)) at += 1
      counts[at] = (counts[at] ?? 0) + 1
      const sums = known.get(value)
      if (sums !== undefined) sums.sum += seconds
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
