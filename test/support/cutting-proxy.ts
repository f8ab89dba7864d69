// A proxy that cuts each connection behind so many bytes of the answer, wherever that is.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

export interface CuttingProxy {
  url: string
  /** Connections that were cut. */
  cuts(): number
  close(): void
}

export async function cuttingProxy(to: string, bytes: () => number): Promise<CuttingProxy> {
  const port = Number(new URL(to).port)
  let cuts = 0
  const server = createServer((outside) => {
    const inside = connect(port, '127.0.0.1')
    let left = bytes()
    const end = () => {
      outside.destroy()
      inside.destroy()
    }
    outside.pipe(inside)
    inside.on('data', (part) => {
      outside.write(part.subarray(0, left))
      left -= part.length
      if (left > 0) return
      cuts += 1
      outside.destroySoon()
      inside.destroy()
    })
    for (const socket of [outside, inside]) socket.on('error', end).on('close', end)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: own } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${own}`,
    cuts: () => cuts,
    close: () => server.close(),
  }
}
