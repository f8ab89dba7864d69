// The ports of several processes: connections are accepted here and handed on. Nothing of them is
// read but, at the port of HTTP, the bytes that say whose they are.
import { createServer, type Socket, type Server as TcpServer } from 'node:net'
import type { Handed } from './child.js'
import { cashBoxIn } from './chosen.js'

/** Until the first byte of a connection, and until a process takes it. */
const SILENT_MS = 72_000
/** Open in this process, and not yet handed on. */
const MOST_WAITING = 10_000
const NOTHING = new Uint8Array()

/** Of HTTP: whose a connection is says its first call. */
export function httpFront(door: string, hand: (one: Handed) => void): TcpServer {
  return front((socket) => {
    socket.once('data', (head: Buffer) => {
      // what comes behind it is for the process that gets the connection
      stopReading(socket)
      hand({ socket, head, door, whose: cashBoxIn(head) })
    })
    socket.resume()
  })
}

/** Of any other: all of them are somebody's, or nobody's. */
export function plainFront(
  { door, whose }: { door: string; whose: string | undefined },
  hand: (one: Handed) => void,
): TcpServer {
  return front((socket) => hand({ socket, head: NOTHING, door, whose }))
}

function front(accept: (socket: Socket) => void): TcpServer {
  const tcp = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    socket.setTimeout(SILENT_MS, () => socket.destroy())
    socket.on('error', () => socket.destroy())
    accept(socket)
  })
  tcp.maxConnections = MOST_WAITING
  return tcp
}

/** Node has no public way; pause() stops the stream, and not the reading of the system. */
function stopReading(socket: Socket): void {
  const handle: unknown = Reflect.get(socket, '_handle')
  const stop: unknown = Reflect.get(Object(handle), 'readStop')
  if (typeof stop === 'function') stop.call(handle)
  socket.pause()
}
