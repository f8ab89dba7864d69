// A server in a process of its own, two dealers, and uploads that break off at a given byte. Used
// by the tests of uploads.
import { connect } from 'node:net'
import { type AccountAccess, createAccount } from '../../src/core/onboarding/accounts.js'
import { headersOf, newAccount } from './dealer.js'
import { Server } from './server.js'
import { Site } from './site.js'

export interface UploadServer {
  server: Server
  url: string
  dealers: readonly [AccountAccess, AccountAccess]
  /** Another process takes its place. */
  restart(): Promise<void>
  close(): Promise<void>
}

export async function openUploads(): Promise<UploadServer> {
  const site = await Site.make({ tills: 0, external: true })
  const dealers = await site.look(async ({ store }) => {
    const deps = { store, now: () => new Date() }
    const one = await createAccount(deps, newAccount('PosDealer'))
    return [one, await createAccount(deps, newAccount('PosDealer'))] as const
  })
  const free = { RATE_LIMIT_DEALER: '0', RATE_LIMIT_FAILURES: '0' }
  const started = async () => Server.start(await site.settings(free))
  let server = await started()
  return {
    dealers,
    get server() {
      return server
    },
    get url() {
      return server.url
    },
    restart: async () => {
      server = await started()
    },
    close: async () => {
      await server.kill()
      await site.remove()
    },
  }
}

export interface Upload {
  /** `POST /api/…` */
  line: string
  headers: Record<string, string>
  body: Buffer
}

/**
 * The status of the answer; 0: the connection ended without one. `cut`: so many bytes of the body
 * are sent. `how`: whole: the header says how long what is sent is. broken: the header says how
 * long the body would have been, then the connection is reset. closed: as broken, but ended in
 * order.
 */
export function sendUpload(
  url: string,
  { line, headers, body }: Upload,
  { cut = body.length, how = 'whole' }: { cut?: number; how?: 'whole' | 'broken' | 'closed' } = {},
): Promise<number> {
  const { hostname, port } = new URL(url)
  const sent = body.subarray(0, cut)
  const length = how === 'whole' ? sent.length : body.length + 1
  const fields = { ...headers, host: 'localhost', 'content-length': String(length) }
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) })
    let text = ''
    socket.on('connect', () => {
      socket.write(`${line} HTTP/1.1\r\n${head.join('')}connection: close\r\n\r\n`)
      socket.write(sent, () => {
        if (how === 'closed') socket.end()
        // on a turn of its own: what was written reaches the server before the reset
        if (how === 'broken') setImmediate(() => setImmediate(() => socket.resetAndDestroy()))
      })
    })
    socket.on('data', (piece) => {
      text += piece.toString('latin1')
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)))
  })
}

export const asDealer = (dealer: AccountAccess, headers: Record<string, string>) => ({
  ...headersOf(dealer),
  ...headers,
})
