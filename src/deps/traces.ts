// Traces by the settings. Their library is loaded only where somebody wants them.
import type { Logger } from 'pino'
import type { Config } from '../config.js'
import type { DeviceWatch } from '../device/device.js'
import type { Tasks } from '../jobs/tasks.js'
import { asSpan, type Spans } from '../lib/spans.js'

export async function spansOf(config: Config, log: Logger): Promise<Spans | undefined> {
  const { TRACES_URL: collector, ENVIRONMENT: environment } = config
  if (collector === undefined) return undefined
  const { startTraces } = await import('../core/traces.js')
  return startTraces({ ...collector, environment, log })
}

/** A call of a device is told of when it has ended. */
export function watchedBy(spans: Spans | undefined, watch: DeviceWatch): DeviceWatch {
  if (spans === undefined) return watch
  return {
    now: watch.now,
    called: (device, outcome, began) => {
      watch.called(device, outcome, began)
      const { name, id } = device
      const values = {
        ...{ 'fiskalwerk.package': name, 'fiskalwerk.scu': id, 'fiskalwerk.outcome': outcome },
      }
      const span = spans.begin({ name: 'device call', began, values })
      span.end(outcome === 'ok' || outcome === 'refused' ? undefined : outcome)
    },
  }
}

/** Each try of a job is a trace of its own. */
export function tracedTasks(spans: Spans | undefined, tasks: Tasks): Tasks {
  if (spans === undefined) return tasks
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      (payload, run) => asSpan(spans, { name: `job ${name}` }, () => task(payload, run)),
    ]),
  ) satisfies Tasks
}
