// A real server in a process of its own, as it is compiled, to be killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { scriptFile } from './script-file.js'
import { partsOf, type TestSettings } from './settings.js'

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
/** The same, where something is set that no setting changes. */
const SCRIPT = scriptFile('serve-script.ts')
const AS_NPM_START = ['--min-semi-space-size=32', '--max-semi-space-size=32']
const START_MS = 60_000 * Number(process.env.TEST_PATIENCE ?? 1)
const KEPT_OUTPUT = 20_000

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
}

export class Server {
  readonly url: string
  readonly ended: Promise<Ended>
  private readonly child: ChildProcess
  private said = ''

  private constructor(settings: TestSettings) {
    this.url = `http://127.0.0.1:${settings.PORT}`
    const { variables, fixed } = partsOf(settings)
    const isUsual = Object.keys(fixed).length === 0
    const program = isUsual ? [MAIN] : [SCRIPT, JSON.stringify(fixed)]
    const child = spawn(process.execPath, [...AS_NPM_START, ...program], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', ...variables },
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (piece: Buffer) => {
        this.said = (this.said + piece.toString()).slice(-KEPT_OUTPUT)
      })
    }
    this.child = child
    this.ended = new Promise((resolve) => {
      child.once('close', (code, signal) => resolve({ code, signal }))
    })
  }

  /** Resolves when it answers; rejects with what it said when it ends before. */
  static async start(settings: TestSettings): Promise<Server> {
    const server = new Server(settings)
    const ended = server.ended.then(({ code, signal }) => {
      throw new Error(`the server ended with ${code ?? signal}:\n${server.said}`)
    })
    // later ends are looked at by the test itself
    void Promise.allSettled([ended])
    await Promise.race([server.ready(START_MS), ended])
    return server
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  /** Processes that serve, where there are several; PostgreSQL is a child of the first as well. */
  get processes(): number[] {
    const { pid } = this
    const ids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    return ids.map(Number).filter((id) => /\/node$/.test(readlinkSync(`/proc/${id}/exe`)))
  }

  /** What it wrote last, for the message of a failed test. */
  get output(): string {
    return this.said
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null
  }

  /** Milliseconds until /health/ready says 200. */
  async ready(patienceMs: number): Promise<number> {
    const from = performance.now()
    while (performance.now() - from < patienceMs) {
      const status = await fetch(`${this.url}/health/ready`).then(
        (reply) => reply.status,
        () => 0,
      )
      if (status === 200) return performance.now() - from
      await sleep(25)
    }
    throw new Error(`not ready after ${patienceMs} ms:\n${this.said}`)
  }

  async kill(): Promise<Ended> {
    this.child.kill('SIGKILL')
    return this.ended
  }

  /** Asks it to stop; how it ended, and how long that took. */
  async stop(): Promise<Ended & { ms: number }> {
    const from = performance.now()
    this.child.kill('SIGTERM')
    return { ...(await this.ended), ms: performance.now() - from }
  }
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
