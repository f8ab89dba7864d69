// The HTTP side of a simulated service: bodies with a limit, answers in JSON or piece by piece, and
// the faults that concern the line.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Fault, Refused, type Watched } from './script.js'

export interface DoorCall {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: Buffer
}

export interface DoorAnswer {
  status: number
  json?: unknown
  bytes?: Iterable<Buffer>
}

export interface Door {
  watched: Watched
  mostBytes: number
  /** Name of a call for scripts and the journal. */
  nameOf(call: DoorCall): string
  /** Throws Refused. */
  answer(call: DoorCall, fault: Fault | undefined): DoorAnswer
  /** The body that tells of a refusal. */
  refusal(refused: Refused): unknown
  /** What lives in memory only is gone. */
  restart(): void
  /** Before a call is answered: what it has changed is kept. */
  keep?: (() => void) | undefined
}

export interface Listening {
  port: number
  close(): Promise<void>
}

export async function listenHttp(door: Door, port: number, host = '127.0.0.1'): Promise<Listening> {
  const server = createServer((request, response) => {
    void serve(door, request, response)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return { port: portOf(server), close: () => closed(server) }
}

export function portOf(server: Pick<Server, 'address'>): number {
  const address = server.address()
  if (typeof address === 'object' && address !== null) return address.port
  throw new Error('the simulator listens on no port')
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => {
    server.close(() => resolve())
  })
}

async function serve(door: Door, request: IncomingMessage, response: ServerResponse) {
  try {
    const body = await bodyOf(request, door.mostBytes)
    const { method = 'GET', headers } = request
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://simulator')
    await go(door, { method, headers, path, query, body }, response)
  } catch {
    response.destroy()
  }
}

async function go(door: Door, call: DoorCall, response: ServerResponse): Promise<void> {
  const fault = door.watched.called(door.nameOf(call))
  if (fault?.do === 'restart') door.restart()
  if (fault?.do === 'request-lost') return void response.destroy()
  const answer = answerOf(door, call, fault)
  door.keep?.()
  if (fault?.do === 'slow') await sleep(fault.ms)
  if (fault?.do === 'answer-lost') return void response.destroy()
  await write(response, answer, fault?.do === 'half-answer')
}

interface Told extends DoorAnswer {
  retryAfter?: number | undefined
}

function answerOf(door: Door, call: DoorCall, fault: Fault | undefined): Told {
  try {
    if (fault?.do === 'refuse') throw new Refused(fault.code, fault.status)
    if (call.body.length > door.mostBytes) throw new Refused('E_PAYLOAD_TOO_LARGE', 413)
    return door.answer(call, fault)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const { status, retryAfter } = error
    return { status, json: door.refusal(error), retryAfter }
  }
}

async function write(response: ServerResponse, told: Told, half: boolean): Promise<void> {
  const retry = told.retryAfter === undefined ? {} : { 'retry-after': String(told.retryAfter) }
  if (told.bytes !== undefined) {
    response.writeHead(told.status, { 'content-type': 'application/x-tar', ...retry })
    for (const piece of told.bytes) {
      if (response.destroyed) return
      if (!response.write(piece)) await drained(response)
      if (half) return void response.destroy()
    }
    return void response.end()
  }
  const text = Buffer.from(JSON.stringify(told.json ?? {}))
  const type = { 'content-type': 'application/json', ...retry }
  response.writeHead(told.status, { ...type, 'content-length': text.length })
  if (!half) return void response.end(text)
  response.write(text.subarray(0, text.length >> 1), () => response.destroy())
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      response.off('drain', go)
      response.off('close', go)
      resolve()
    }
    response.on('drain', go)
    response.on('close', go)
  })
}

/** One byte more than the limit at most. */
async function bodyOf(request: IncomingMessage, most: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request) {
    const bytes: Buffer = part
    if (length <= most) parts.push(bytes)
    length += bytes.length
  }
  return Buffer.concat(parts)
}
