// Whether all that a checkout is prepared from has been looked at already, as its files are now: by
// their sizes and times, without reading them. What is not known here, setup.mjs reads.
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'

const TREES = ['src', 'client/src', 'portal', 'scripts']
const FILES = [
  ...['prisma/schema.prisma', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'],
  // what they become, and what says that they have become it
  ...['dist', 'dist/portal/index.html'],
  ...['packages', 'client', 'build', 'portal'].map((step) => `node_modules/.setup-${step}`),
]

export function isSeen(root) {
  try {
    return fs.readFileSync(noteOf(root), 'utf8') === lookOver(root)
  } catch {
    return false
  }
}

/** A word for all files as they are; undefined where one is absent. */
export function look(root) {
  try {
    return lookOver(root)
  } catch {
    return undefined
  }
}

/** `looked`: before they were read; what has changed since then is not noted. */
export function noteSeen(root, looked) {
  if (looked === undefined || looked !== look(root)) return
  try {
    fs.rmSync(noteOf(root), { force: true })
    fs.writeFileSync(noteOf(root), looked)
  } catch (error) {
    // who may not write here prepares nothing, and reads each time
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error
  }
}

const noteOf = (root) => path.join(root, 'node_modules', '.setup-seen')

function lookOver(root) {
  const sum = createHash('sha256')
  for (const name of FILES) add(sum, path.join(root, name))
  for (const name of TREES) addTree(sum, path.join(root, name))
  return sum.digest('hex')
}

function addTree(sum, folder) {
  add(sum, folder)
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) addTree(sum, file)
    else add(sum, file)
  }
}

/** The time of a file's last change is set by the system alone. */
function add(sum, file) {
  const { size, ctimeNs, ino } = fs.statSync(file, { bigint: true })
  sum.update(`${file}\0${size} ${ctimeNs} ${ino}\0`)
}
