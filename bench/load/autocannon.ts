// Load by autocannon in a process of its own, where wrk is not installed.
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { NUMBER_MARK, numbered } from '../stand/receipt.js'
import { runForked } from './forked.js'
import type { Load, LoadResult } from './load.js'

const SELF = fileURLToPath(import.meta.url)
const TIMEOUT_SECONDS = 10

export const runAutocannon = (load: Load): Promise<LoadResult> => runForked(SELF, load)

/** The number in place of every mark. */
function marked<T>(value: T, number: number): T {
  const text = JSON.stringify(value)
  return text.includes(NUMBER_MARK) ? (JSON.parse(numbered(text, number)) as T) : value
}

/** In this process, which then answers nobody else in time. */
export async function fire(load: Load): Promise<LoadResult> {
  let number = 0
  let client = 0
  const requests = load.targets.map(({ method = 'POST', path, headers, body }) => ({
    method,
    path,
    headers,
    setupRequest: (request: autocannon.Request) => {
      number += 1
      return { ...request, headers: marked(headers, number), body: marked(body, number) }
    },
  }))
  // its own table of waits counts whole milliseconds, and a receipt takes about one
  const waits = createHistogram()
  const report = await reported(waits, {
    url: load.url,
    connections: load.clients,
    duration: load.seconds,
    timeout: TIMEOUT_SECONDS,
    setupClient: (one) => {
      // every client starts at another target, or all would ask for the same queue at a time
      client += 1
      const first = client % requests.length
      one.setRequests([...requests.slice(first), ...requests.slice(0, first)])
    },
    requests,
  })
  const good = report['2xx']
  const faults = report.errors + report.timeouts + report.non2xx
  if (faults > 0 || good === 0) throw new Error(`${faults} requests failed`)
  return {
    requests: good,
    perSecond: good / report.duration,
    p50Ms: waits.percentile(50) / MICROS,
    p99Ms: waits.percentile(99) / MICROS,
    resolutionMs: 1 / MICROS,
  }
}

const MICROS = 1000

function reported(
  waits: RecordableHistogram,
  options: autocannon.Options,
): Promise<autocannon.Result> {
  return new Promise((resolve, reject) => {
    const instance = autocannon(options, (error, report) => {
      if (error) reject(error)
      else resolve(report)
    })
    // by the clock that never jumps, in milliseconds with decimals
    instance.on('response', (...[, , , took]) => {
      waits.record(Math.max(1, Math.round(took * MICROS)))
    })
  })
}

if (process.argv[1] === SELF && process.send !== undefined) {
  process.once('message', (load) => {
    fire(load as Load)
      .then(
        (result) => process.send?.({ result }),
        (error: Error) => process.send?.({ fault: error.message }),
      )
      .finally(() => process.disconnect())
  })
}
