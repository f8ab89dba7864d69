// What a load does to the server and the machine: processor time per receipt, receipts per
// statement, how busy the machine is.
import * as os from 'node:os'
import { cpuMs } from './process-figures.js'
import type { Server } from './server.js'

export interface Observed {
  /** Processor time of the server process per answer, in microseconds. */
  cpuMicros: number | null
  /** Receipts written with one statement, on average. */
  perStatement: number | null
  /** Share of the machine's processor time in use, 0 to 1. */
  busy: number
}

interface Moment {
  cpu: number | null
  receipts: number
  statements: number
  used: number
  total: number
}

/** Runs a load and says what it cost besides. */
export async function observing<T extends { requests: number }>(
  server: Server,
  load: () => Promise<T>,
): Promise<T & Observed> {
  const before = await look(server)
  const result = await load()
  const after = await look(server)
  const statements = after.statements - before.statements
  return {
    ...result,
    cpuMicros:
      before.cpu === null || after.cpu === null
        ? null
        : ((after.cpu - before.cpu) * 1000) / result.requests,
    perStatement: statements === 0 ? null : (after.receipts - before.receipts) / statements,
    busy: (after.used - before.used) / (after.total - before.total),
  }
}

async function look(server: Server): Promise<Moment> {
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  const figure = (name: string) =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1] ?? Number.NaN)
  let used = 0
  let total = 0
  for (const { times } of os.cpus()) {
    const all = times.user + times.nice + times.sys + times.idle + times.irq
    used += all - times.idle
    total += all
  }
  return {
    cpu: cpuMs(server.pid),
    receipts: figure('fiskalwerk_sign_batch_receipts_sum'),
    statements: figure('fiskalwerk_sign_batch_receipts_count'),
    used,
    total,
  }
}
