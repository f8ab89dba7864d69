// Two servers on PostgreSQL under Patroni, tills of both markets at work, and the primary killed,
// frozen and cut off, round after round. For root on Debian with patroni, etcd-server, haproxy:
//   npm run -s failover -- --rounds 20 [--seed N] [--clients 16] [--tills 4] [--blows kill,stop]
//     [--form 2] [--keep]
// A round is one blow of each kind, its two forms in turn unless one is named; `--tills` counts
// those of each market.
import { renameSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { makeThrowAwayFolder } from '../../scripts/throw-away-cluster.js'
import { Chance, Load } from '../support/load.js'
import type { Machine } from '../support/machines.js'
import { needTools } from '../support/needed-tools.js'
import { PatroniCluster } from '../support/patroni.js'
import type { Server } from '../support/server.js'
import { Site } from '../support/site.js'

needTools({ patroni: 'patroni', etcd: 'etcd-server', haproxy: 'haproxy' })

const KINDS = ['kill', 'stop', 'cut'] as const
type Kind = (typeof KINDS)[number]

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    blows: { type: 'string', default: KINDS.join() },
    seed: { type: 'string' },
    clients: { type: 'string', default: '16' },
    tills: { type: 'string', default: '4' },
    form: { type: 'string', default: '' },
    keep: { type: 'boolean', default: false },
  },
})

/** Longest that a till may be without an answer. */
const PROMISED_MS = 15_000
const PATIENCE_MS = 120_000

interface Blow {
  name: string
  strike(machine: Machine, cluster: PatroniCluster): void
  /** What a person or a service manager does once the others have taken over. */
  mend(machine: Machine, cluster: PatroniCluster): void
  /** PostgreSQL may come back where it was. */
  mayStay?: boolean
}

const POSTGRES = /^(\S+\/)?postgres\b/

/** Each kind in two forms, which take turns. */
const BLOWS: Record<Kind, [Blow, Blow]> = {
  kill: [
    {
      name: 'machine killed',
      strike: (machine) => machine.signal('SIGKILL'),
      mend: (machine, cluster) => cluster.power(machine),
    },
    {
      name: 'PostgreSQL killed',
      strike: (machine) => machine.signal('SIGKILL', POSTGRES),
      mend: () => undefined,
      mayStay: true,
    },
  ],
  stop: [
    {
      name: 'machine frozen',
      strike: (machine) => machine.signal('SIGSTOP'),
      mend: (machine) => machine.signal('SIGCONT'),
    },
    {
      name: 'PostgreSQL frozen',
      strike: (machine) => machine.signal('SIGSTOP', POSTGRES),
      mend: (machine) => machine.signal('SIGCONT', POSTGRES),
      mayStay: true,
    },
  ],
  cut: [
    {
      name: 'cut off from everybody',
      strike: (machine) => machine.unplug(),
      mend: (machine) => machine.plug(),
    },
    {
      name: 'cut off from the other machines, within reach of the servers',
      strike: (machine, cluster) => machine.lose(cluster.addressesOfOthers(machine)),
      mend: (machine, cluster) => machine.find(cluster.addressesOfOthers(machine)),
    },
  ],
}

interface Parts {
  cluster: PatroniCluster
  site: Site
  servers: readonly Server[]
}

class Failover {
  private readonly cluster: PatroniCluster
  private readonly site: Site
  private readonly servers: readonly Server[]
  private readonly load: Load
  readonly silences = new Map<string, number[]>()

  private constructor({ cluster, site, servers }: Parts) {
    this.cluster = cluster
    this.site = site
    this.servers = servers
    this.load = new Load({
      tills: site.tills,
      clients: Number(values.clients),
      urls: () => servers.map(({ url }) => url),
    })
  }

  static async begin(cluster: PatroniCluster): Promise<Failover> {
    const tills = Number(values.tills)
    const site = await Site.make({ tills, external: cluster.url, till: { market: 'AT' } })
    await site.more(tills, { market: 'DE' })
    const servers = [await site.serve(), await site.serve()]
    return new Failover({ cluster, site, servers })
  }

  async strike(blow: Blow, pause: number): Promise<string> {
    const { cluster, load } = this
    await load.more(100)
    await sleep(pause)
    const struck = await cluster.primary()
    const from = performance.now()
    load.watchSilence()
    blow.strike(struck, cluster)
    const now = await this.takenOver(blow, struck)
    blow.mend(struck, cluster)
    await cluster.whole(PATIENCE_MS)
    const silence = Math.round(load.silenceMs)
    this.silences.set(blow.name, [...(this.silences.get(blow.name) ?? []), silence])
    const whole = Math.round((performance.now() - from) / 1000)
    return `${struck.name} ${blow.name}: ${now} signs, silent ${silence} ms, whole after ${whole} s`
  }

  progress(): string {
    return this.load.figures
  }

  /** Stops everything; what did not hold. */
  async end(): Promise<string[]> {
    await this.load.more(100)
    await this.load.stop()
    const faults = [...this.load.faults]
    for (const server of this.servers) {
      if (!server.isAlive) faults.push(`a server ended:\n${server.output}`)
      const { code } = await server.stop()
      if (code !== 0) faults.push(`a server ended with ${code}:\n${server.output}`)
    }
    faults.push(...(await this.site.faults(this.load)))
    for (const [name, times] of this.silences) {
      const slow = times.filter((each) => each > PROMISED_MS)
      if (slow.length > 0) faults.push(`${name}: a till was silent for ${slow.join(', ')} ms`)
    }
    await this.site.remove()
    return faults
  }

  /** Whatever of it still runs. */
  async kill(): Promise<void> {
    await Promise.all(this.servers.filter(({ isAlive }) => isAlive).map((one) => one.kill()))
  }

  /** Until every till signs on a primary that is another one; its name. */
  private async takenOver({ mayStay }: Blow, struck: Machine): Promise<string> {
    const end = performance.now() + PATIENCE_MS
    // what was on its way to a till when the blow fell is no sign of life
    const from = performance.now() + 1_000
    while (performance.now() < end) {
      const now = await this.cluster.findPrimary()
      const isOther = now !== undefined && (mayStay === true || now !== struck)
      if (isOther && this.load.areAnsweredSince(from)) return now.name
      await sleep(50)
    }
    throw new Error(`nobody signs ${PATIENCE_MS} ms after the blow; ${this.load.figures}`)
  }
}

const chance = new Chance(values.seed === undefined ? undefined : Number(values.seed))
const kinds = KINDS.filter((kind) => values.blows.split(',').includes(kind))
console.log(
  `seed ${chance.seed}: ${values.rounds} rounds of ${kinds.join(', ')}; ` +
    `${values.clients} clients, ${values.tills} tills of AT and as many of DE, 2 servers`,
)
const folder = makeThrowAwayFolder()
const cluster = await PatroniCluster.start(folder)
const faults: string[] = []
let failover: Failover | undefined
try {
  failover = await Failover.begin(cluster)
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const kind of kinds) {
      const told = await failover.strike(
        BLOWS[kind][(values.form === '' ? round % 2 : Number(values.form) - 1) === 0 ? 0 : 1],
        chance.between(0, 1_000),
      )
      console.log(`${round + 1}/${values.rounds} ${told}; ${failover.progress()}`)
    }
  }
  faults.push(...(await failover.end()))
  for (const [name, times] of failover.silences) {
    const [middle, worst] = [times.toSorted((a, b) => a - b)[times.length >> 1], Math.max(...times)]
    console.log(
      `${name}, ${times.length} times: longest silence of a till ` +
        `${middle} ms usually, ${worst} ms at most`,
    )
  }
  console.log(failover.progress())
} finally {
  await failover?.kill()
  await cluster.stop()
  if (values.keep) {
    // under its own name the next run of tests would take it away
    const kept = folder.replace('throw-away', 'kept')
    renameSync(folder, kept)
    console.log(`kept: ${kept}`)
  } else rmSync(folder, { recursive: true, force: true })
}
for (const fault of faults) console.log(`FAULT ${fault}`)
console.log(faults.length === 0 ? 'everything held' : `${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1
