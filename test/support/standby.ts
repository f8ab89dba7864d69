// A synchronous standby of an embedded PostgreSQL, on the same machine and without any manager: the
// test itself says when it stands still, when it takes over, and whom a commit waits for. Linux.
import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { giveTo } from '../../src/postgres/embedded/access.js'
import { packagedNative, program } from '../../src/postgres/embedded/binaries.js'
import { SUPERUSER } from '../../src/postgres/embedded/cluster.js'
import { openCluster, startAndLogIn } from '../../src/postgres/embedded/embedded.js'
import { DATABASE, type LoginConfig, loginConfig, ROLE } from '../../src/postgres/embedded/login.js'
import { leftOverProcesses } from '../../src/postgres/embedded/pid-file.js'
import { findPlaces, type Places } from '../../src/postgres/embedded/places.js'
import { stopPostmaster } from '../../src/postgres/embedded/postmaster.js'
import { programEnvironment } from '../../src/postgres/embedded/run-program.js'
import { settingArguments } from '../../src/postgres/embedded/settings.js'
import { quietLog } from './data-folder.js'
import { signalTo } from './signals.js'

const STANDBY = 'standby'
const START_MS = 20_000

/** One of the two. */
export class Machine {
  constructor(private readonly places: Places) {}

  get config(): LoginConfig {
    return loginConfig(this.places.endpoint, ROLE, DATABASE)
  }

  get url(): string {
    const { host, port } = this.places.endpoint
    return `postgresql://${ROLE}@${encodeURIComponent(host)}:${port}/${DATABASE}`
  }

  /** As the superuser, on a connection of its own. */
  async ask<Row extends pg.QueryResultRow>(...statements: string[]): Promise<Row[]> {
    const client = new pg.Client(loginConfig(this.places.endpoint, SUPERUSER, DATABASE))
    client.on('error', () => undefined)
    await client.connect()
    let rows: Row[] = []
    for (const sql of statements) rows = (await client.query<Row>(sql)).rows
    await client.end()
    return rows
  }

  /** To every process of it. */
  signal(name: NodeJS.Signals): void {
    for (const pid of leftOverProcesses(this.places.cluster)) signalTo(pid, name)
  }

  /** As a service manager would; after a crash it recovers. One still dying is no server. */
  async start(): Promise<void> {
    const { client } = await startAndLogIn({ places: this.places, durable: true, log: quietLog })
    await client.end()
  }

  /** Fast shutdown: every session is ended. */
  stop(): Promise<void> {
    return stopPostmaster(this.places, quietLog)
  }

  /** Commits of it wait for these; '': for nobody. */
  async awaits(names: string): Promise<void> {
    const set = `alter system set synchronous_standby_names = '${names}'`
    await this.ask(set, 'select pg_reload_conf()')
    const get = "select current_setting('synchronous_standby_names') as names"
    await until(async () => (await this.ask<{ names: string }>(get))[0]?.names === names)
  }
}

export interface Pair {
  primary: Machine
  standby: Machine
}

/** A PostgreSQL in this folder, and a standby below it that its commits wait for. */
export async function startPair(folder: string): Promise<Pair> {
  const { places, client } = await openCluster({ dataDir: folder, durable: true, log: quietLog })
  await client.end()
  const primary = new Machine(places)
  const follower = await findPlaces({ dataDir: join(folder, STANDBY) })
  await copy(primary, places, follower)
  spawn(
    program(packagedNative(), 'postgres'),
    ['-D', follower.cluster, ...settingArguments(follower.endpoint, true)],
    {
      ...{ cwd: '/', detached: true, ...programEnvironment, ...follower.identity },
      stdio: ['ignore', openSync(follower.logFile, 'a'), openSync(follower.logFile, 'a')],
    },
  ).unref()
  const standby = new Machine(follower)
  await until(() => isThere(standby))
  await primary.awaits(STANDBY)
  const synced = "select from pg_stat_replication where sync_state = 'sync'"
  await until(async () => (await primary.ask(synced)).length === 1)
  return { primary, standby }
}

/** A base backup by hand: the packages bring no program for it. */
async function copy(primary: Machine, from: Places, to: Places): Promise<void> {
  const client = new pg.Client(loginConfig(from.endpoint, SUPERUSER, DATABASE))
  await client.connect()
  await client.query("select pg_backup_start('standby', true)")
  execFileSync('cp', ['-a', from.cluster, to.cluster])
  const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
  await client.end()
  rmSync(join(to.cluster, 'postmaster.pid'))
  const label = String(rows[0]?.labelfile)
  for (const [name, text] of Object.entries({ backup_label: label, 'standby.signal': '' })) {
    writeFileSync(join(to.cluster, name), text)
    giveTo(join(to.cluster, name), to.identity)
  }
  const { host, port } = primary.config
  const who = `user=${SUPERUSER} application_name=${STANDBY}`
  const told = `primary_conninfo = 'host=${host} port=${port} ${who}'\n`
  appendFileSync(join(to.cluster, 'postgresql.auto.conf'), told)
}

async function isThere(machine: Machine): Promise<boolean> {
  const [asked] = await Promise.allSettled([machine.ask('select 1')])
  return asked.status === 'fulfilled'
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + START_MS
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('it does not come about')
    await sleep(20)
  }
}
