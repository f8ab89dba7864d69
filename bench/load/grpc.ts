// Calls of gRPC from a process of its own, over HTTP/2 by hand: a client that does as little as it
// can, so that the server is what is measured.
import * as http2 from 'node:http2'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { NUMBER_MARK, numbered } from '../stand/receipt.js'
import { runForked } from './forked.js'
import type { LoadResult } from './load.js'

const SELF = fileURLToPath(import.meta.url)

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

/** The message behind its five bytes of gRPC, and where the number stands. */
function framed({ metadata, message }: GrpcTarget, path: string) {
  const bytes = Buffer.from(message, 'base64')
  const frame = Buffer.alloc(5 + bytes.length)
  frame.writeUInt32BE(bytes.length, 1)
  bytes.copy(frame, 5)
  const headers = {
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...metadata,
  }
  return { headers, frame, mark: frame.indexOf(NUMBER_MARK) }
}

async function fire(load: GrpcLoad): Promise<LoadResult> {
  const targets = load.targets.map((target) => framed(target, load.path))
  const times: number[] = []
  let number = 0
  const from = performance.now()
  const until = from + load.seconds * 1000
  const one = (session: http2.ClientHttp2Session) =>
    new Promise<void>((resolve, reject) => {
      const target = targets[number % targets.length]
      if (target === undefined) return reject(new Error('no target'))
      number += 1
      const frame = Buffer.from(target.frame)
      if (target.mark >= 0) frame.write(numbered(NUMBER_MARK, number), target.mark, 'latin1')
      const began = performance.now()
      const stream = session.request(target.headers)
      let status: unknown
      stream.on('response', (headers) => {
        status = headers['grpc-status']
      })
      stream.on('trailers', (headers) => {
        status = headers['grpc-status']
      })
      stream.on('error', reject)
      stream.on('close', () => {
        times.push(performance.now() - began)
        if (status === '0') resolve()
        else reject(new Error(`a call ended with status ${String(status)}`))
      })
      stream.resume()
      stream.end(frame)
    })
  const sessions = Array.from({ length: load.connections }, () => http2.connect(load.url))
  await Promise.all(
    sessions.flatMap((session) =>
      Array.from({ length: load.streams }, async () => {
        while (performance.now() < until) await one(session)
      }),
    ),
  )
  const seconds = (performance.now() - from) / 1000
  for (const session of sessions) session.close()
  times.sort((a, b) => a - b)
  const at = (part: number) => times[Math.floor(times.length * part)] ?? Number.NaN
  return {
    requests: times.length,
    perSecond: times.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    resolutionMs: 0.001,
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
