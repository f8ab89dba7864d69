// A device in the store: listens for what happens to receipts and keeps what it is told.
import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { expect } from 'vitest'
import type { Store } from '../../src/store/client.js'
import { completeTransaction } from '../../src/store/receipt/instore-events.js'
import { posHeaders } from './pos-server.js'

export interface Told {
  id: string
  event: string
  data: Record<string, unknown>
}

export interface Device {
  status: number
  headers: IncomingHttpHeaders
  /** Everything so far. */
  told: Told[]
  /** Comments and all. */
  text(): string
  /** Waits until so many were told. */
  until(count: number): Promise<Told[]>
  /** Resolves when the server ends the stream. */
  ended: Promise<unknown>
  /** Nothing more comes, whatever the reason. */
  isGone(): boolean
  close(): void
}

interface Listening {
  /** Behind `?`. */
  query?: string
  headers?: Record<string, string>
  path?: string
}

/** On a connection of its own: fetch opens further ones that a stopping server would wait for. */
export async function listenTo(
  url: string,
  box: { cashBoxId: string; accessToken: string },
  { query = '', headers = {}, path = '/v2/instore/events' }: Listening = {},
): Promise<Device> {
  const call = request(`${url}${path}${query}`, {
    headers: { ...posHeaders(box), ...headers },
    agent: false,
  })
  call.end()
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  let text = ''
  let open = ''
  const told: Told[] = []
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    text += chunk
    const end = (open + chunk).lastIndexOf('\n\n') + 2
    told.push(...(end < 2 ? [] : eventsIn((open + chunk).slice(0, end))))
    open = (open + chunk).slice(end < 2 ? 0 : end)
  })
  // a device that leaves breaks its own connection
  response.on('error', () => undefined)
  call.on('error', () => undefined)
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    told,
    text: () => text,
    until: async (count) => {
      await expect.poll(() => told.length).toBeGreaterThanOrEqual(count)
      return [...told]
    },
    ended: new Promise((resolve) => response.on('end', resolve)),
    isGone: () => response.closed,
    close: () => call.destroy(),
  }
}

/** Whole blocks only; comments and other fields are nothing. */
function eventsIn(text: string): Told[] {
  const blocks = text.split('\n\n').slice(0, -1)
  return blocks.flatMap((block) => {
    const fields = new Map(
      block.split('\n').map((line) => {
        const at = line.indexOf(': ')
        return [line.slice(0, at), line.slice(at + 2)] as const
      }),
    )
    const data = fields.get('data')
    if (data === undefined) return []
    const parsed = JSON.parse(data) as Record<string, unknown>
    return [{ id: fields.get('id') ?? '', event: fields.get('event') ?? '', data: parsed }]
  })
}

/**
 * Resolves when every transaction that has begun by now is over. Until then "from now on" may mean
 * from before the last test: transactions of other databases of the cluster count too.
 */
export async function overEverywhere(store: Store): Promise<void> {
  const { rows } = await store.pool.query('select pg_current_xact_id()::text::int8 as now')
  await expect.poll(() => completeTransaction(store)).toBeGreaterThan(rows[0].now)
}
