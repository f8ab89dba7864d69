// Runs the command line: in this process, where only its answers matter, or in one of its own.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import { main } from '../../src/cli/run.js'

const CLI = fileURLToPath(new URL('../../dist/cli/index.js', import.meta.url))

export interface Said {
  code: number | null
  stdout: string
  stderr: string
}

/** Variables of the environment while the work runs; undefined: not set. */
type Variables = Record<string, string>

/** One command in this process. */
export async function command(words: readonly string[], env: Variables = {}): Promise<Said> {
  const said = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((piece) => {
      said[name] += String(piece)
      return true
    }),
  )
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  try {
    return { code: await main(words), ...said }
  } finally {
    vi.unstubAllEnvs()
    for (const spy of spies) spy.mockRestore()
  }
}

export interface Running {
  /** Everything that it said so far. */
  said: Said
  ended: Promise<Said>
  /** Resolves when stdout has this text; rejects when the process ends without it. */
  until(text: string): Promise<void>
  signal(name: NodeJS.Signals): void
}

/** One command in a process of its own, with these variables and no others. */
export function start(words: readonly string[], env: Variables): Running {
  const child = spawn(process.execPath, [CLI, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...env },
  })
  const said: Said = { code: null, stdout: '', stderr: '' }
  const waiting: (() => void)[] = []
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (piece: string) => {
      said[name] += piece
      for (const look of waiting) look()
    })
  }
  const ended = new Promise<Said>((resolve) => {
    child.once('close', (code) => {
      said.code = code
      resolve(said)
    })
  })
  return {
    said,
    ended,
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (said.stdout.includes(text)) resolve()
        }
        waiting.push(look)
        look()
        void ended.then(() => reject(new Error(`"${text}" was never said: ${said.stderr}`)))
      }),
    signal: (name) => void child.kill(name),
  }
}
