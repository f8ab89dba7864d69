// Reads postmaster.pid: is a server at work on this cluster, which one, and is it ready? After a
// crash the file stays, and its number may become a stranger's.
import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { errorCode } from '../database-error.js'

export interface RunningServer {
  pid: number
  /** starting, ready, standby, stopping; '' while the file is being written. */
  status: string
}

/**
 * What the file says. `stranger`: its process lives, but is none of this cluster, or the file is
 * empty; PostgreSQL would refuse to start then.
 */
export type PidFile =
  | { kind: 'none' }
  | { kind: 'dead' }
  | { kind: 'stranger' }
  | { kind: 'running'; server: RunningServer }

export function pidFileOf(cluster: string): string {
  return path.join(cluster, 'postmaster.pid')
}

export function readPidFile(cluster: string): PidFile {
  const text = readText(pidFileOf(cluster))
  if (text === undefined) return { kind: 'none' }
  const lines = text.split('\n').map((line) => line.trim())
  const pid = Math.abs(Number(lines[0]))
  if (!Number.isInteger(pid) || pid === 0) return { kind: 'stranger' }
  if (!isAlive(pid)) return { kind: 'dead' }
  if (!serves(pid, cluster)) return { kind: 'stranger' }
  return { kind: 'running', server: { pid, status: lines[7] ?? '' } }
}

function readText(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/** Whether process `pid` is a PostgreSQL on this cluster. Numbers are given out again. */
function serves(pid: number, cluster: string): boolean {
  if (process.platform === 'linux') return worksIn(pid, fs.realpathSync(cluster))
  if (process.platform === 'win32') return true
  return commandOf(pid).includes('postgres')
}

/** On Linux: a process of PostgreSQL has the cluster as its working folder. */
function worksIn(pid: number | string, cluster: string): boolean {
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`) === cluster
  } catch (error) {
    // gone, a zombie, or another user's: not a server that we could use
    if (['ENOENT', 'EACCES', 'EPERM', 'ESRCH'].includes(errorCode(error))) return false
    throw error
  }
}

function commandOf(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch (error) {
    if (error instanceof Error && 'status' in error && error.status === 1) return ''
    throw error
  }
}

/** Processes of a server that died: they may still write to the cluster. Known on Linux only. */
export function leftOverProcesses(cluster: string): number[] {
  if (process.platform !== 'linux') return []
  const real = fs.realpathSync(cluster)
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && worksIn(name, real))
    .map(Number)
}
