// How the memory of this process goes while it passes a long stream on.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { readConfig } from '../../src/config.js'
import { createDeps, type Deps } from '../../src/deps.js'
import { createLog } from '../../src/log.js'

const MEBIBYTE = 1024 * 1024

export interface Growth {
  mebibytes: number
  /**
   * Resident memory of the last third (median: one step may have collected late), less the highest
   * of the first steps. What is kept of the whole stream shows there.
   */
  growth: number
}

/** The first steps, which fill caches and buffers, are what the others are compared with. */
export async function growthOf<T extends string | Uint8Array>(
  pieces: AsyncIterable<T>,
  { stepMebibytes, warmSteps }: { stepMebibytes: number; warmSteps: number },
  seen?: (piece: T) => void,
): Promise<Growth> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const samples: number[] = []
  let bytes = 0
  for await (const piece of pieces) {
    bytes += Buffer.byteLength(piece)
    seen?.(piece)
    if (bytes < (samples.length + 1) * stepMebibytes * MEBIBYTE) continue
    // what is only waiting to be collected is not kept
    collect()
    samples.push(process.memoryUsage().rss)
  }
  const warm = Math.max(...samples.slice(0, warmSteps))
  const last = samples.slice(-Math.ceil(samples.length / 3)).sort((a, b) => a - b)
  const late = last[Math.floor(last.length / 2)] ?? 0
  return { mebibytes: bytes / MEBIBYTE, growth: (late - warm) / MEBIBYTE }
}

/** A server's parts with a pool of four connections, for callers without credentials. */
export function openQuietDeps(connection: string): Promise<Deps> {
  return createDeps({
    config: readConfig({
      MIDDLEWARE_AUTH: 'off',
      DATABASE_POOL: '4',
      MASTER_KEY: Buffer.alloc(32).toString('base64'),
    }),
    log: createLog('silent', false),
    database: { poolConfig: JSON.parse(connection) },
  })
}
