// What a load does to the server and the machine: processor time per receipt of the server and of
// its database, told in signatures, receipts per statement, how busy the machine is.
import { createSign, generateKeyPairSync } from 'node:crypto'
import * as os from 'node:os'
import type { Cluster } from './cluster.js'
import { cpuMs, cpuMsOfTree } from './process-figures.js'
import type { Server } from './server.js'

export interface Observed {
  /** Processor time of the server process per answer, in microseconds. */
  cpuMicros: number | null
  /** Processor time of all processes of PostgreSQL per answer, in microseconds. */
  postgresMicros: number | null
  /** Processor time of one P-256 signature, before and after the load, in microseconds. */
  signatureMicros: number
  /** What V8 allocated on its heap per answer, in kB; null where the server does not tell. */
  allocatedKb: number | null
  /** Receipts written with one statement, on average. */
  perStatement: number | null
  /** Share of the machine's processor time in use, 0 to 1. */
  busy: number
}

interface Moment {
  cpu: number | null
  postgres: number | null
  allocated: number | null
  receipts: number
  statements: number
  used: number
  total: number
}

/** Runs a load and says what it cost besides. */
export async function observing<T extends { requests: number }>(
  { server, cluster }: { server: Server; cluster: Cluster },
  load: () => Promise<T>,
): Promise<T & Observed> {
  const signatureBefore = signatureMicros()
  const before = await look(server, cluster)
  const result = await load()
  const after = await look(server, cluster)
  const statements = after.statements - before.statements
  const perAnswer = (name: 'cpu' | 'postgres' | 'allocated', unit: number) => {
    const [from, to] = [before[name], after[name]]
    return from === null || to === null ? null : ((to - from) * unit) / result.requests
  }
  return {
    ...result,
    cpuMicros: perAnswer('cpu', 1000),
    postgresMicros: perAnswer('postgres', 1000),
    signatureMicros: (signatureBefore + signatureMicros()) / 2,
    allocatedKb: perAnswer('allocated', 1),
    perStatement: statements === 0 ? null : (after.receipts - before.receipts) / statements,
    busy: (after.used - before.used) / (after.total - before.total),
  }
}

const SIGNATURES = 2000
const KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const PAYLOAD = Buffer.alloc(200, 'R')

/** By processor time, so that what else runs on the machine counts as little as may be. */
export function signatureMicros(): number {
  const before = process.cpuUsage()
  for (let done = 0; done < SIGNATURES; done += 1) {
    createSign('sha256').update(PAYLOAD).sign({ key: KEY, dsaEncoding: 'ieee-p1363' })
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / SIGNATURES
}

async function look(server: Server, cluster: Cluster): Promise<Moment> {
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
    postgres: cpuMsOfTree(cluster.postmaster),
    allocated: server.allocatedKb(),
    receipts: figure('fiskalwerk_sign_batch_receipts_sum'),
    statements: figure('fiskalwerk_sign_batch_receipts_count'),
    used,
    total,
  }
}
