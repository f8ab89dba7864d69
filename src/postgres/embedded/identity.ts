// As whom PostgreSQL runs: it refuses uid 0, so root lends it the uid of postgres or nobody.
// Access.ts then tells whether this user reaches what it needs.
import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { DatabaseError } from '../database-error.js'

/** The user PostgreSQL runs as; undefined wherever that is the user we are. */
export interface Identity {
  uid: number
  gid: number
}

const CANDIDATES = ['postgres', 'nobody']

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/**
 * For root: the owner of an existing cluster, else postgres, else nobody. For others: undefined.
 * Throws DatabaseError when the cluster is another user's.
 */
export function identityFor(cluster: string): Identity | undefined {
  const owner = fs.statSync(cluster, { throwIfNoEntry: false })
  if (!isRoot()) {
    if (owner !== undefined && owner.uid !== (process.getuid?.() ?? owner.uid))
      throw foreign(cluster)
    return undefined
  }
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  for (const name of CANDIDATES) {
    const found = lookUp(name)
    if (found !== undefined) return found
  }
  throw new DatabaseError(
    'not-permitted',
    'PostgreSQL does not run as root and there is no user postgres or nobody: ' +
      'start fiskalwerk as an ordinary user or set DATABASE_URL.',
  )
}

function foreign(cluster: string): DatabaseError {
  return new DatabaseError(
    'not-permitted',
    `The database in ${cluster} belongs to another user: ` +
      'start fiskalwerk as root or as that user, or set DATA_DIR to another folder.',
  )
}

function lookUp(name: string): Identity | undefined {
  const id = (option: string) =>
    Number(
      execFileSync('id', [option, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    )
  try {
    return { uid: id('-u'), gid: id('-g') }
  } catch (error) {
    // `id` answers an unknown user with exit code 1; anything else is a broken machine
    if (error instanceof Error && 'status' in error && error.status === 1) return undefined
    throw error
  }
}
