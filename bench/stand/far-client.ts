// A client in a thread of its own: what it does is no work of the thread that is watched.
import { Worker } from 'node:worker_threads'

export interface FarCall {
  url: string
  method: string
  headers: Record<string, string>
  body: Buffer
}

export interface FarReply {
  /** Of gRPC its own status, 0 for success. */
  status: number
  text: string
}

export interface FarClient {
  /** Calls run beside each other. Rejects where no answer comes. */
  send(call: FarCall): Promise<FarReply>
  close(): Promise<unknown>
}

/** Plain JavaScript: the thread has no loader for anything else. */
const CODE = `
const { parentPort } = require('node:worker_threads')
const http = require('node:http')
const http2 = require('node:http2')
const told = (id) => (answer) => parentPort.postMessage({ id, ...answer })
function plain({ url, method, headers, body }, tell) {
  const call = http.request(url, { method, headers }, (reply) => {
    const parts = []
    reply.on('data', (part) => parts.push(part))
    reply.on('end', () => tell({ status: reply.statusCode, text: Buffer.concat(parts).toString() }))
  })
  call.on('error', (error) => tell({ error: String(error) }))
  call.end(body)
}
function grpc({ url, headers, body }, tell) {
  const { origin, pathname } = new URL(url)
  const session = http2.connect(origin)
  session.on('error', (error) => tell({ error: String(error) }))
  const call = session.request({ ':method': 'POST', ':path': pathname, te: 'trailers', ...headers })
  let status = Number.NaN
  call.on('response', (head) => { status = Number(head['grpc-status'] ?? status) })
  call.on('trailers', (tail) => { status = Number(tail['grpc-status']) })
  call.on('error', (error) => tell({ error: String(error) }))
  call.on('data', () => undefined)
  call.on('end', () => { session.close(); tell({ status, text: '' }) })
  call.end(body)
}
parentPort.on('message', ({ id, call }) => {
  call.body = Buffer.from(call.body)
  const send = call.headers['content-type'] === 'application/grpc' ? grpc : plain
  send(call, told(id))
})`

type Answer = { id: number } & (FarReply | { error: string })

export function openFarClient(): FarClient {
  const worker = new Worker(CODE, { eval: true })
  const waiting = new Map<number, (answer: Answer) => void>()
  worker.on('message', (answer: Answer) => waiting.get(answer.id)?.(answer))
  let last = 0
  return {
    send: async (call) => {
      last += 1
      const id = last
      const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve))
      worker.postMessage({ id, call })
      const answer = await answered
      waiting.delete(id)
      if ('error' in answer) throw new Error(`${call.method} ${call.url}: ${answer.error}`)
      return answer
    },
    close: () => worker.terminate(),
  }
}
