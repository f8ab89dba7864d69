// A line to a device or a database that breaks behind any of its bytes, once, and is a line as
// before for every connection behind that one.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export const BREAKS = ['ended', 'reset', 'silent'] as const
/** Ended in order, reset, or open with nothing that comes through any more. */
export type Break = (typeof BREAKS)[number]

export interface Plan {
  /** Bytes of this direction, from now on and over all connections. */
  way: 'there' | 'back'
  behind: number
  how: Break
}

export interface BreakingProxy {
  port: number
  /** Counts anew. */
  plan(plan: Plan): void
  /** What went since the last plan. */
  went(): Readonly<Record<Plan['way'], number>>
  /** Whether the plan has come true. */
  isBroken(): boolean
  close(): Promise<void>
}

/** `to`: a port of this machine, or the path of a socket. */
export async function breakingProxy(to: number | string): Promise<BreakingProxy> {
  const went = { there: 0, back: 0 }
  let plan: Plan | undefined
  let isBroken = false
  const sockets = new Set<Socket>()

  const serve = (outside: Socket) => {
    const place = typeof to === 'string' ? { path: to } : { port: to, host: '127.0.0.1' }
    const inside = connect({ ...place, noDelay: true, allowHalfOpen: true })
    let isSilent = false
    const breaks = (how: Break) => {
      plan = undefined
      isBroken = true
      isSilent = true
      if (how === 'silent') return
      if (how === 'reset') outside.resetAndDestroy()
      else outside.end(() => outside.destroy())
      inside.destroy()
    }
    const carry = (way: Plan['way'], from: Socket, to: Socket) => {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        // a silent line has no news of its other end either
        if (!isSilent || way === 'there') to.destroy()
      })
      from.on('end', () => {
        if (!isSilent) to.end()
      })
      from.on('data', (bytes: Buffer) => {
        if (isSilent) return
        const left = plan?.way === way ? plan.behind - went[way] : Number.POSITIVE_INFINITY
        went[way] += Math.min(bytes.length, left)
        const how = plan?.how
        if (left > bytes.length || how === undefined) {
          to.write(bytes)
          return
        }
        to.write(bytes.subarray(0, left))
        breaks(how)
      })
    }
    carry('there', outside, inside)
    carry('back', inside, outside)
  }
  const server = createServer({ noDelay: true, allowHalfOpen: true }, serve)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    plan(next) {
      plan = next
      isBroken = false
      went.there = 0
      went.back = 0
    },
    went: () => ({ ...went }),
    isBroken: () => isBroken,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
