// The independent verifier on a long export, with time and memory.
import { spawn } from 'node:child_process'
import { performance } from 'node:perf_hooks'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createSealer } from '../../src/lib/seal.js'
import { queueSecrets } from '../../src/store/sign/queues.js'
import type { Figure, PartResult } from '../report/figures.js'
import { asking } from '../stand/cluster.js'
import type { FilledQueue } from '../stand/filled-queue.js'
import { peakWatch } from '../stand/process-figures.js'

const COMMAND = fileURLToPath(new URL('../../bin/fiskalwerk.mjs', import.meta.url))
const MEGABYTE = 1024 * 1024

interface Verdict {
  ok: boolean
  findings: unknown[]
  summary: { receipts: number; durationMs: number } | null
}

/** The command on the exported file, as a process of its own. Throws when it finds anything. */
export async function verifyExport(stand: FilledQueue): Promise<PartResult> {
  const words = [COMMAND, 'verify', stand.file, '--json', '--key', await keyOf(stand)]
  const started = performance.now()
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  const watch = peakWatch(child.pid ?? 0)
  const verdict = JSON.parse(await text(child.stdout)) as Verdict
  const seconds = (performance.now() - started) / 1000
  const peak = watch.end()
  const receipts = verdict.summary?.receipts ?? 0
  if (!verdict.ok || receipts < stand.options.receipts) {
    throw new Error(`the verifier said: ${JSON.stringify(verdict).slice(0, 2000)}`)
  }
  const figures: Figure[] = [
    {
      name: 'verify, signatures, chain and counter, one core',
      value: receipts / seconds,
      unit: 'receipts/s',
      target: { atLeast: 12_000 },
    },
    {
      name: `verify, memory for ${receipts} receipts`,
      value: peak / MEGABYTE,
      unit: 'MB',
      target: { atMost: 200 },
    },
  ]
  return {
    figures,
    rounds: [{ receipts, seconds, peak }],
    notes: ['Start of the command included.'],
  }
}

/**
 * The AES key of the register, Base64: with it the verifier checks the turnover counter as well.
 */
async function keyOf({ cluster, masterKey, till }: FilledQueue): Promise<string> {
  const sealed = await asking(cluster.config, async (client) => {
    const sql = 'select secrets_sealed from queue where id = $1'
    return (await client.query<{ secrets_sealed: Buffer }>(sql, [till.queueId])).rows[0]
  })
  if (sealed === undefined) throw new Error('the queue is gone')
  const secrets = createSealer([masterKey]).open(sealed.secrets_sealed, queueSecrets(till.queueId))
  const { encryptionKeyBase64 } = JSON.parse(secrets) as { encryptionKeyBase64: string }
  return encryptionKeyBase64
}
