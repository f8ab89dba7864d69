// The line of a simulated signing service: what was called, what was wrong with it, and what a test
// wants to go wrong: lost requests, answers lost after the work, slow and half ones.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Called {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface Answered {
  status: number
  json?: unknown
  bytes?: Buffer
  headers?: Record<string, string>
}

/** What goes wrong with a call. `lost`: nothing was done; `answer-lost`, `half`: all of it was. */
export type LineFault =
  | 'lost'
  | 'answer-lost'
  | 'half'
  | 'slow'
  | 'error'
  | 'foreign'
  | 'busy'
  | 'restart'

export interface Step {
  /** Part of the address: `Sign/Hash`; '': any call. */
  call: string
  fault: LineFault
  /** Calls of this name that pass before it. */
  after?: number
  times?: number
  /** Of `slow`. */
  ms?: number
}

export class Line {
  readonly calls: string[] = []
  /** What no correct driver sends. */
  readonly offences: string[] = []
  private steps: Required<Step>[] = []

  script(...steps: Step[]): void {
    this.steps.push(...steps.map((one) => ({ after: 0, times: 1, ms: 0, ...one })))
  }

  clear(): void {
    this.steps = []
  }

  next(path: string): Required<Step> | undefined {
    const found = this.steps.find(({ call }) => path.includes(call))
    if (found === undefined) return undefined
    found.after -= 1
    if (found.after >= 0) return undefined
    found.times -= 1
    if (found.times <= 0) this.steps = this.steps.filter((one) => one !== found)
    return found
  }
}

export interface Listening {
  port: number
  url: string
  close(): Promise<void>
}

export interface Door {
  line: Line
  /** `isForeign`: signed by another key. */
  answer(called: Called, isForeign: boolean): Answered
  /** What lives in memory only is gone. */
  restart(): void
  /** Before a call is answered: what it has changed is kept. */
  keep(): void
}

const MOST_BYTES = 64 * 1024

export async function listen(door: Door, port = 0): Promise<Listening> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    let length = 0
    request.on('data', (part: Buffer) => {
      length += part.length
      if (length > MOST_BYTES) request.destroy()
      else parts.push(part)
    })
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      void go(door, { method, path, headers, body: Buffer.concat(parts) }, response)
    })
  })
  await new Promise<void>((done, failed) => {
    server.once('error', failed)
    server.listen(port, '127.0.0.1', done)
  })
  const { port: open } = server.address() as AddressInfo
  return {
    port: open,
    url: `http://127.0.0.1:${open}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

async function go(door: Door, called: Called, response: ServerResponse): Promise<void> {
  const { line } = door
  line.calls.push(`${called.method} ${called.path}`)
  const step = line.next(called.path)
  if (step?.fault === 'lost') return void response.destroy()
  if (step?.fault === 'restart') door.restart()
  if (step?.fault === 'error') return write(response, { status: 500 })
  if (step?.fault === 'busy') {
    return write(response, { status: 503, headers: { 'retry-after': '1' } })
  }
  const answer = door.answer(called, step?.fault === 'foreign')
  door.keep()
  if (step?.fault === 'slow') await sleep(step.ms, undefined, { ref: false })
  if (step?.fault === 'answer-lost') return void response.destroy()
  write(response, answer, step?.fault === 'half')
}

function write(response: ServerResponse, answer: Answered, half = false): void {
  const { status, json, headers = {} } = answer
  const body = answer.bytes ?? Buffer.from(json === undefined ? '' : JSON.stringify(json))
  const type = answer.bytes === undefined ? 'application/json' : 'application/octet-stream'
  response.writeHead(status, { ...headers, 'content-type': type, 'content-length': body.length })
  if (!half) return void response.end(body)
  response.write(body.subarray(0, body.length / 2), () => response.destroy())
}
