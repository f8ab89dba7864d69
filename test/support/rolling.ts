// Servers behind a balancer, stopped and started one after the other.
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Server } from './server.js'
import type { TestSettings } from './settings.js'
import type { Site } from './site.js'

/** Servers that keep their addresses when they are started anew. */
export class Row {
  private readonly places: { settings: TestSettings; server: Server }[] = []

  static async start(site: Site, count: number): Promise<Row> {
    const row = new Row()
    for (let started = 0; started < count; started += 1) {
      const settings = await site.settings()
      row.places.push({ settings, server: await Server.start(settings) })
    }
    return row
  }

  get urls(): string[] {
    return this.places.map(({ server }) => server.url)
  }

  /** Milliseconds of each stop; throws when one was not in order. */
  async roll(isSeen: (url: string) => Promise<void>): Promise<number[]> {
    const stops: number[] = []
    for (const place of this.places) {
      const { code, ms } = await place.server.stop()
      if (code !== 0) throw new Error(`a server ended with ${code}:\n${place.server.output}`)
      stops.push(ms)
      place.server = await Server.start(place.settings)
      // the next one goes when this one has its share of the calls again
      await isSeen(place.server.url)
    }
    return stops
  }

  async stop(): Promise<void> {
    await Promise.all(this.places.map(({ server }) => server.stop()))
  }

  async kill(): Promise<void> {
    const alive = this.places.filter(({ server }) => server.isAlive)
    await Promise.all(alive.map(({ server }) => server.kill()))
  }
}

/** A balancer that asks each server: two refusals take it out, one "ready" brings it back. */
export class Watcher {
  private readonly refusals = new Map<string, number>()
  private running = true
  private readonly looking: Promise<void>

  constructor(
    private readonly urls: readonly string[],
    private readonly eachMs: number,
  ) {
    for (const url of urls) this.refusals.set(url, 0)
    this.looking = this.look()
  }

  get ready(): string[] {
    return this.urls.filter((url) => (this.refusals.get(url) ?? 0) < 2)
  }

  async isReady(url: string): Promise<void> {
    while (this.refusals.get(url) !== 0) await sleep(this.eachMs)
  }

  async stop(): Promise<void> {
    this.running = false
    await this.looking
  }

  private async look(): Promise<void> {
    while (this.running) {
      await Promise.all(
        this.urls.map(async (url) => {
          const before = this.refusals.get(url) ?? 0
          this.refusals.set(url, (await isReady(url)) ? 0 : before + 1)
        }),
      )
      await sleep(this.eachMs)
    }
  }
}

function isReady(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(`${url}/health/ready`, { agent: false, timeout: 1_000 })
    asked.on('response', (reply) => {
      reply.resume()
      resolve(reply.statusCode === 200)
    })
    asked.on('error', () => resolve(false))
    asked.on('timeout', () => asked.destroy())
    asked.end()
  })
}
