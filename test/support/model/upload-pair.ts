// Two servers on one database that stop and die, and a further one in the place of each that has
// gone.
import { setTimeout as sleep } from 'node:timers/promises'
import { Semaphore } from '../../../src/lib/semaphore.js'
import type { Store } from '../../../src/store/client.js'
import { connected } from '../ledger.js'
import { testStore } from '../make.js'
import { Server } from '../server.js'
import { Site } from '../site.js'

export type Side = 0 | 1
export type Ending = 'stop' | 'kill'

export interface Place {
  server: Server
  /** Of its sessions in the database. */
  name: string
  /** How it was told to end: from then on calls to it may be cut off. */
  ending: Ending | undefined
}

const CONNECTIONS = 4
const FREE = { RATE_LIMITS: 'dealer=0,credentials=0' }

export class UploadPair {
  /** Looks into the database from outside. */
  readonly store: Store
  readonly ends: Record<Ending, number> = { stop: 0, kill: 0 }
  /** What no step may bring about. */
  readonly faults: string[] = []
  private readonly site: Site
  private readonly all: Place[] = []
  private names = 0
  private readonly turns = new Semaphore(1)
  private places: readonly Place[] = []
  /** Takes the place of the next one that ends: nobody waits until a process is up. */
  private spare: Promise<Place> | undefined

  private constructor(site: Site, store: Store) {
    this.site = site
    this.store = store
  }

  static async open(): Promise<UploadPair> {
    const site = await Site.make({ tills: 0, external: true })
    const { DATABASE_URL: connectionString } = await site.settings()
    const pair = new UploadPair(site, testStore({ connectionString }, CONNECTIONS))
    pair.places = await Promise.all([pair.started(), pair.started()])
    pair.spare = pair.started()
    await pair.spare
    return pair
  }

  at(side: Side): Place {
    const place = this.places[side]
    if (place === undefined) throw new Error('there is no server')
    return place
  }

  /** Ends one of them under everybody's calls, when `before` is done with it. */
  end(side: Side, ending: Ending, before: (place: Place) => Promise<void>): Promise<void> {
    return this.turns.run(async () => {
      const next = await this.spare
      const place = this.at(side)
      await before(place)
      if (next === undefined) throw new Error('the pair is not open')
      this.places = this.places.map((one) => (one === place ? next : one))
      this.spare = this.started()
      this.ends[ending] += 1
      await this.ended(place, ending)
    })
  }

  /** Of what it had begun nothing goes on, in the database either. */
  async gone({ server, name }: Place): Promise<void> {
    await server.ended
    const sessions = 'select from pg_stat_activity where application_name = $1'
    for (;;) {
      const { rowCount } = await this.store.pool.query(sessions, [name])
      if (rowCount === 0) return
      await sleep(20)
    }
  }

  /** Those that are left stop in good order. */
  async stop(): Promise<void> {
    const left = [...this.places, await this.spare].filter((one) => one !== undefined)
    await Promise.all(left.map((one) => this.ended(one, 'stop')))
  }

  async remove(): Promise<void> {
    await this.spare
    for (const place of this.all.filter(({ server }) => server.isAlive)) {
      await this.ended(place, 'kill')
    }
    await this.store.close()
    await this.left()
    await this.site.remove()
  }

  /** A pool says that it is closed before its sockets are. */
  private async left(): Promise<void> {
    const client = await connected(this.store.connection)
    const others = `select from pg_stat_activity
      where client_port is not null and pid <> pg_backend_pid()`
    while ((await client.query(others)).rowCount !== 0) await sleep(5)
    await client.end()
  }

  private async ended(place: Place, ending: Ending): Promise<void> {
    const { server } = place
    place.ending = ending
    if (ending === 'kill') {
      await server.kill()
      return
    }
    const { code, signal } = await server.stop()
    // one that waits for something broken is cut off, and ends with 1
    if (code !== 0) this.faults.push(`a stop ended with ${code ?? signal}:\n${server.output}`)
  }

  private async started(): Promise<Place> {
    // two begin at once, and each must be known by its own
    const name = `server-${this.names}`
    this.names += 1
    const place: Omit<Place, 'server'> = { name, ending: undefined }
    const settings = await this.site.settings({ ...FREE, PGAPPNAME: name })
    const server = await Server.start(settings)
    const made = Object.assign(place, { server })
    this.all.push(made)
    void server.ended.then(({ code, signal }) => {
      if (made.ending !== undefined) return
      this.faults.push(`a server ended by itself with ${code ?? signal}:\n${server.output}`)
    })
    return made
  }
}
