// Where a server of sockets gets its connections from: a port of its own, or another process.
import type { AddressInfo, Server } from 'node:net'

export interface Listening {
  port: number
  /** No further connections; resolves when those that it has had are closed. */
  close(): Promise<void>
}

/** Rejects when they cannot be had. */
export type ListenOn = (tcp: Server) => Promise<Listening>

/** A port of this process; 0 takes a free one. */
export function listenAt({ host, port }: { host: string; port: number }): ListenOn {
  return async (tcp) => {
    await new Promise<void>((resolve, reject) => {
      tcp.once('error', reject)
      tcp.listen({ host, port }, () => {
        tcp.off('error', reject)
        resolve()
      })
    })
    return {
      port: (tcp.address() as AddressInfo).port,
      close: () => new Promise((resolve) => tcp.close(() => resolve())),
    }
  }
}
