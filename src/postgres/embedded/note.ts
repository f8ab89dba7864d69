// One-line files in DATA_DIR that remember where parts of the embedded database lie.
// Several processes may meet here for the first time at once.
import * as fs from 'node:fs'
import { errorCode } from '../database-error.js'

export function readNote(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8').trimEnd()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Writes the note unless there is one; answers what it says then, the same to every process. */
export function noteOnce(file: string, text: string): string {
  const fresh = write(file, text)
  try {
    fs.linkSync(fresh, file)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    fs.rmSync(fresh)
  }
  return readNote(file) ?? text
}

/** Writes the note whatever it said before. */
export function noteAgain(file: string, text: string): string {
  fs.renameSync(write(file, text), file)
  return readNote(file) ?? text
}

function write(file: string, text: string): string {
  const fresh = `${file}.${process.pid}`
  fs.writeFileSync(fresh, `${text}\n`, { mode: 0o600 })
  return fresh
}
