// Load by wrk: one thread, little processor time, requests from receipts.lua.
import { execFile } from 'node:child_process'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Load, LoadResult, Target } from './load.js'

const SCRIPT = fileURLToPath(new URL('receipts.lua', import.meta.url))
const TIMEOUT = '10s'

interface Report {
  requests: number
  micros: number
  p50: number
  p99: number
  /** What went wrong, and how often. */
  faults: Record<string, number>
}

export async function runWrk(load: Load): Promise<LoadResult> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fiskalwerk-wrk-'))
  const plan = path.join(folder, 'plan')
  fs.writeFileSync(plan, load.targets.map(planText).join(''))
  try {
    const size = ['-t', '1', '-c', String(load.clients), '-d', `${load.seconds}s`]
    const words = [...size, '--timeout', TIMEOUT, '-s', SCRIPT, load.url, '--', plan]
    const { stdout } = await promisify(execFile)('wrk', words)
    return resultOf(stdout)
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

function planText({ method = 'POST', path: url, headers, body }: Target): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return `${method}\n${url}\n${lines.join('\t')}\n${body}\n`
}

function resultOf(output: string): LoadResult {
  const line = output.split('\n').find((text) => text.startsWith('{'))
  if (line === undefined) throw new Error(`wrk said: ${output}`)
  const report = JSON.parse(line) as Report
  const faults = Object.values(report.faults).reduce((sum, count) => sum + count, 0)
  if (faults > 0 || report.requests === 0) throw new Error(`requests failed, wrk said: ${line}`)
  return {
    requests: report.requests,
    perSecond: report.requests / (report.micros / 1e6),
    p50Ms: report.p50 / 1000,
    p99Ms: report.p99 / 1000,
    resolutionMs: 0.001,
  }
}
