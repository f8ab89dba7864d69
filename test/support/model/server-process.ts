// A server of a model test in a process of its own: it takes calls over IPC, can be killed at any
// moment, and ends with the process that forked it.
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { scriptFile } from '../script-file.js'

/** What comes to an end at all does so much sooner, on a busy machine as well. */
const CALL_MS = 60_000
const KEPT_OUTPUT = 20_000

/** What a script serves, by name. */
export type Calls = Record<string, (...given: never[]) => unknown>

/** From the process: the answer to a call, or why it ends. */
export type Told = { number: number; value?: unknown; error?: unknown } | { fault: string }

interface Waiting {
  resolve(value: unknown): void
  reject(error: unknown): void
}

export interface ForkOptions {
  /** Of a call; beyond it the call fails. */
  callMs?: number
}

export class ServerProcess<C extends Calls> {
  /** Resolves when it was killed, before the signal is sent: from then on it answers nobody. */
  readonly death: Promise<void>
  private readonly child: ChildProcess
  private readonly exit: Promise<string>
  private readonly callMs: number
  private readonly waiting = new Map<number, Waiting>()
  private die: () => void = () => undefined
  private killed = false
  private fault: string | undefined
  private said = ''
  private calls = 0

  private constructor(script: string, given: unknown, { callMs = CALL_MS }: ForkOptions) {
    this.callMs = callMs
    this.death = new Promise((resolve) => {
      this.die = resolve
    })
    const child = fork(scriptFile(script), [], {
      execArgv: [],
      env: { PATH: process.env.PATH },
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    this.child = child
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (piece: Buffer) => {
        this.said = (this.said + piece.toString()).slice(-KEPT_OUTPUT)
      })
    }
    child.on('message', (message) => this.hear(message as Told))
    this.exit = new Promise((resolve) => {
      // not `close`, which a process that was left by `disconnect` may never tell
      child.once('exit', (code, signal) => {
        this.rejectAll()
        resolve(String(code ?? signal))
      })
    })
    child.send({ given })
  }

  /** Resolves when it takes calls; rejects with its own words when it cannot begin. */
  static async fork<C extends Calls>(
    script: URL,
    given: unknown,
    options: ForkOptions = {},
  ): Promise<ServerProcess<C>> {
    const server = new ServerProcess<C>(fileURLToPath(script), given, options)
    await server.answerTo(0, 'the start')
    return server
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  /** Rejects with what the call threw, with why the process has ended, or after `callMs`. */
  async call<K extends keyof C & string>(
    name: K,
    ...given: Parameters<C[K]>
  ): Promise<Awaited<ReturnType<C[K]>>> {
    this.calls += 1
    const answer = this.answerTo(this.calls, name)
    if (this.child.connected) this.child.send({ number: this.calls, name, given })
    else this.rejectAll()
    return (await answer) as Awaited<ReturnType<C[K]>>
  }

  /** `kill -9`; resolves when the process is gone. */
  async kill(): Promise<void> {
    this.killed = true
    this.die()
    this.child.kill('SIGKILL')
    await this.exit
  }

  /** Rejects with its words where something was not caught in it. */
  async close(): Promise<void> {
    if (this.child.connected) this.child.disconnect()
    const end = await this.exit
    if (!this.killed && end !== '0') throw new Error(this.epitaph(`ended with ${end}`))
  }

  private hear(told: Told): void {
    if (this.killed) return
    if ('fault' in told) {
      this.fault = told.fault
      return
    }
    const waiting = this.waiting.get(told.number)
    this.waiting.delete(told.number)
    if ('error' in told) waiting?.reject(told.error)
    else waiting?.resolve(told.value)
  }

  private answerTo(number: number, name: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(number)
        reject(new Error(this.epitaph(`has not answered ${name} after ${this.callMs} ms`)))
      }, this.callMs)
      const ended = <T>(end: (value: T) => void) => {
        return (value: T) => {
          clearTimeout(timer)
          end(value)
        }
      }
      this.waiting.set(number, { resolve: ended(resolve), reject: ended(reject) })
    })
  }

  private rejectAll(): void {
    const error = new Error(this.epitaph(this.killed ? 'was killed' : 'has ended'))
    for (const { reject } of this.waiting.values()) reject(error)
    this.waiting.clear()
  }

  private epitaph(what: string): string {
    return `the process ${this.pid} ${what}: ${this.fault ?? ''}\n${this.said}`
  }
}
