// One call: sent until its answer has arrived, as long as sending it again does no harm.
import { readJson, writeJson } from './json.js'
import { newId } from './new-id.js'
import type { AddressOf, AnswerOf, Method, OperationOf, OptionsOf } from './shape.js'

export interface Settings {
  /** Where the group is: `https://fiskal.example`. */
  url: string
  /** How often a call is sent that may be repeated: 6. */
  tries?: number
  /** How long one try waits for its answer: 60,000. */
  timeoutMs?: number
  /** How long it waits before the second try; twice that before the third one: 200. */
  pauseMs?: number
  fetch?: typeof fetch
}

/** How a group names its caller and its calls. */
export interface Group {
  headers: Record<string, string>
  /** Header with the id under which a call is executed once. */
  operation?: string
}

/** The server has answered, and said no. */
export class Refused extends Error {
  readonly status: number
  /** What the refusal is called; docs/errors.md explains it. */
  readonly code: string
  readonly body: unknown
  readonly operationId: string | undefined

  constructor(status: number, body: unknown, operationId?: string) {
    const { code, detail, message, title } = Object(body) as Record<string, unknown>
    super(`${status} ${detail ?? message ?? title ?? (body || 'without a reason')}`)
    this.name = 'Refused'
    this.status = status
    this.code = String(code ?? '')
    this.body = body
    this.operationId = operationId
  }
}

/** Nobody knows whether the call was executed: ask for it by this id, or send it again with it. */
export class Lost extends Error {
  readonly operationId: string | undefined

  constructor(cause: unknown, operationId?: string) {
    super('no answer has arrived', { cause })
    this.name = 'Lost'
    this.operationId = operationId
  }
}

/** Come back later: nothing was decided. */
const LATER = new Set([429, 502, 503, 504])
const LONGEST_PAUSE_MS = 10_000

interface AnyOptions {
  path?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  headers?: Record<string, string>
  operationId?: string
  once?: string
  signal?: AbortSignal
}

/** Optional where no member is needed. */
type Rest<O> =
  Record<string, never> extends OptionsOf<O> ? [options?: OptionsOf<O>] : [options: OptionsOf<O>]

type Call<Paths, M extends Method> = <A extends AddressOf<Paths, M>>(
  address: A,
  ...rest: Rest<OperationOf<Paths, A, M>>
) => Promise<AnswerOf<OperationOf<Paths, A, M>>>

export type Client<Paths> = { [M in Method]: Call<Paths, M> }

export function clientOf<Paths>(settings: Settings, group: Group): Client<Paths> {
  const call =
    (method: Method) =>
    (address: string, options: AnyOptions = {}) =>
      sent(settings, group, { ...options, method, address })
  const methods: readonly Method[] = ['get', 'post', 'put', 'patch', 'delete']
  return Object.fromEntries(methods.map((one) => [one, call(one)])) as unknown as Client<Paths>
}

type Sending = AnyOptions & { method: Method; address: string }

async function sent(settings: Settings, group: Group, call: Sending): Promise<unknown> {
  const { method, once, body, signal } = call
  const operationId = group.operation ? (call.operationId ?? newId()) : undefined
  const headers: Record<string, string> = {
    ...group.headers,
    ...(group.operation && operationId ? { [group.operation]: operationId } : {}),
    ...(once ? { 'idempotency-key': once } : {}),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...call.headers,
  }
  // the same bytes each time: they are what the server knows the call by
  const text = body === undefined ? null : writeJson(body)
  const init = { method: method.toUpperCase(), headers, body: text }
  const isSafe = method === 'get' || operationId !== undefined || once !== undefined
  const tries = isSafe ? (settings.tries ?? 6) : 1
  for (let left = tries - 1, pauseMs = settings.pauseMs ?? 200; ; left--, pauseMs *= 2) {
    signal?.throwIfAborted()
    let waitMs = pauseMs * (0.5 + Math.random())
    try {
      const answer = await tried(settings, call, init)
      if (!LATER.has(answer.status) || left <= 0) return result(answer, operationId)
      waitMs = Math.max(waitMs, 1000 * Number(answer.retryAfter ?? 0) || 0)
    } catch (error) {
      if (error instanceof Refused || signal?.aborted) throw error
      if (left <= 0) throw new Lost(error, operationId)
    }
    await new Promise((done) => setTimeout(done, Math.min(waitMs, LONGEST_PAUSE_MS)))
  }
}

interface Arrived {
  status: number
  type: string
  retryAfter: string | null
  text: string
}

/** Sends it, and reads the answer to its end: half of one has not arrived. */
async function tried(settings: Settings, call: Sending, init: RequestInit): Promise<Arrived> {
  // not AbortSignal.any: Node 20 forgets a signal of a time in it when memory is tidied up
  const ending = new AbortController()
  const end = () => ending.abort(call.signal?.reason)
  const timer = setTimeout(end, settings.timeoutMs ?? 60_000)
  call.signal?.addEventListener('abort', end)
  try {
    const { signal } = ending
    const given = { ...init, signal }
    const answer = await (settings.fetch ?? fetch)(addressOf(settings.url, call), given)
    const { status, headers } = answer
    const type = headers.get('content-type') ?? ''
    return { status, type, retryAfter: headers.get('retry-after'), text: await answer.text() }
  } finally {
    clearTimeout(timer)
    call.signal?.removeEventListener('abort', end)
  }
}

function addressOf(url: string, { address, path = {}, query = {} }: Sending): string {
  const filled = address.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(path[name])))
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one !== undefined) asked.append(name, String(one))
  }
  return `${url.replace(/\/+$/, '')}${filled}${asked.size > 0 ? `?${asked}` : ''}`
}

function result({ status, type, text }: Arrived, operationId?: string): unknown {
  const isJson = /\bjson\b/.test(type) && text !== ''
  const body = isJson ? readJson(text) : text
  if (status >= 400) throw new Refused(status, body, operationId)
  return text === '' ? undefined : body
}
