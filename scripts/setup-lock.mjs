// A lock file that its owner's death leaves behind harmlessly.
// Called by scripts/setup.mjs, which two commands may run at once.
import * as fs from 'node:fs'

const POLL_MS = 100
/** Longer than any installation; a lock this old is left over, whoever has its number now. */
const LOCK_MAX_MS = 30 * 60_000

/** npm test beside npm start: one works, the other waits and then finds nothing left to do. */
export function withLock(lock, work) {
  while (!takeLock(lock)) {
    if (isLeftOver(lock)) removeLeftOver(lock)
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS)
  }
  try {
    work()
  } finally {
    fs.rmSync(lock, { force: true })
  }
}

function takeLock(lock) {
  try {
    fs.writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return false
  }
}

/** Whether the lock's owner is gone. A file without a number is just being written. */
function isLeftOver(file) {
  const about = fs.statSync(file, { throwIfNoEntry: false })
  if (about === undefined) return false
  if (Date.now() - about.mtimeMs > LOCK_MAX_MS) return true
  const owner = Number(readIfThere(file))
  return owner > 0 && !isAlive(owner)
}

/** Renaming takes the lock away from everyone at once; a live one after all is put back. */
function removeLeftOver(lock) {
  const aside = `${lock}-${process.pid}`
  try {
    fs.renameSync(lock, aside)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    return
  }
  if (isLeftOver(aside)) fs.rmSync(aside)
  else fs.renameSync(aside, lock)
}

function readIfThere(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
