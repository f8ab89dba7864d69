// Where the embedded database lies: cluster, socket, log and programs, and as whom it runs.
// Worked out once per process by embedded.ts.
import * as fs from 'node:fs'
import * as path from 'node:path'
import { DatabaseError, errorCode } from '../database-error.js'
import { canReach, makeOpenFolder } from './access.js'
import { packagedNative, usableNative } from './binaries.js'
import { type Endpoint, endpointOf } from './endpoint.js'
import { type Identity, identityFor } from './identity.js'
import { noteOnce, readNote } from './note.js'

export interface Places {
  dataDir: string
  /** Folder that holds the cluster, its log and its socket: DATA_DIR wherever possible. */
  base: string
  /** The cluster; may not exist yet. */
  cluster: string
  endpoint: Endpoint
  logFile: string
  /** Folder with bin/postgres. */
  native: string
  identity: Identity | undefined
}

export interface PlaceOptions {
  dataDir: string
  /** Programs to use instead of those of the npm package. */
  native?: string | undefined
  /** Where root keeps clusters and programs that cannot lie in a closed folder. */
  readableRoot?: string | undefined
}

const READABLE_ROOT = '/var/lib/fiskalwerk'

/** Makes DATA_DIR and the folders around the cluster. Throws DatabaseError when it may not. */
export async function findPlaces(options: PlaceOptions): Promise<Places> {
  const dataDir = makeDataDir(options.dataDir)
  const note = path.join(dataDir, 'postgres-folder')
  const readableRoot = options.readableRoot ?? READABLE_ROOT
  const identity = identityFor(clusterIn(readNote(note) ?? dataDir))
  const base = readNote(note) ?? chooseBase({ dataDir, note, readableRoot, identity })
  return {
    dataDir,
    base,
    cluster: clusterIn(base),
    endpoint: await endpointOf({ dataDir, base, identity }),
    logFile: path.join(base, 'postgres.log'),
    native: usableNative(
      options.native ?? packagedNative(),
      identity,
      identity === undefined ? dataDir : readableRoot,
    ),
    identity,
  }
}

function clusterIn(base: string): string {
  return path.join(base, 'postgres')
}

function makeDataDir(wanted: string): string {
  try {
    makeOpenFolder(wanted)
    fs.accessSync(wanted, fs.constants.W_OK)
    return fs.realpathSync(wanted)
  } catch (error) {
    throw new DatabaseError(
      'not-permitted',
      `The data folder ${path.resolve(wanted)} cannot be used (${errorCode(error)}): ` +
        'make it writable or set DATA_DIR to another folder.',
    )
  }
}

interface BaseQuestion {
  dataDir: string
  /** Remembers a folder outside DATA_DIR. */
  note: string
  readableRoot: string
  identity: Identity | undefined
}

/** DATA_DIR, or a new folder below `readableRoot` when the database user cannot get in. */
function chooseBase({ dataDir, note, readableRoot, identity }: BaseQuestion): string {
  if (canReach(dataDir, identity)) return dataDir
  if (fs.existsSync(clusterIn(dataDir))) {
    throw new DatabaseError(
      'not-permitted',
      `The database user (uid ${identity?.uid}) cannot get into ${dataDir} any more: ` +
        'let everyone enter that folder and those above it again (chmod o+rx).',
    )
  }
  makeOpenFolder(readableRoot)
  const base = fs.mkdtempSync(path.join(readableRoot, 'data-'))
  fs.chmodSync(base, 0o755)
  const agreed = noteOnce(note, base)
  if (agreed !== base) fs.rmdirSync(base)
  return agreed
}
