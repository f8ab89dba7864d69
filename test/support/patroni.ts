// Three PostgreSQL under Patroni with etcd and HAProxy, from the sample files of docs/operations:
// only folders, names and passwords are put in. For root; Debian has the packages.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { closeNetwork, Machine, openNetwork } from './machines.js'

const SAMPLES = fileURLToPath(new URL('../../docs/operations/', import.meta.url))
/** HAProxy, and the first of the addresses of etcd. */
const [PROXY, ETCD] = [5, 31]
const HOSTS = { pg1: 11, pg2: 12, pg3: 13 }
const START_MS = 90_000

interface Member {
  name: string
  role: string
  state: string
}

export class PatroniCluster {
  readonly machines: Machine[] = []
  private readonly folder: string
  private readonly passwords = [1, 2, 3].map(() => randomBytes(12).toString('hex'))
  private readonly others: ChildProcess[] = []

  private constructor(folder: string) {
    this.folder = folder
  }

  static async start(folder: string): Promise<PatroniCluster> {
    const cluster = new PatroniCluster(folder)
    try {
      await cluster.begin()
      return cluster
    } catch (error) {
      await cluster.stop()
      throw error
    }
  }

  private async begin(): Promise<void> {
    openNetwork([PROXY, ETCD])
    this.startEtcd()
    for (const [name, host] of Object.entries(HOSTS)) {
      const machine = new Machine(name, host)
      this.machines.push(machine)
      this.write(machine)
      this.power(machine)
    }
    await this.whole(START_MS)
    this.startProxy()
    await this.proxyKnows()
    await this.createDatabase()
  }

  /** What servers are given. */
  get url(): string {
    return `postgresql://fiskalwerk:${this.passwords[2]}@10.20.0.${PROXY}:5432/fiskalwerk`
  }

  /** Starts what a service manager would start on the machine. */
  power(machine: Machine): void {
    machine.start({
      command: 'patroni',
      words: [this.file(machine, 'yml')],
      log: this.file(machine, 'log'),
    })
  }

  /** As the members see themselves, from the first that answers; empty: none does. */
  async members(): Promise<Member[]> {
    for (const { address } of this.machines) {
      const [members] = await Promise.allSettled([membersAt(address)])
      if (members.status === 'fulfilled' && members.value !== undefined) return members.value
    }
    return []
  }

  async primary(): Promise<Machine> {
    const machine = await this.findPrimary()
    if (machine === undefined) throw new Error('there is no primary')
    return machine
  }

  async findPrimary(): Promise<Machine | undefined> {
    const leader = (await this.members()).find(({ role }) => role === 'leader')
    return this.machines.find(({ name }) => name === leader?.name)
  }

  get addressesOfOthers(): (machine: Machine) => string[] {
    const all = [`10.20.0.${ETCD}`, ...this.machines.map(({ address }) => address)]
    return ({ address }) => all.filter((one) => one !== address)
  }

  /** Until there are a primary, a synchronous standby and a third that follows. */
  async whole(patienceMs: number): Promise<void> {
    const end = performance.now() + patienceMs
    let seen: Member[] = []
    while (performance.now() < end) {
      seen = await this.members()
      const roles = seen.filter(({ state }) => state === 'running').map(({ role }) => role)
      if (roles.toSorted().join() === 'leader,replica,sync_standby') return
      await sleep(250)
    }
    throw new Error(`no whole cluster after ${patienceMs} ms: ${JSON.stringify(seen)}`)
  }

  async stop(): Promise<void> {
    for (const child of this.others) child.kill('SIGKILL')
    await Promise.all(
      this.others.map((child) => child.exitCode ?? new Promise((done) => child.once('exit', done))),
    )
    closeNetwork()
  }

  private file({ name }: Machine, end: string): string {
    return join(this.folder, `${name}.${end}`)
  }

  private write(machine: Machine): void {
    const home = join(this.folder, machine.name)
    mkdirSync(home, { mode: 0o700 })
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
    chownSync(home, id('-u'), id('-g'))
    const [superuser = '', replication = ''] = this.passwords
    const text = readFileSync(join(SAMPLES, 'patroni.yml'), 'utf8')
      .replaceAll('10.20.0.11', machine.address)
      .replace('name: pg1', `name: ${machine.name}`)
      .replaceAll('/var/lib/postgresql/15', home)
      .replaceAll('/var/lib/postgresql', home)
      .replaceAll('/var/run/postgresql', home)
      .replace('CHANGE-ME-1', superuser)
      .replace('CHANGE-ME-2', replication)
    writeFileSync(this.file(machine, 'yml'), text)
    writeFileSync(this.file(machine, 'log'), '')
    chmodSync(this.folder, 0o755)
  }

  private startEtcd(): void {
    const at = (port: number) => `http://10.20.0.${ETCD}:${port}`
    const words = ['--data-dir', join(this.folder, 'etcd'), '--name', 'etcd1', '--log-level=error']
    const urls = ['--listen-client-urls', at(2379), '--advertise-client-urls', at(2379)]
    const client = ['--enable-v2=true', ...urls]
    const peer = ['--listen-peer-urls', at(2380), '--initial-advertise-peer-urls', at(2380)]
    this.startBeside('etcd', [
      ...words,
      ...client,
      ...peer,
      '--initial-cluster',
      `etcd1=${at(2380)}`,
    ])
  }

  /** The part of the sample about the database: no server listens at the addresses of the other. */
  private startProxy(): void {
    const [text = ''] = readFileSync(join(SAMPLES, 'haproxy.cfg'), 'utf8').split(
      '\nlisten fiskalwerk',
    )
    const file = join(this.folder, 'haproxy.cfg')
    writeFileSync(file, `${text}\n`)
    this.startBeside('haproxy', ['-db', '-f', file])
  }

  private startBeside(command: string, words: readonly string[]): void {
    const out = openSync(join(this.folder, `${command}.log`), 'a')
    this.others.push(spawn(command, words, { stdio: ['ignore', out, out] }))
  }

  /** A connection through the proxy, which finds the primary within a second. */
  private async reached(caller: string): Promise<pg.Client> {
    for (let tries = 0; ; tries += 1) {
      const client = new pg.Client(`${caller}@10.20.0.${PROXY}:5432/postgres`)
      try {
        await client.connect()
        // for its first second the proxy believes all three
        const { rows } = await client.query('select pg_is_in_recovery() as standby')
        if (rows[0].standby === false) return client
        throw new Error('it is a standby')
      } catch (error) {
        await Promise.allSettled([client.end()])
        if (tries === 50) throw error
        await sleep(200)
      }
    }
  }

  /** Until it leads to the primary whatever its turn is. */
  private async proxyKnows(): Promise<void> {
    for (let turns = 0; turns < 2 * this.machines.length; turns += 1) {
      const client = await this.reached(`postgresql://postgres:${this.passwords[0]}`)
      await client.end()
      await sleep(500)
    }
  }

  private async createDatabase(): Promise<void> {
    const client = await this.reached(`postgresql://postgres:${this.passwords[0]}`)
    await client.query(`create role fiskalwerk login password '${this.passwords[2]}'`)
    await client.query(
      "create database fiskalwerk owner fiskalwerk encoding 'UTF8' template template0",
    )
    await client.end()
  }
}

async function membersAt(address: string): Promise<Member[] | undefined> {
  const signal = AbortSignal.timeout(1_000)
  const reply = await fetch(`http://${address}:8008/cluster`, { signal })
  return ((await reply.json()) as { members?: Member[] }).members
}
