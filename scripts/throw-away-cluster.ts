// A PostgreSQL for one run of tests or one script: fast, not durable, gone at the end.
import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { canReach } from '../src/postgres/embedded/access.js'
import { packagedNative } from '../src/postgres/embedded/binaries.js'
import { SUPERUSER } from '../src/postgres/embedded/cluster.js'
import { openCluster } from '../src/postgres/embedded/embedded.js'
import { identityFor } from '../src/postgres/embedded/identity.js'
import { DATABASE, type LoginConfig, loginConfig, ROLE } from '../src/postgres/embedded/login.js'
import { isAlive } from '../src/postgres/embedded/pid-file.js'
import { stopPostmaster } from '../src/postgres/embedded/postmaster.js'

const PREFIX = 'fiskalwerk-throw-away-'

export interface ThrowAwayCluster {
  /** The server's role on its empty database. */
  config: LoginConfig
  /** The superuser, on a database that nobody clones. */
  superuser: LoginConfig
  stop(): Promise<void>
}

const quiet = { info: () => undefined, warn: console.warn, error: console.error }

/** `of`: a folder whose cluster is copied. */
export async function startThrowAwayCluster(of?: string): Promise<ThrowAwayCluster> {
  await removeDeadRuns()
  const folder = makeThrowAwayFolder()
  if (of !== undefined) copyCluster(of, folder)
  const cluster = await openCluster({ dataDir: folder, durable: false, log: quiet })
  await cluster.client.end()
  const { endpoint } = cluster.places
  return {
    config: loginConfig(endpoint, ROLE, DATABASE),
    superuser: loginConfig(endpoint, SUPERUSER, 'template1'),
    stop: () => removeThrowAwayFolder(folder),
  }
}

/** The cluster of a data folder, with which nobody works, into another one that has none. */
export function copyCluster(from: string, to: string): void {
  const [source = '', target = ''] = [from, to].map((folder) => path.join(folder, 'postgres'))
  // with its owner, who is another user when we are root
  execFileSync('cp', ['-a', source, target])
}

/** The temporary directory, unless the database user cannot get into it. */
function temporaryFolder(): string {
  const folder = os.tmpdir()
  return canReach(folder, identityFor(path.join(folder, 'postgres'))) ? folder : '/tmp'
}

/** Process numbers mean something within one such space only; containers may share a folder. */
function processSpace(): string {
  return process.platform === 'linux' ? fs.readlinkSync('/proc/self/ns/pid') : os.hostname()
}

/** A folder that goes with this run, however it ends. Clusters lie in it or one level below. */
export function makeThrowAwayFolder(): string {
  const folder = fs.mkdtempSync(path.join(temporaryFolder(), `${PREFIX}${process.pid}-`))
  // another user runs PostgreSQL when we are root
  fs.chmodSync(folder, 0o755)
  fs.writeFileSync(path.join(folder, 'space'), processSpace())
  return folder
}

/** A run that was killed leaves its cluster running. */
async function removeDeadRuns(): Promise<void> {
  for (const name of fs.readdirSync(temporaryFolder())) {
    if (!name.startsWith(PREFIX)) continue
    const folder = path.join(temporaryFolder(), name)
    const pid = Number(name.slice(PREFIX.length).split('-')[0])
    if (!isAlive(pid) && isOfThisSpace(folder)) await removeThrowAwayFolder(folder)
  }
}

function isOfThisSpace(folder: string): boolean {
  const note = path.join(folder, 'space')
  // another run may just have removed it
  if (fs.statSync(folder, { throwIfNoEntry: false })?.uid !== process.getuid?.()) return false
  return fs.existsSync(note) && fs.readFileSync(note, 'utf8') === processSpace()
}

/** Stops what works in the folder, then removes it. */
export async function removeThrowAwayFolder(folder: string): Promise<void> {
  const below = fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
  for (const base of [folder, ...below.map((entry) => path.join(folder, entry.name))]) {
    const places = { cluster: path.join(base, 'postgres'), native: packagedNative() }
    await stopPostmaster(places, quiet)
  }
  fs.rmSync(folder, { recursive: true, force: true })
}
