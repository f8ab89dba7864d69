// Traces by the SDK of OpenTelemetry, sent as OTLP over HTTP. Loaded only where TRACES_URL is set.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node'
import type { Span, SpanAbout, SpanPlace, Spans } from '../lib/spans.js'
import { PROCESSING_VERSION, PROGRAM_NAME } from '../lib/version.js'

export interface TracesInput {
  /** Where a collector listens, with its path: `http://127.0.0.1:4318/v1/traces`. */
  url: string
  /** The part of traces that are kept, 0 to 1; a caller's own decision counts more. */
  ratio: number
  environment: string
  log: { warn(details: object, message: string): void }
}

/** Spans that wait to be sent; further ones are dropped. */
const WAITING = 4_096
const SEND_EACH_MS = 1_000
const SEND_MS = 5_000
const CLOSE_MS = 2_000
/** A collector that is away is told of so often. */
const TOLD_EACH_MS = 60_000

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT }
const PROPAGATOR = new W3CTraceContextPropagator()

export function startTraces(input: TracesInput): Spans {
  tellFaults(input.log)
  const ids = new Ids()
  const provider = new NodeTracerProvider({
    idGenerator: ids,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(input.ratio) }),
    resource: resourceFromAttributes({
      'service.name': PROGRAM_NAME,
      'service.version': PROCESSING_VERSION,
      'deployment.environment.name': input.environment,
    }),
    spanProcessors: [
      new BatchSpanProcessor(new OTLPTraceExporter({ url: input.url, timeoutMillis: SEND_MS }), {
        maxQueueSize: WAITING,
        scheduledDelayMillis: SEND_EACH_MS,
        exportTimeoutMillis: SEND_MS,
      }),
    ],
  })
  return new SdkSpans(provider, ids)
}

/** The trace of a call has the id that its refusal and the log name. */
class Ids extends RandomIdGenerator {
  private next: string | undefined
  private readonly random = this.generateTraceId

  constructor() {
    super()
    this.generateTraceId = () => {
      const id = this.next ?? this.random()
      this.next = undefined
      return id
    }
  }

  /** The trace that begins while `work` runs has this id. */
  with<T>(traceId: string | undefined, work: () => T): T {
    this.next = traceId
    try {
      return work()
    } finally {
      this.next = undefined
    }
  }
}

class SdkSpans implements Spans {
  private readonly places = new AsyncLocalStorage<Context>()
  /** Of places without anything above them: the trace that begins there. */
  private readonly roots = new WeakMap<SpanPlace, string>()
  private readonly tracer

  constructor(
    private readonly provider: NodeTracerProvider,
    private readonly ids: Ids,
  ) {
    this.tracer = provider.getTracer(PROGRAM_NAME)
  }

  begin({ name, kind, values = {}, below, because = [], began }: SpanAbout): Span {
    const above = (below as Context | undefined) ?? this.places.getStore() ?? ROOT_CONTEXT
    const links = because.flatMap((place) => trace.getSpanContext(place as Context) ?? [])
    const span = this.ids.with(this.roots.get(above), () =>
      this.tracer.startSpan(
        name,
        {
          ...{ kind: kind === undefined ? SpanKind.INTERNAL : KINDS[kind], attributes: values },
          links: links.map((context) => ({ context })),
          ...(began === undefined ? {} : { startTime: began }),
        },
        above,
      ),
    )
    return new OpenSpan(span, trace.setSpan(above, span), this.places)
  }

  here(): SpanPlace | undefined {
    return this.places.getStore()
  }

  from(headers: Readonly<Record<string, unknown>>): SpanPlace | undefined {
    const context = PROPAGATOR.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
    return context === ROOT_CONTEXT ? undefined : context
  }

  traceOf(place: SpanPlace): string {
    return trace.getSpanContext(place as Context)?.traceId ?? ''
  }

  root(traceId: string): SpanPlace {
    // a context of its own: ROOT_CONTEXT is everybody's
    const place = ROOT_CONTEXT.setValue(Symbol('root'), true)
    this.roots.set(place, traceId)
    return place
  }

  headers(): Record<string, string> {
    const carried: Record<string, string> = {}
    PROPAGATOR.inject(this.places.getStore() ?? ROOT_CONTEXT, carried, defaultTextMapSetter)
    return carried
  }

  async close(): Promise<void> {
    const closed = this.provider.shutdown()
    await Promise.race([Promise.allSettled([closed]), sleep(CLOSE_MS, undefined, { ref: false })])
  }
}

class OpenSpan implements Span {
  constructor(
    private readonly span: SdkSpan,
    private readonly context: Context,
    private readonly places: AsyncLocalStorage<Context>,
  ) {}

  note(values: Parameters<Span['note']>[0]): void {
    this.span.setAttributes(values)
  }

  rename(name: string): void {
    this.span.updateName(name)
  }

  inside<T>(work: () => T): T {
    return this.places.run(this.context, work)
  }

  /** Of an error only its kind: its text may name what is nobody's business. */
  end(error?: unknown): void {
    if (error !== undefined) {
      this.span.setStatus({ code: SpanStatusCode.ERROR })
      this.span.setAttribute('error.type', kindOf(error))
    }
    this.span.end()
  }
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

function tellFaults(log: TracesInput['log']): void {
  let last = Number.NEGATIVE_INFINITY
  setGlobalErrorHandler((err) => {
    if (performance.now() - last < TOLD_EACH_MS) return
    last = performance.now()
    log.warn({ err }, 'traces could not be sent')
  })
}
