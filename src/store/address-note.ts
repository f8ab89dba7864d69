// Where the server of a data folder listens, for commands that print addresses: `npm start` with
// another PORT, and `npx fiskalwerk demo` beside it. Written by serve.ts, read by the command demo.
import * as fs from 'node:fs'
import * as path from 'node:path'
import { noteAgain, readNote } from './embedded/note.js'

const noteOf = (dataDir: string): string => path.join(dataDir, 'server-address')

/** Without a data folder (an external database, a container) there is no note. */
export function noteAddress(dataDir: string, address: string): void {
  if (isFolder(dataDir)) noteAgain(noteOf(dataDir), address)
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
