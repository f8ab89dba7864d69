// A receiver of webhooks that takes everything at once and counts it.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Receiver {
  url: string
  /** For OUTBOUND_ALLOW. */
  allow: string
  /** Taken since the last reset, each once. */
  events(): number
  reset(): void
  close(): Promise<void>
}

const ID = /"id":"([^"]+)"/g

export async function startReceiver(): Promise<Receiver> {
  let seen = new Set<string>()
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const text = Buffer.concat(parts).toString()
      for (const [, id = ''] of text.matchAll(ID)) seen.add(id)
      response.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    allow: `127.0.0.1:${port}`,
    events: () => seen.size,
    reset: () => {
      seen = new Set()
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
