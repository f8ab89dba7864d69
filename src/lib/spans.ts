// What a trace is told of: pieces of work with a beginning and an end, one inside of another. Where
// no traces are wanted there is none, and nobody asks for one.

/** Values of the few kinds that traces know; what a caller has sent is none of them. */
export type SpanValues = Readonly<Record<string, string | number | boolean>>

/** A place in a trace, for others to stand below or to point to; known to who made it. */
export type SpanPlace = object

export interface SpanAbout {
  name: string
  /** internal unless something else is said. */
  kind?: 'server' | 'client'
  values?: SpanValues
  /** Left out: below the work that runs here. */
  below?: SpanPlace | undefined
  /** Other work that has led to this. */
  because?: readonly SpanPlace[]
  /** When it began, by the clock of `performance`; left out: now. */
  began?: number
}

export interface Span {
  note(values: SpanValues): void
  rename(name: string): void
  /** Work inside of it: what it begins stands below this span. */
  inside<T>(work: () => T): T
  /** error: it went wrong. */
  end(error?: unknown): void
}

export interface Spans {
  begin(about: SpanAbout): Span
  /** The work that runs here; undefined: none that a trace knows. */
  here(): SpanPlace | undefined
  /** What a caller has sent along (W3C trace context); undefined: nothing that can be read. */
  from(headers: Readonly<Record<string, unknown>>): SpanPlace | undefined
  /** The trace of a place: 32 hexadecimal digits. */
  traceOf(place: SpanPlace): string
  /** A place with nothing above it, in the trace of this id. */
  root(traceId: string): SpanPlace
  /** Headers that take the trace along on a call to others. */
  headers(): Record<string, string>
  /** Sends what is left, for two seconds at most. */
  close(): Promise<void>
}

/** Work as a span; without traces, just the work. */
export async function asSpan<T>(
  spans: Spans | undefined,
  about: SpanAbout,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  if (spans === undefined) return work()
  const span = spans.begin(about)
  try {
    const result = await span.inside(() => work(span))
    span.end()
    return result
  } catch (error) {
    span.end(error)
    throw error
  }
}
