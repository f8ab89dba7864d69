// The long form of the crash stories: kills servers and their PostgreSQL under load, round after
// round, and says at the end whether everything held. Not part of the ordinary run:
//   npm run -s torture -- --kills 25 --database-kills 5 [--market DE] [--seed N] [--clients 16]
//     [--tills 8]
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Chance, Load } from '../support/load.js'
import type { Server } from '../support/server.js'
import type { TestSettings } from '../support/settings.js'
import { Site } from '../support/site.js'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '25' },
    'database-kills': { type: 'string', default: '5' },
    market: { type: 'string', default: 'AT' },
    seed: { type: 'string' },
    clients: { type: 'string', default: '16' },
    tills: { type: 'string', default: '8' },
  },
})

type Blow = 'server' | 'database' | 'both'

/** Longest that a server may need to be healthy again after its database was killed. */
const PROMISED_MS = 5_000
const PATIENCE_MS = 60_000

/** The kills in an order of chance; every fifth of the server takes PostgreSQL with it. */
function blows(chance: Chance): Blow[] {
  const kills = Array.from({ length: Number(values.kills) }, (_, at): Blow => {
    return at % 5 === 4 ? 'both' : 'server'
  })
  const all = kills.concat(new Array<Blow>(Number(values['database-kills'])).fill('database'))
  return all
    .map((blow) => ({ blow, place: chance.between(0, 1) }))
    .sort((a, b) => a.place - b.place)
    .map(({ blow }) => blow)
}

class Torture {
  private readonly site: Site
  private readonly chance: Chance
  private readonly settings: TestSettings
  private server: Server
  private readonly load: Load
  private readonly recoveries: number[] = []
  private readonly starts: number[] = []

  private constructor(parts: {
    site: Site
    chance: Chance
    settings: TestSettings
    server: Server
  }) {
    this.site = parts.site
    this.chance = parts.chance
    this.settings = parts.settings
    this.server = parts.server
    this.load = new Load({
      tills: parts.site.tills,
      clients: Number(values.clients),
      urls: () => [this.server.url],
    })
  }

  static async begin(chance: Chance): Promise<Torture> {
    const till = { market: values.market }
    const site = await Site.make({ tills: Number(values.tills), till })
    const settings = await site.settings()
    return new Torture({ site, chance, settings, server: await site.serve(settings) })
  }

  async strike(blow: Blow): Promise<string> {
    await this.load.more(30)
    await sleep(this.chance.between(200, 700))
    const from = performance.now()
    if (blow === 'database') {
      this.recoveries.push(await this.site.killDatabase(this.server, PATIENCE_MS))
    } else {
      if (blow === 'both') process.kill(this.site.postmaster, 'SIGKILL')
      await this.server.kill()
      this.server = await this.site.serve(this.settings)
      this.starts.push(performance.now() - from)
    }
    return `${blow} killed, serving after ${Math.round(performance.now() - from)} ms`
  }

  progress(): string {
    return this.load.figures
  }

  /** Stops everything; what did not hold. */
  async end(): Promise<string[]> {
    await this.load.more(100)
    await this.load.stop()
    const { code, ms } = await this.server.stop()
    const faults = [...this.load.faults, ...(await this.site.faults(this.load))]
    if (code !== 0) faults.push(`the last server ended with ${code} after ${Math.round(ms)} ms`)
    const slow = this.recoveries.filter((each) => each > PROMISED_MS)
    if (slow.length > 0) faults.push(`healthy only after ${slow.map(Math.round).join(', ')} ms`)
    await this.site.remove()
    return faults
  }

  get times(): string {
    const worst = (list: number[]) => Math.round(Math.max(0, ...list))
    return `slowest start ${worst(this.starts)} ms, slowest recovery ${worst(this.recoveries)} ms`
  }
}

const chance = new Chance(values.seed === undefined ? undefined : Number(values.seed))
const plan = blows(chance)
console.log(
  `seed ${chance.seed}: ${plan.length} kills, ${values.clients} clients, ${values.tills} tills`,
)
const torture = await Torture.begin(chance)
for (const [at, blow] of plan.entries()) {
  const told = await torture.strike(blow)
  console.log(`${at + 1}/${plan.length} ${told}; ${torture.progress()}`)
}
const faults = await torture.end()
for (const fault of faults) console.log(`FAULT ${fault}`)
console.log(`${torture.progress()}; ${torture.times}`)
console.log(faults.length === 0 ? 'everything held' : `${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1
