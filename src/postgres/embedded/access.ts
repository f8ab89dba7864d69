// What another user may reach: PostgreSQL has to get to its files when root lends it a uid.
import * as fs from 'node:fs'
import * as path from 'node:path'
import { type Identity, isRoot } from './identity.js'

const READ_AND_EXECUTE = 5
const EXECUTE = 1

/** Whether that user may enter every folder above `target` and read and execute `target` itself. */
export function canReach(target: string, identity: Identity | undefined): boolean {
  if (identity === undefined) return true
  const real = fs.realpathSync(target)
  let folder = path.dirname(real)
  for (;;) {
    if (!allows(folder, identity, EXECUTE)) return false
    if (folder === path.dirname(folder)) break
    folder = path.dirname(folder)
  }
  return allows(real, identity, READ_AND_EXECUTE)
}

function allows(target: string, identity: Identity, wanted: number): boolean {
  const { mode, uid, gid } = fs.statSync(target)
  const shift = uid === identity.uid ? 6 : gid === identity.gid ? 3 : 0
  return ((mode >> shift) & wanted) === wanted
}

/** Gives a file or folder to that user. */
export function giveTo(target: string, identity: Identity | undefined): void {
  if (identity !== undefined) fs.chownSync(target, identity.uid, identity.gid)
}

/**
 * Makes a folder with those above it; root's may be entered by all, whatever the umask. One by one,
 * because the recursive form never returns where a parent refuses new folders by ENOENT (/proc).
 */
export function makeOpenFolder(folder: string): void {
  const missing: string[] = []
  let above = path.resolve(folder)
  while (!fs.existsSync(above)) {
    missing.unshift(above)
    above = path.dirname(above)
  }
  for (const one of missing) {
    makeOne(one)
    if (isRoot()) fs.chmodSync(one, 0o755)
  }
}

/** Another process may make the same folder at the same time. */
function makeOne(folder: string): void {
  try {
    fs.mkdirSync(folder)
  } catch (error) {
    if (!fs.existsSync(folder)) throw error
  }
}
