// The one way to call the server: builds the request from the table of operations, sends it, and
// notes it for the drawer. Secrets are never part of what is noted.
import { OPERATIONS } from '../generated/operations.js'
import { FormFile } from './form-file.js'
import { readJson, writeJson } from './json.js'
import type { Input, OperationId, Result } from './types.js'

/** A call that was made, as the drawer shows it. */
export interface NotedCall {
  number: number
  /** Undefined: it belongs to an interface of cash registers. */
  operationId: OperationId | undefined
  method: string
  /** As programs call it, without the address of the server. */
  address: string
  body: unknown
  /** Besides those of the account; a `$` stands before a variable. */
  headers?: Record<string, string>
  status: number | null
  ms: number | null
  answer: string
  traceId: string
  at: Date
}

export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly traceId: string
  /** Member to texts. */
  readonly faults: Readonly<Record<string, readonly string[]>>
  /** The whole answer. */
  readonly told: Readonly<Record<string, unknown>>

  constructor(status: number, told: Told, fallback: string) {
    super(told.detail ?? told.Message ?? fallback)
    this.status = status
    this.code = told.code ?? told.Code ?? ''
    this.traceId = told.traceId ?? told.TraceId ?? ''
    this.faults = told.errors ?? {}
    this.told = { ...told }
  }
}

interface Told {
  detail?: string | null
  Message?: string
  code?: string
  Code?: string
  traceId?: string
  TraceId?: string
  errors?: Record<string, string[]>
}

interface Known {
  csrf: string
  accountId: string | undefined
  /** Undefined: as the browser says it. */
  language: string | undefined
}

const known: Known = { csrf: '', accountId: undefined, language: undefined }
const MOST_NOTED = 20
const LONGEST_ANSWER = 100_000
/** Shown in no list: what they carry is secret. */
const SECRET: ReadonlySet<string> = new Set(
  Object.entries(OPERATIONS).flatMap(([id, { group }]) => (group === 'session' ? [id] : [])),
)
const MOUNTS = { dealer: '/portal/api', platform: '/portal/platform', session: '/portal/session' }
/** Where programs find the same. */
const PUBLIC = { dealer: '/api', platform: '/platform/v1', session: '/portal/session' }

let noted: readonly NotedCall[] = []
let count = 0
const listeners = new Set<() => void>()

export const calls = {
  list: (): readonly NotedCall[] => noted,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}

/** What every call brings along. */
export function speakAs(change: Partial<Known>): void {
  Object.assign(known, change)
}

function note(call: NotedCall): void {
  if (call.operationId !== undefined && SECRET.has(call.operationId)) return
  noted = [call, ...noted.filter(({ number }) => number !== call.number)].slice(0, MOST_NOTED)
  for (const listener of listeners) listener()
}

/** A call of another interface; what is returned takes its answer. */
export function noteCall(call: Pick<NotedCall, 'method' | 'address' | 'body' | 'headers'>) {
  count += 1
  const begun = performance.now()
  const one = { ...call, operationId: undefined, number: count, traceId: '', at: new Date() }
  note({ ...one, status: null, ms: null, answer: '' })
  return (came: Pick<NotedCall, 'status' | 'answer'>) =>
    note({ ...one, ...came, ms: Math.round(performance.now() - begun) })
}

interface Wish {
  path?: Record<string, unknown> | undefined
  query?: Record<string, unknown> | undefined
  body?: unknown
  /** The call is done once under it, however often it is sent. */
  key?: string | undefined
}

/** `/posoperators/8f…/outlets?search=x` */
export function addressOf(id: OperationId, { path = {}, query = {} }: Wish): string {
  const filled = OPERATIONS[id].path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(path[name] ?? '')),
  )
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  )
  const text = new URLSearchParams(given).toString()
  return text === '' ? filled : `${filled}?${text}`
}

/** Of a download: the browser opens it by itself. */
export function linkOf(id: OperationId, wish: Wish): string {
  return MOUNTS[OPERATIONS[id].group] + addressOf(id, wish)
}

export function publicAddressOf(id: OperationId, wish: Wish): string {
  return PUBLIC[OPERATIONS[id].group] + addressOf(id, wish)
}

/** Throws ApiError for what is refused, and for a server that does not answer (status 0). */
export async function call<K extends OperationId>(id: K, input: Input<K>): Promise<Result<K>> {
  return (await send(id, input as Wish)) as Result<K>
}

/** The same, done once under its key: what was answered is answered again. Throws as `call`. */
export async function callOnce<K extends OperationId>(
  id: K,
  input: Input<K>,
  key: string,
): Promise<Result<K>> {
  return (await send(id, { ...(input as Wish), key })) as Result<K>
}

/** The same for an operation that is only known while the page runs. */
export function send(id: OperationId, wish: Wish): Promise<unknown> {
  return exchange(id, wish, () => undefined)
}

async function exchange(
  id: OperationId,
  wish: Wish,
  onAnswer: (answer: Response) => void,
): Promise<unknown> {
  const { method, group } = OPERATIONS[id]
  count += 1
  const begun = performance.now()
  const one: NotedCall = {
    ...{ number: count, operationId: id, method, address: publicAddressOf(id, wish) },
    ...{
      body: shownOf(wish.body),
      status: null,
      ms: null,
      answer: '',
      traceId: '',
      at: new Date(),
    },
  }
  note(one)
  const answer = await answerOf(MOUNTS[group] + addressOf(id, wish), method, wish)
  const text = await answer.text().catch(() => '')
  const ms = Math.round(performance.now() - begun)
  const told = read(answer, text)
  note({
    ...one,
    ...{ status: answer.status, ms, answer: text.slice(0, LONGEST_ANSWER) },
    traceId: traceOf(told),
  })
  if (answer.ok) {
    onAnswer(answer)
    return told
  }
  const error = new ApiError(answer.status, (told ?? {}) as Told, answer.statusText)
  // the frame listens: a session may have ended, or gone on to another account
  dispatchEvent(new CustomEvent('api-error', { detail: error }))
  throw error
}

/** One page of a list that names the next one in its head. Throws as `call`. */
export async function callPage<K extends OperationId>(
  id: K,
  input: Input<K>,
): Promise<{ items: Result<K>; next: string | null }> {
  let next: string | null = null
  const items = await exchange(id, input as Wish, (answer) => {
    next = nextIn(answer.headers.get('link'))
  })
  return { items: items as Result<K>, next }
}

function nextIn(link: string | null): string | null {
  const [, address] = /<([^>]+)>;\s*rel="next"/.exec(link ?? '') ?? []
  return address === undefined ? null : new URL(address, location.origin).searchParams.get('after')
}

/** A file in the one part of a form that the operation reads. Throws as `call`. */
export function upload(
  id: OperationId,
  file: File,
  { query }: Pick<Wish, 'query'> = {},
): Promise<unknown> {
  const form = new FormData()
  form.set('file', file)
  return exchange(id, { query, body: form }, () => undefined)
}

/** A picture or a file that a call makes. Throws as `call`. */
export async function fetchFile(id: OperationId, wish: Wish): Promise<Blob> {
  const { method, group } = OPERATIONS[id]
  const noted = { method, address: publicAddressOf(id, wish), body: wish.body }
  const done = noteCall(noted)
  const answer = await answerOf(MOUNTS[group] + addressOf(id, wish), method, wish)
  done({ status: answer.status, answer: '' })
  if (answer.ok) return answer.blob()
  throw new ApiError(answer.status, (read(answer, await answer.text()) ?? {}) as Told, '')
}

/** A form with a file is shown by the name of the file. */
function shownOf(body: unknown): unknown {
  const file = body instanceof FormData ? body.get('file') : undefined
  return file instanceof File ? new FormFile(file.name) : body
}

function traceOf(told: unknown): string {
  const { traceId, TraceId } = Object(told) as Told
  return traceId ?? TraceId ?? ''
}

function read(answer: Response, text: string): unknown {
  const isJson = (answer.headers.get('content-type') ?? '').includes('json')
  if (text === '') return undefined
  return isJson ? readJson(text) : text
}

/** What goes as it is: a form, or the text of a template or a table. */
const isSent = (body: unknown): body is FormData | string =>
  body instanceof FormData || typeof body === 'string'

async function answerOf(
  address: string,
  method: string,
  { body, key }: Pick<Wish, 'body' | 'key'>,
): Promise<Response> {
  const { csrf, accountId, language } = known
  try {
    return await fetch(address, {
      method,
      headers: {
        ...(language === undefined ? {} : { 'accept-language': language }),
        ...(accountId === undefined ? {} : { 'x-account': accountId }),
        ...(method === 'GET' ? {} : { 'x-csrf-token': csrf }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(body === undefined || body instanceof FormData
          ? {}
          : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isSent(body) ? body : writeJson(body) }),
    })
  } catch {
    throw new ApiError(0, {}, '')
  }
}
