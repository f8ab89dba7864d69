// Calls of gRPC from a process of its own, over plain sockets: frames of HTTP/2 that are made
// before they are needed, and of an answer no more is read than whether it has a message and where
// it ends. A library for HTTP/2 would take as much of the machine as the server that is measured.
import { connect, type Socket } from 'node:net'
import { createHistogram, performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { NUMBER_MARK, numbered } from '../stand/receipt.js'
import { runForked } from './forked.js'
import type { LoadResult } from './load.js'

const SELF = fileURLToPath(import.meta.url)
const TIMEOUT_MS = 30_000
const MICROS = 1000

/** One kind of call; NUMBER_MARK in the message becomes the number of the call. */
export interface GrpcTarget {
  metadata: Record<string, string>
  /** The bytes in Base64. */
  message: string
}

export interface GrpcLoad {
  /** `http://127.0.0.1:1400` */
  url: string
  path: string
  targets: GrpcTarget[]
  /** Connections, and calls at a time on each. */
  connections: number
  streams: number
  seconds: number
}

export const runGrpc = (load: GrpcLoad): Promise<LoadResult> => runForked(SELF, load)

// ----------------------------------------------------------------------------- frames (RFC 9113)

const DATA = 0
const HEADERS = 1
const RST_STREAM = 3
const SETTINGS = 4
const PING = 6
const GOAWAY = 7
const WINDOW_UPDATE = 8
const CONTINUATION = 9

/** Of DATA and HEADERS; of SETTINGS and PING the same bit says that it answers one. */
const END_STREAM = 1
const ACK = 1
const END_HEADERS = 4

const FRAME_HEAD = 9
const MOST_OF_A_FRAME = 16_384
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'
const FIRST_WINDOW = 65_535
const LARGEST_WINDOW = 0x7fff_ffff
/** The window of a connection is opened anew behind so many bytes. */
const HALF_A_WINDOW = 2 ** 30

interface Frame {
  type: number
  flags?: number
  stream?: number
  content: Buffer
}

function frameOf({ type, flags = 0, stream = 0, content }: Frame): Buffer {
  const head = Buffer.alloc(FRAME_HEAD)
  if (content.length > MOST_OF_A_FRAME) throw new Error('larger than a frame')
  head.writeUIntBE(content.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, content])
}

function numberOf(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const opened = (bytes: number): Buffer => frameOf({ type: WINDOW_UPDATE, content: numberOf(bytes) })

/** No pushes, and streams without a limit. */
const OWN_SETTINGS = Buffer.concat([
  ...[Buffer.from([0, 2]), numberOf(0)],
  ...[Buffer.from([0, 4]), numberOf(LARGEST_WINDOW)],
])
const GREETING = Buffer.concat([
  Buffer.from(PREFACE),
  frameOf({ type: SETTINGS, content: OWN_SETTINGS }),
  opened(LARGEST_WINDOW - FIRST_WINDOW),
])

/** A header as HPACK (RFC 7541, 6.2.2) writes it without table and Huffman code. */
function literal([name, value]: [string, string]): Buffer {
  const texts = [name, value].flatMap((text) => [lengthOf(Buffer.byteLength(text)), text])
  return Buffer.concat([Buffer.from([0]), ...texts.map((text) => Buffer.from(text))])
}

/** An integer with a prefix of seven bits (RFC 7541, 5.1). */
function lengthOf(length: number): Buffer {
  if (length < 127) return Buffer.from([length])
  const bytes = [127]
  let rest = length - 127
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  return Buffer.from([...bytes, rest])
}

/** A call as it leaves, and where its stream and the digits of its number stand. */
interface Template {
  bytes: Buffer
  streams: number[]
  mark: number
  /** What it takes of the window of its connection. */
  size: number
}

function templateOf({ metadata, message }: GrpcTarget, { url, path }: GrpcLoad): Template {
  const fields = {
    ':method': 'POST',
    ':scheme': 'http',
    ':authority': new URL(url).host,
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...metadata,
  }
  const content = Buffer.concat(Object.entries(fields).map(literal))
  const bytes = Buffer.from(message, 'base64')
  const data = Buffer.concat([Buffer.from([0]), numberOf(bytes.length), bytes])
  const head = frameOf({ type: HEADERS, flags: END_HEADERS, content })
  const whole = Buffer.concat([head, frameOf({ type: DATA, flags: END_STREAM, content: data })])
  return {
    bytes: whole,
    streams: [5, head.length + 5],
    mark: whole.indexOf(NUMBER_MARK, head.length),
    size: data.length,
  }
}

// ------------------------------------------------------------------------------------------- load

interface Run {
  url: URL
  templates: Template[]
  sent: number
  answered: number
  /** By the clock of `performance`. */
  until: number
  waits: ReturnType<typeof createHistogram>
}

/** A call that waits for its answer. */
interface Open {
  began: number
  /** Bytes of the message that have come. */
  received: number
}

/** One connection: as many calls at a time as it has streams. */
class Connection {
  readonly over: Promise<void>
  private readonly socket: Socket
  private readonly open = new Map<number, Open>()
  private seen: Buffer = Buffer.alloc(0)
  private next = 1
  private mayLeave = FIRST_WINDOW
  private taken = 0
  private end: () => void = () => undefined

  constructor(
    private readonly run: Run,
    streams: number,
  ) {
    const { hostname: host, port } = run.url
    this.socket = connect({ host, port: Number(port), noDelay: true })
    this.over = new Promise((resolve, reject) => {
      this.end = resolve
      this.socket.once('error', reject)
      this.socket.once('close', () => reject(new Error('the server closed a connection')))
    })
    this.socket.setTimeout(TIMEOUT_MS, () => this.break('an answer took too long'))
    this.socket.once('connect', () => {
      this.socket.write(GREETING)
      for (let count = 0; count < streams; count += 1) this.ask()
    })
    this.socket.on('data', (bytes) => this.read(bytes))
  }

  private break(why: string): void {
    this.socket.destroy(new Error(why))
  }

  private ask(): void {
    const template = this.run.templates[this.run.sent % this.run.templates.length]
    if (template === undefined) this.break('no target')
    else if (template.size > this.mayLeave) this.break('the server takes no more')
    else this.send(template)
  }

  private send(template: Template): void {
    const { run, next } = this
    run.sent += 1
    this.mayLeave -= template.size
    const bytes = Buffer.from(template.bytes)
    for (const at of template.streams) bytes.writeUInt32BE(next, at)
    const { mark } = template
    if (mark >= 0) bytes.write(numbered(NUMBER_MARK, run.sent), mark, 'latin1')
    this.open.set(next, { began: performance.now(), received: 0 })
    this.next = next + 2
    this.socket.write(bytes)
  }

  private read(bytes: Buffer): void {
    this.seen = this.seen.length === 0 ? bytes : Buffer.concat([this.seen, bytes])
    let at = 0
    while (this.seen.length - at >= FRAME_HEAD) {
      const end = at + FRAME_HEAD + this.seen.readUIntBE(at, 3)
      if (end > this.seen.length) break
      this.take({
        type: this.seen[at + 3] ?? 0,
        flags: this.seen[at + 4] ?? 0,
        stream: this.seen.readUInt32BE(at + 5),
        content: this.seen.subarray(at + FRAME_HEAD, end),
      })
      at = end
    }
    this.seen = this.seen.subarray(at)
  }

  private take({ type, flags, stream, content }: Required<Frame>): void {
    if (type === DATA) this.received(stream, content.length)
    else if (type === WINDOW_UPDATE && stream === 0) this.mayLeave += content.readUInt32BE(0)
    else if (type === SETTINGS || type === PING) this.confirm(type, { flags, content })
    else if (type === RST_STREAM || type === GOAWAY || type === CONTINUATION) {
      this.break(`the server sent a frame of type ${type}: ${content.toString('latin1')}`)
    }
    if ((type === DATA || type === HEADERS) && (flags & END_STREAM) !== 0) this.answered(stream)
  }

  private confirm(type: number, { flags, content }: { flags: number; content: Buffer }): void {
    if ((flags & ACK) !== 0) return
    const answer = type === PING ? content : Buffer.alloc(0)
    this.socket.write(frameOf({ type, flags: ACK, content: answer }))
  }

  private received(stream: number, bytes: number): void {
    const call = this.open.get(stream)
    if (call !== undefined) call.received += bytes
    this.taken += bytes
    if (this.taken < HALF_A_WINDOW) return
    this.socket.write(opened(this.taken))
    this.taken = 0
  }

  /** A call that is refused ends without a message: it has nothing but headers. */
  private answered(stream: number): void {
    const call = this.open.get(stream)
    if (call === undefined || call.received === 0) {
      this.break('a call was refused')
      return
    }
    this.open.delete(stream)
    const now = performance.now()
    this.run.waits.record(Math.max(1, Math.round((now - call.began) * MICROS)))
    this.run.answered += 1
    if (now < this.run.until) this.ask()
    else if (this.open.size === 0) {
      this.end()
      this.socket.destroy()
    }
  }
}

async function fire(load: GrpcLoad): Promise<LoadResult> {
  const start = performance.now()
  const run: Run = {
    url: new URL(load.url),
    templates: load.targets.map((target) => templateOf(target, load)),
    sent: 0,
    answered: 0,
    until: start + load.seconds * 1000,
    waits: createHistogram(),
  }
  const connections = Array.from(
    { length: load.connections },
    () => new Connection(run, load.streams),
  )
  await Promise.all(connections.map(({ over }) => over))
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
    fire(load as GrpcLoad)
      .then(
        (result) => process.send?.({ result }),
        (error: Error) => process.send?.({ fault: error.message }),
      )
      .finally(() => process.disconnect())
  })
}
