// Starts PostgreSQL on a cluster, adopts one that is at work already, and stops it. Any process of
// the data folder may do any of it.
import { type ChildProcess, spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError, errorCode } from '../database-error.js'
import type { StoreLog } from '../log.js'
import { program } from './binaries.js'
import { leftOverProcesses, pidFileOf, readPidFile } from './pid-file.js'
import type { Places } from './places.js'
import { programEnvironment, reasonIn, runProgram } from './run-program.js'
import { settingArguments } from './settings.js'

export interface StartOptions {
  places: Places
  durable: boolean
  log: StoreLog
}

export interface Postmaster {
  pid: number
  /** True when it ran already. */
  adopted: boolean
}

const POLL_MS = 3
/** Between two tries to start; reasons that pass by themselves get this long altogether. */
const RETRY_MS = 50
const PASSING_FAULT_MS = 30_000
/** After a crash the log is replayed: seconds, rarely minutes. Longer is no start any more. */
const RECOVERY_MS = 600_000
const NOTICE_MS = 3_000
const LOG_FILE_LIMIT_BYTES = 16 * 1024 * 1024

/** Resolves when PostgreSQL accepts connections. Throws DatabaseError when it does not come up. */
export async function ensureRunning(options: StartOptions): Promise<Postmaster> {
  const { cluster } = options.places
  const started = performance.now()
  let launched: number | undefined
  while (performance.now() - started < RECOVERY_MS) {
    const found = readPidFile(cluster)
    if (found.kind === 'running') {
      if (found.server.status === 'ready') {
        return { pid: found.server.pid, adopted: found.server.pid !== launched }
      }
      await sleep(POLL_MS)
    } else {
      if (found.kind === 'stranger') await removePidFile(cluster)
      launched = await launchOrWait(options, started)
    }
  }
  throw new DatabaseError(
    'start-failed',
    `The embedded PostgreSQL is not ready after ${RECOVERY_MS / 60_000} minutes; ` +
      `${options.places.logFile} says why.`,
  )
}

/** The process number of a server that came up, or undefined when it may be tried again. */
async function launchOrWait(options: StartOptions, started: number): Promise<number | undefined> {
  const outcome = await launch(options)
  if (typeof outcome === 'number') return outcome
  const passing = PASSING.test(outcome.output) && performance.now() - started < PASSING_FAULT_MS
  if (!passing) {
    throw new DatabaseError(
      'start-failed',
      `The embedded PostgreSQL does not start: "${reasonIn(outcome.output)}" ` +
        `(${options.places.logFile}).`,
    )
  }
  await sleep(RETRY_MS)
  return undefined
}

/**
 * Faults that pass: the processes of a killed server are still going, or another process of ours
 * was faster with the same start.
 */
const PASSING =
  /pre-existing shared memory block|lock file "postmaster\.pid"|lock file ".*\.s\.PGSQL/

/** The file is also what tells a new server of an old one's processes: those must be gone first. */
async function removePidFile(cluster: string): Promise<void> {
  const waitedFrom = performance.now()
  while (
    leftOverProcesses(cluster).length > 0 &&
    performance.now() - waitedFrom < PASSING_FAULT_MS
  ) {
    await sleep(RETRY_MS)
  }
  if (readPidFile(cluster).kind === 'stranger') fs.rmSync(pidFileOf(cluster), { force: true })
}

type LaunchOutcome = number | { output: string }

async function launch(options: StartOptions): Promise<LaunchOutcome> {
  if (process.platform === 'win32') return launchOnWindows(options)
  const { places } = options
  turnLogOver(places.logFile)
  const log = fs.openSync(places.logFile, 'a', 0o600)
  const from = fs.fstatSync(log).size
  const child = spawn(program(places.native, 'postgres'), serverArguments(options), {
    cwd: '/',
    // Ctrl-C reaches the whole process group; PostgreSQL has to outlive our own tidy stop
    detached: true,
    stdio: ['ignore', log, log],
    ...programEnvironment,
    ...places.identity,
  })
  fs.closeSync(log)
  child.unref()
  const failure = await readyOrEnded(options, child)
  if (failure === undefined && child.pid !== undefined) return child.pid
  return { output: `${logSince(places.logFile, from)}\n${failure ?? ''}` }
}

function serverArguments({ places, durable }: StartOptions): string[] {
  return ['-D', places.cluster, ...settingArguments(places.endpoint, durable)]
}

/** Undefined when the child has written "ready" into its file; why, when it ended before. */
async function readyOrEnded(
  options: StartOptions,
  child: ChildProcess,
): Promise<string | undefined> {
  let end: string | undefined
  child.once('error', (error) => {
    end = error.message
  })
  child.once('exit', (code, signal) => {
    end = `exit ${signal ?? code}`
  })
  const notice = setTimeout(() => {
    options.log.info('PostgreSQL is replaying its log after a crash; this may take a moment')
  }, NOTICE_MS)
  while (end === undefined) {
    const found = readPidFile(options.places.cluster)
    const server = found.kind === 'running' ? found.server : undefined
    if (server !== undefined && server.pid === child.pid && server.status === 'ready') break
    await sleep(POLL_MS)
  }
  clearTimeout(notice)
  return end
}

/** Windows: pg_ctl sheds administrator rights, with which PostgreSQL refuses to run. */
async function launchOnWindows(options: StartOptions): Promise<LaunchOutcome> {
  const { places } = options
  const settings = settingArguments(places.endpoint, options.durable).join(' ')
  const args = ['start', '-w', '-D', places.cluster, '-l', places.logFile, '-o', settings]
  await runProgram(program(places.native, 'pg_ctl'), args, undefined)
  const found = readPidFile(places.cluster)
  return found.kind === 'running' ? found.server.pid : { output: 'no postmaster.pid' }
}

function turnLogOver(file: string): void {
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > LOG_FILE_LIMIT_BYTES) fs.renameSync(file, `${file}.1`)
}

function logSince(file: string, from: number): string {
  return fs.readFileSync(file).subarray(from).toString('utf8')
}

const SHUTDOWN_MS = 10_000

/** Fast shutdown; resolves when PostgreSQL has written everything and is gone. */
export async function stopPostmaster(
  places: Pick<Places, 'cluster' | 'native'>,
  log: StoreLog,
): Promise<void> {
  if (process.platform === 'win32') {
    if (readPidFile(places.cluster).kind !== 'running') return
    const args = ['stop', '-w', '-m', 'fast', '-D', places.cluster]
    return runProgram(program(places.native, 'pg_ctl'), args, undefined)
  }
  if (await endsAfter(places.cluster, 'SIGINT')) return
  log.warn('PostgreSQL does not stop in time; stopping it the hard way (nothing committed is lost)')
  if (await endsAfter(places.cluster, 'SIGQUIT')) return
  log.error('PostgreSQL does not stop; the next start takes it over')
}

/** The file goes last; a dead process may stay visible for long where nobody collects it. */
async function endsAfter(cluster: string, signal: NodeJS.Signals): Promise<boolean> {
  const first = readPidFile(cluster)
  if (first.kind !== 'running') return true
  sendSignal(first.server.pid, signal)
  for (const from = performance.now(); performance.now() - from < SHUTDOWN_MS; ) {
    const found = readPidFile(cluster)
    if (found.kind !== 'running' || found.server.pid !== first.server.pid) return true
    await sleep(POLL_MS)
  }
  return false
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // it went in this very moment
    if (errorCode(error) !== 'ESRCH') throw error
  }
}
