// Streams of HTTP/2 as no client of gRPC would open them.
import * as http2 from 'node:http2'

const PATH = '/fiskaltrust.ifPOS.v1.POS/'

export interface Ended {
  status: number
  text: string
  /** Of HTTP. */
  http: number
}

export interface RawStream {
  stream: http2.ClientHttp2Stream
  /** How the server ended it; status -1: without a word. */
  ended: Promise<Ended>
}

export function connect(address: string): http2.ClientHttp2Session {
  const session = http2.connect(`http://${address}`)
  // a connection that is closed is what some tests wait for
  session.on('error', () => session.destroy())
  return session
}

/** A stream with its headers sent and nothing else. */
export function open(
  session: http2.ClientHttp2Session,
  name: string,
  headers: Record<string, string> = {},
): RawStream {
  const stream = session.request({
    ':method': 'POST',
    ':path': PATH + name,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...headers,
  })
  const told: Ended = { status: -1, text: '', http: 0 }
  const ended = new Promise<Ended>((resolve) => {
    const read = (from: http2.IncomingHttpHeaders) => {
      told.http = Number(from[':status'] ?? told.http)
      if (from['grpc-status'] === undefined) return
      told.status = Number(from['grpc-status'])
      told.text = decodeURI(String(from['grpc-message'] ?? ''))
      // the stream itself goes on as long as its client likes
      resolve(told)
    }
    stream.on('response', read)
    stream.on('trailers', read)
    stream.on('error', () => resolve(told))
    stream.on('close', () => resolve(told))
  })
  return { stream, ended }
}

/** Bytes behind the five that tell their length, or another length. */
export function frame(bytes: Buffer, length = bytes.length, compressed = 0): Buffer {
  const start = Buffer.alloc(5)
  start[0] = compressed
  start.writeUInt32BE(length, 1)
  return Buffer.concat([start, bytes])
}

/** One whole call. */
export function send(
  session: http2.ClientHttp2Session,
  name: string,
  { body, headers = {} }: { body: Buffer; headers?: Record<string, string> },
): Promise<Ended> {
  const { stream, ended } = open(session, name, headers)
  stream.resume()
  stream.end(body)
  return ended
}
