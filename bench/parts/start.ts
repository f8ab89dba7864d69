// From `npm start` with an empty data folder to the first signed receipt.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import * as path from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '../../scripts/throw-away-cluster.js'
import type { Demo } from '../../src/core/rollout/demo.js'
import type { Options } from '../options.js'
import { median, type PartResult } from '../report/figures.js'
import { signOne } from '../stand/post.js'
import { numbered, saleText } from '../stand/receipt.js'
import { addressOf } from '../stand/server.js'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const COMMAND = path.join(ROOT, 'bin', 'fiskalwerk.mjs')

/** Seconds since `npm start`. */
interface Times {
  ready: number
  demo: number
  signed: number
}

export async function benchStart({ rounds }: Options): Promise<PartResult> {
  const found: Times[] = []
  for (let round = 0; round < rounds; round += 1) found.push(await startOnce())
  const of = (key: keyof Times) => median(found.map((times) => times[key]))
  return {
    figures: [
      {
        name: 'npm start with an empty folder to the first signed receipt',
        value: of('signed'),
        unit: 's',
        target: { atMost: 3 },
      },
      { name: 'npm start to "ready"', value: of('ready'), unit: 's' },
    ],
    rounds: found.map((times) => ({ ...times })),
    notes: ['Between "ready" and the receipt the command demo rolls out and starts a queue.'],
  }
}

async function startOnce(): Promise<Times> {
  const folder = makeThrowAwayFolder()
  const env = { ...process.env, DATA_DIR: path.join(folder, 'data'), PORT: '0', LOG_LEVEL: 'warn' }
  const started = performance.now()
  const since = () => (performance.now() - started) / 1000
  // a group of its own: npm, its shell and the server end together
  const child = spawn('npm', ['start', '--silent'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  try {
    const url = await addressOf(child)
    const ready = since()
    const demo = await promisify(execFile)(process.execPath, [COMMAND, 'demo', '--json'], { env })
    const rolledOut = since()
    const { cashBoxes } = JSON.parse(demo.stdout) as Demo
    const till = cashBoxes.find((box) => box.market === 'AT')
    if (till === undefined) throw new Error('the demo has no Austrian cash box')
    const sale = numbered(saleText(till.cashBoxId, new Date().toISOString()), 1)
    const answer = await signOne(url, till, sale)
    if (!answer.includes('_R1-')) throw new Error(`the receipt is not signed: ${answer}`)
    return { ready, demo: rolledOut, signed: since() }
  } finally {
    await endGroup(child)
    await removeThrowAwayFolder(folder)
  }
}

async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('close', resolve))
  process.kill(-child.pid, 'SIGTERM')
  await ended
}
