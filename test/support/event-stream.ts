// A device in the store: listens for what happens to receipts and keeps what it is told. Called by
// tests of the event feed.
import { expect } from 'vitest'
import { posHeaders } from './pos-server.js'

export interface Told {
  id: string
  event: string
  data: Record<string, unknown>
}

export interface Device {
  status: number
  headers: Headers
  /** Everything so far. */
  told: Told[]
  /** Comments and all. */
  text(): string
  /** Waits until so many were told. */
  until(count: number): Promise<Told[]>
  /** Resolves when the server ends the stream. */
  ended: Promise<void>
  close(): void
}

interface Listening {
  /** Behind `?`. */
  query?: string
  headers?: Record<string, string>
  path?: string
}

export async function listenTo(
  url: string,
  box: { cashBoxId: string; accessToken: string },
  { query = '', headers = {}, path = '/v2/instore/events' }: Listening = {},
): Promise<Device> {
  const leaving = new AbortController()
  const response = await fetch(`${url}${path}${query}`, {
    headers: { ...posHeaders(box), ...headers },
    signal: leaving.signal,
  })
  let text = ''
  const told: Told[] = []
  const ended = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      told.splice(0, told.length, ...eventsIn(text))
    }
  })().catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error
  })
  return {
    status: response.status,
    headers: response.headers,
    told,
    text: () => text,
    until: async (count) => {
      await expect.poll(() => told.length).toBeGreaterThanOrEqual(count)
      return [...told]
    },
    ended,
    close: () => leaving.abort(),
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
