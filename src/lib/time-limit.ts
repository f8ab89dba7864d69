// A signal that ends with a time or with other signals, whichever is first. Not by
// AbortSignal.any: on Node 20 it holds its sources weakly, and a time that nothing else holds is
// collected and never comes.

export interface TimeLimit {
  signal: AbortSignal
  /** Nothing is waited for any more. */
  done(): void
}

/** `milliseconds`: Infinity for none. Holds no process. */
export function timeLimit(milliseconds: number, signals: readonly AbortSignal[]): TimeLimit {
  const over = new AbortController()
  const end = () => over.abort()
  const timer =
    milliseconds === Number.POSITIVE_INFINITY ? undefined : setTimeout(end, milliseconds).unref()
  for (const signal of signals) {
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  }
  const done = () => {
    clearTimeout(timer)
    for (const signal of signals) signal.removeEventListener('abort', end)
  }
  return { signal: over.signal, done }
}
