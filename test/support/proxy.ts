// A bad network between a server and its PostgreSQL: it can lose a request or its answer, and hold
// everything back.
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import type { LoginConfig } from '../../src/postgres/embedded/login.js'

/** What happens to the next sign statement: its connection breaks before or after it was sent. */
export type Cut = 'request' | 'answer'

const SIGN = 'sign-h'

const socketOf = ({ host, port }: LoginConfig) => join(host, `.s.PGSQL.${port}`)

export class DatabaseProxy {
  /** Statements that were cut. */
  cuts = 0
  private readonly server: Server
  private target: string
  private readonly sockets = new Set<Socket>()
  private next: Cut | undefined
  /** What is in the bytes of the statement that is cut: its name. */
  private mark = SIGN
  private held: (() => void)[] | undefined
  private isAway = false

  private constructor(config: LoginConfig) {
    this.target = socketOf(config)
    this.server = createServer((client) => this.open(client))
  }

  static async start(config: LoginConfig): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(config)
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  /** The same database through this network. */
  through(config: LoginConfig): LoginConfig {
    const address = this.server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    return { ...config, host: '127.0.0.1', port: address.port }
  }

  /** New connections lead there; those that are open stay where they are. */
  leadTo(config: LoginConfig): void {
    this.target = socketOf(config)
  }

  /** mark: the name of the statement, unless it is the one that signs. */
  cutNext(cut: Cut, mark = SIGN): void {
    this.next = cut
    this.mark = mark
  }

  /** Holds every byte back in both directions, until the returned call. */
  stall(): () => void {
    this.held = []
    return () => {
      const held = this.held ?? []
      this.held = undefined
      for (const send of held) send()
    }
  }

  /** Breaks every connection and lets nobody in, until the returned call. */
  goAway(): () => void {
    this.isAway = true
    for (const socket of this.sockets) socket.destroy()
    return () => {
      this.isAway = false
    }
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private open(client: Socket): void {
    if (this.isAway) {
      client.destroy()
      return
    }
    const server = connect(this.target)
    let losesAnswer = false
    const end = (): void => {
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) {
      this.sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => this.sockets.delete(socket))
    }
    client.on('data', (bytes: Buffer) => {
      const cut = bytes.includes(this.mark) ? this.next : undefined
      if (cut !== undefined) {
        this.next = undefined
        this.cuts += 1
      }
      if (cut === 'request') return end()
      if (cut === 'answer') losesAnswer = true
      this.send(() => server.write(bytes))
    })
    server.on('data', (bytes: Buffer) => {
      // what comes back now is the answer: the statement is committed
      if (losesAnswer) return end()
      this.send(() => client.write(bytes))
    })
    // a request that was held back reaches the database although nobody waits for it any more
    client.on('end', () => this.send(() => server.end()))
    client.on('close', () => this.send(() => server.end()))
    server.on('close', () => this.send(() => client.destroy()))
  }

  private send(work: () => void): void {
    if (this.held === undefined) work()
    else this.held.push(work)
  }
}
