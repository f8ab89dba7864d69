// Load over plain sockets from a process of its own, where wrk is not installed: requests are bytes
// that are made before they are needed, and of an answer no more is read than where it ends.
import { connect, type Socket } from 'node:net'
import { createHistogram, performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { NUMBER_MARK } from '../stand/receipt.js'
import { runForked } from './forked.js'
import type { Load, LoadResult, Target } from './load.js'

const SELF = fileURLToPath(import.meta.url)
const TIMEOUT_MS = 30_000
const MICROS = 1000

export const runSockets = (load: Load): Promise<LoadResult> => runForked(SELF, load)

/** The bytes of a request, and where the digits of its number stand. */
interface Template {
  bytes: Buffer
  marks: number[]
}

function templateOf(url: URL, { method = 'POST', path, headers, body }: Target): Template {
  const fields = { host: url.host, ...headers, 'content-length': Buffer.byteLength(body) }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  const bytes = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
  const marks: number[] = []
  let at = bytes.indexOf(NUMBER_MARK)
  while (at >= 0) {
    marks.push(at)
    at = bytes.indexOf(NUMBER_MARK, at + NUMBER_MARK.length)
  }
  return { bytes, marks }
}

function numberedBytes({ bytes, marks }: Template, number: number): Buffer {
  if (marks.length === 0) return bytes
  const copy = Buffer.from(bytes)
  const digits = String(number).padStart(NUMBER_MARK.length, '0')
  for (const at of marks) copy.write(digits, at, 'latin1')
  return copy
}

const HEAD_END = '\r\n\r\n'
const LENGTH = /\r\ncontent-length: *(\d+)/i

/** The length of the answer in front, undefined until its head is there. Throws for no success. */
function answerLength(seen: Buffer): number | undefined {
  const end = seen.indexOf(HEAD_END)
  if (end < 0) return undefined
  const head = seen.toString('latin1', 0, end)
  if (!/^HTTP\/1\.1 2/.test(head)) throw new Error(`answered ${head.split('\r\n')[0]}`)
  const length = LENGTH.exec(head)?.[1]
  if (length === undefined) throw new Error('an answer does not tell its length')
  return end + HEAD_END.length + Number(length)
}

interface Run {
  url: URL
  templates: Template[]
  /** How many targets on the next request goes. */
  step: number
  sent: number
  answered: number
  /** By the clock of `performance`. */
  until: number
  waits: ReturnType<typeof createHistogram>
}

/** One client: asks, waits for the whole answer, asks for the next target. */
function client(run: Run, first: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: run.url.hostname, port: Number(run.url.port), noDelay: true })
    let at = first
    let began = 0
    let seen: Buffer = Buffer.alloc(0)
    const ask = (): void => {
      const template = run.templates[at % run.templates.length]
      at += run.step
      if (template === undefined) return
      run.sent += 1
      const bytes = numberedBytes(template, run.sent)
      began = performance.now()
      socket.write(bytes)
    }
    const answered = (): void => {
      const now = performance.now()
      run.waits.record(Math.max(1, Math.round((now - began) * MICROS)))
      run.answered += 1
      if (now < run.until) ask()
      else end(socket, resolve)
    }
    socket.on('data', (bytes) => {
      seen = seen.length === 0 ? bytes : Buffer.concat([seen, bytes])
      try {
        const length = answerLength(seen)
        if (length === undefined || seen.length < length) return
        seen = seen.subarray(length)
        answered()
      } catch (error) {
        socket.destroy(error as Error)
      }
    })
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('an answer took too long')))
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the server closed a connection')))
    socket.once('connect', ask)
  })
}

function end(socket: Socket, resolve: () => void): void {
  resolve()
  socket.destroy()
}

/** In this process, which then answers nobody else in time. */
export async function fire({
  url,
  targets,
  clients,
  seconds,
  keepsTarget = false,
}: Load): Promise<LoadResult> {
  const address = new URL(url)
  const start = performance.now()
  const run: Run = {
    url: address,
    templates: targets.map((target) => templateOf(address, target)),
    step: keepsTarget ? 0 : 1,
    sent: 0,
    answered: 0,
    until: start + seconds * 1000,
    waits: createHistogram(),
  }
  await Promise.all(Array.from({ length: clients }, (_, first) => client(run, first)))
  return {
    requests: run.answered,
    perSecond: (run.answered / (performance.now() - start)) * 1000,
    p50Ms: run.waits.percentile(50) / MICROS,
    p99Ms: run.waits.percentile(99) / MICROS,
    resolutionMs: 1 / MICROS,
  }
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
