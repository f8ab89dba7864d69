// The built server as a process of its own, as `npm start` runs it.
import { type ChildProcess, spawn } from 'node:child_process'
import * as fs from 'node:fs'
import * as readline from 'node:readline'
import { fileURLToPath } from 'node:url'

const ROOT = new URL('../../', import.meta.url)
const MAIN = fileURLToPath(new URL('dist/main.js', ROOT))

export interface Server {
  url: string
  pid: number
  /** What V8 has allocated on its heap since the start, in kB; null unless it was asked for. */
  allocatedKb(): number | null
  stop(): Promise<void>
}

export interface ServerOptions {
  databaseUrl: string
  masterKey: Buffer
  /** Folder for a CPU profile, written when the server stops. */
  profile?: string | undefined
  /** Counts what is allocated, by what V8 tells of each garbage collection. */
  countsAllocation?: boolean
  /** Further variables. */
  settings?: Record<string, string>
}

export async function startServer(options: ServerOptions): Promise<Server> {
  if (!fs.existsSync(MAIN)) throw new Error('dist/main.js is missing: npm run build')
  const { profile } = options
  const flags = profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profile]
  if (options.countsAllocation) flags.push('--trace-gc')
  const child = spawn(process.execPath, [...flagsOfStart(), ...flags, MAIN], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      LOG_LEVEL: 'warn',
      DATABASE_URL: options.databaseUrl,
      MASTER_KEY: options.masterKey.toString('base64'),
      ...options.settings,
    },
  })
  const url = await addressOf(child)
  const allocated = options.countsAllocation ? allocationOf(child) : () => null
  return { url, pid: child.pid ?? 0, allocatedKb: allocated, stop: () => stop(child) }
}

/** `Scavenge 66.6 (83.4) -> 62.9 (90.1) MB`: what was there before a collection and after it. */
const COLLECTION = /: [^:]+ ([\d.]+) \([\d.]+\) -> ([\d.]+) \([\d.]+\) MB/

/** Sums up what each collection has found more than the one before has left. */
function allocationOf({ stdout }: ChildProcess): () => number {
  let allocatedMb = 0
  let left: number | undefined
  if (stdout === null) throw new Error('the server has no output to read')
  readline.createInterface({ input: stdout }).on('line', (line) => {
    const [, before, after] = COLLECTION.exec(line) ?? []
    if (before === undefined) return
    if (left !== undefined) allocatedMb += Math.max(0, Number(before) - left)
    left = Number(after)
  })
  return () => allocatedMb * 1024
}

/** What `npm start` gives to Node.js. */
function flagsOfStart(): string[] {
  const { scripts } = JSON.parse(fs.readFileSync(new URL('package.json', ROOT), 'utf8'))
  return String(scripts.start).split(' ').slice(1, -1)
}

/** The address that the server greets with. */
export async function addressOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the server has no output to read')
  const lines = readline.createInterface({ input: child.stdout })
  for await (const line of lines) {
    const address = /address\s+(http:\S+)/.exec(line)?.[1]
    if (address === undefined) continue
    child.stdout.resume()
    return address
  }
  throw new Error(`the server ended before it was ready (exit code ${child.exitCode})`)
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGTERM')
  await ended
}
