// A bad network between a client and its server: it loses the first answer to each address that it
// is told to, after the server has done its work.
import { createServer, type IncomingHttpHeaders, request as send } from 'node:http'

export interface Seen {
  path: string
  headers: IncomingHttpHeaders
}

export interface ForgetfulProxy {
  url: string
  /** Every call that came through, in order. */
  seen: Seen[]
  /** Of these addresses the next answer is lost, as often as they are named. */
  lose(...paths: string[]): void
  close(): Promise<void>
}

export async function forgetfulProxy(target: string): Promise<ForgetfulProxy> {
  const seen: Seen[] = []
  const losing: string[] = []
  const server = createServer((request, response) => {
    const { url: path = '', method, headers } = request
    seen.push({ path, headers })
    const at = losing.indexOf(path)
    const isLost = at >= 0
    if (isLost) losing.splice(at, 1)
    const onward = send(target + path, { method, headers, agent: false }, (answer) => {
      if (isLost) answer.resume().on('end', () => request.socket.destroy())
      else answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers))
    })
    onward.on('error', () => request.socket.destroy())
    request.pipe(onward)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    seen,
    lose: (...paths) => losing.push(...paths),
    close: () => {
      server.closeAllConnections()
      return new Promise((done) => server.close(() => done()))
    },
  }
}
