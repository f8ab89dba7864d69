// A server in a process of its own, two dealers, and uploads that break off at a given byte.
import { connect } from 'node:net'
import { type AccountAccess, createAccount } from '../../src/core/accounts/accounts.js'
import { headersOf, newAccount } from './dealer.js'
import { Server } from './server.js'
import { Site } from './site.js'

export interface UploadServer {
  server: Server
  url: string
  dealers: readonly [AccountAccess, AccountAccess]
  close(): Promise<void>
}

export async function openUploads(): Promise<UploadServer> {
  const site = await Site.make({ tills: 0, external: true })
  const dealers = await site.look(async ({ store }) => {
    const deps = { store, now: () => new Date() }
    const one = await createAccount(deps, newAccount('PosDealer'))
    return [one, await createAccount(deps, newAccount('PosDealer'))] as const
  })
  const free = { RATE_LIMITS: 'dealer=0,credentials=0' }
  const server = await Server.start(await site.settings(free))
  return {
    ...{ dealers, server },
    url: server.url,
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

export interface SendOptions {
  /** So many bytes of the body are sent. */
  cut?: number
  /**
   * whole: the header says how long what is sent is. broken: the header says how long the body
   * would have been, then the connection is reset. closed: as broken, but ended in order.
   */
  how?: 'whole' | 'broken' | 'closed'
  /** Nobody waits for the answer any more: the connection is reset. */
  leaves?: Promise<void>
}

/** The status of the answer; 0: the connection ended without one. */
export function sendUpload(
  url: string,
  { line, headers, body }: Upload,
  { cut = body.length, how = 'whole', leaves }: SendOptions = {},
): Promise<number> {
  const { hostname, port } = new URL(url)
  const sent = body.subarray(0, cut)
  const length = how === 'whole' ? sent.length : body.length + 1
  const fields = { ...headers, host: 'localhost', 'content-length': String(length) }
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) })
    let text = ''
    if (leaves !== undefined) {
      void Promise.allSettled([leaves]).then(() => socket.resetAndDestroy())
    }
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
    const ended = () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0))
    socket.on('error', () => {
      socket.destroy()
      // a reset that meets the end of the connection is an error, and no close follows
      ended()
    })
    socket.on('close', ended)
  })
}

export const asDealer = (dealer: AccountAccess, headers: Record<string, string>) => ({
  ...headersOf(dealer),
  ...headers,
})
