// Where the server of a data folder listens, for commands that print addresses: `npm start` with
// another PORT, and `npx fiskalwerk demo` beside it.
import * as fs from 'node:fs'
import * as net from 'node:net'
import * as path from 'node:path'
import { noteAgain, readNote } from './embedded/note.js'

const noteOf = (dataDir: string): string => path.join(dataDir, 'server-address')

/**
 * Without a data folder (an external database, a container) there is no note. That of another
 * server stays while somebody answers there.
 */
export async function noteAddress(dataDir: string, address: string): Promise<void> {
  const other = notedAddress(dataDir)
  if (other !== undefined && other !== address && (await answers(other))) return
  if (isFolder(dataDir)) noteAgain(noteOf(dataDir), address)
}

const PATIENCE_MS = 500

function answers(address: string): Promise<boolean> {
  if (!URL.canParse(address)) return Promise.resolve(false)
  const { hostname, port } = new URL(address)
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[(.*)\]$/, '$1')
    const socket = net.connect({ host, port: Number(port), timeout: PATIENCE_MS })
    const end = (isThere: boolean) => () => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false))
  })
}

/** The address of the server at work, or of one that was killed; undefined after a tidy stop. */
export function notedAddress(dataDir: string): string | undefined {
  return isFolder(dataDir) ? readNote(noteOf(dataDir)) : undefined
}

/** Another server's note stays. */
export function forgetAddress(dataDir: string, address: string): void {
  if (notedAddress(dataDir) === address) fs.rmSync(noteOf(dataDir), { force: true })
}

function isFolder(dataDir: string): boolean {
  return fs.statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() === true
}
