// What stands outside the servers in a month: authorities and printers behind lines that break,
// with books of their own; and units inside the servers with scripts of what fails.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import type { NewScuInput } from '../../../src/core/rollout/create.js'
import type { Chance } from '../load.js'
import type { Till } from '../stand.js'
import type { Kept } from './kept.js'
import type { Stage } from './stage.js'

/** A till of a month, and its number there. */
export interface Place {
  till: Till
  at: number
}

export interface Judged extends Place {
  kept: readonly Kept[]
  client: pg.Client
  stage: Stage
}

export interface Outside {
  /** Addresses that the servers may call. */
  allow: readonly string[]
  /** The unit of a till by its number. */
  unit(at: number): Partial<NewScuInput>
  /** One outage begins. */
  strike(stage: Stage, place: Place): Promise<void>
  /** Everything works. */
  calm(stage: Stage, place: Place): Promise<void>
  /** What its books say otherwise than the journal of the queue. */
  faults(judged: Judged): Promise<string[]>
  close(): Promise<void>
}

/** What hits the next calls: no answer at all, 503, or an answer that is lost after the work. */
export type LineFault = 'away' | 'busy' | 'lost'
const LINE: readonly LineFault[] = ['away', 'busy', 'lost', 'lost']

export interface Served {
  status: number
  text: string
  type?: string
}

/** A server that tells nobody what it was about to say, where its line breaks. */
export class Line {
  readonly faults: LineFault[] = []
  private readonly server = createServer((request, response) => {
    void this.answer(request, response)
  })
  address = ''
  private readonly serve: (request: IncomingMessage, body: string) => Promise<Served | undefined>

  constructor(serve: (request: IncomingMessage, body: string) => Promise<Served | undefined>) {
    this.serve = serve
  }

  async open(): Promise<void> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done))
    this.address = `127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((done) => this.server.close(done))
  }

  /** One outage at a time. */
  strike(chance: Chance, kinds: readonly LineFault[] = LINE): void {
    if (this.faults.length > 0) return
    const kind = kinds[Math.floor(chance.between(0, kinds.length))] ?? 'away'
    const calls = 1 + Math.floor(chance.between(0, 3))
    this.faults.push(...new Array<LineFault>(calls).fill(kind))
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const fault = this.faults.shift()
    if (fault === 'away') return void response.destroy()
    if (fault === 'busy') return void response.writeHead(503).end('Service Unavailable')
    const served = await this.serve(request, Buffer.concat(parts).toString())
    if (served === undefined || fault === 'lost') return void response.destroy()
    const type = served.type ?? 'text/xml; charset=utf-8'
    response.writeHead(served.status, { 'content-type': type }).end(served.text)
  }
}

const json = (steps: object[]): string => JSON.stringify({ steps })

/** The unit inside the servers: its state is stored with the receipts. */
export function scripted(options: {
  kinds: readonly string[]
  configuration?: Record<string, unknown>
  faults(judged: Judged & { state: string }): string[]
}): Outside {
  const path = ({ scuIds }: Till) => `/sandbox/scus/${scuIds[0]}/fault`
  const tell = async (stage: Stage, till: Till, body?: string) => {
    const wish = body === undefined ? { method: 'DELETE' } : { method: 'PUT', body }
    // a server that dies takes the script with it: the weather is what it is
    const [told] = await Promise.allSettled([stage.send(till, path(till), wish)])
    if (told.status === 'rejected' || told.value.ok || told.value.status === 503) return
    throw new Error(`script: ${told.value.status} ${await told.value.text()}`)
  }
  return {
    ...{ allow: [], close: async () => undefined },
    unit: () =>
      options.configuration === undefined ? {} : { configuration: options.configuration },
    strike: async (stage, { till }) => {
      const { kinds } = options
      const kind = kinds[Math.floor(stage.chance.between(0, kinds.length))] ?? ''
      const calls = 1 + Math.floor(stage.chance.between(0, 4))
      await tell(stage, till, json([{ do: kind, calls }]))
    },
    calm: (stage, { till }) => tell(stage, till),
    faults: async (judged) => {
      const { rows } = await judged.client.query('select state from scu where id = $1', [
        judged.till.scuIds[0],
      ])
      return options.faults({ ...judged, state: String(rows[0]?.state) })
    },
  }
}

/** Where two lists, which should be the same in the same order, part. */
export function parted(what: string, { is, expected }: { is: string[]; expected: string[] }) {
  const at = Array.from({ length: Math.max(is.length, expected.length) }, (_, n) => n).find(
    (n) => is[n] !== expected[n],
  )
  if (at === undefined) return []
  const shown = (list: string[]) => list.slice(Math.max(0, at - 2), at + 3).join(', ')
  return [
    `${what}: ${is.length} instead of ${expected.length}; at ${at} there is ` +
      `${shown(is)} instead of ${shown(expected)}`,
  ]
}
