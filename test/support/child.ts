// Runs a script of test/support in a process of its own and talks with it line by line.
import { type ChildProcess, spawn } from 'node:child_process'
import * as readline from 'node:readline'
import { scriptFile } from './script-file.js'

export interface ChildOptions {
  /** Run as this user (root only). */
  uid?: number
  gid?: number
  /** Of node, in front of the script. */
  flags?: readonly string[]
}

/**
 * For scripts that tell how their memory goes: the heap of young objects is as large as that of
 * Node 20. Later ones let it grow by another 100 MB, whatever the program keeps.
 */
export const FIXED_HEAP = { flags: ['--max-semi-space-size=16'] } as const

export class Child {
  readonly process: ChildProcess
  readonly ended: Promise<number | null>
  private readonly lines: AsyncIterator<string>
  private errors = ''

  constructor(script: string, args: readonly string[], options: ChildOptions = {}) {
    const { flags = [], ...places } = options
    const child = spawn(process.execPath, [...flags, scriptFile(script), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH },
      ...places,
    })
    child.stderr.on('data', (piece: Buffer) => {
      this.errors += piece.toString()
    })
    this.process = child
    this.lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    this.ended = new Promise((resolve) => child.once('close', resolve))
  }

  /** The next line of the script. Throws with its error output when it ends without one. */
  async line(): Promise<string> {
    const next = await this.lines.next()
    if (next.done) throw new Error(`the script ended without a line:\n${this.errors}`)
    return next.value
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    this.process.kill(signal)
    await this.ended
  }
}
