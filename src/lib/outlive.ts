// Faults that nobody caught: the process goes on, unless they do not end.

/** So many faults that nobody expected within a minute: then a new process is better. */
const MOST_FAULTS = 20
const FAULT_MS = 60_000

/**
 * The last resort for an event of a stream or a socket that nobody listens to: it costs the call
 * that it belongs to, and not those of everybody. Nothing in memory decides about what is signed:
 * each statement compares the version of its queue, so that a wrong state loses and is loaded anew.
 * Faults that do not end stop the server in order, for whoever starts it again.
 */
export function outliveFaults(
  on: Pick<NodeJS.Process, 'on'>,
  log: { fatal(details: object, message: string): void },
  stop: () => void,
): void {
  let moments: number[] = []
  on.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'a fault that nobody expected; the server goes on')
    const now = performance.now()
    moments = [...moments.filter((moment) => now - moment < FAULT_MS), now]
    if (moments.length > MOST_FAULTS) stop()
  })
}
