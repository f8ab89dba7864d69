// Exports a journal in a process of its own and prints how its memory went: one JSON line.
// Run by test/core/journal/memory.test.ts with the connection, the queue, the type and the form.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createSealer } from '../../src/lib/seal.js'
import { openStore } from '../../src/store/client.js'
import { openJournal } from './journal.js'

const [connection = '{}', queue = '{}', type = '0', more = '{}'] = process.argv.slice(2)
const store = openStore({
  connection: JSON.parse(connection),
  size: 2,
  sealer: createSealer([Buffer.alloc(32)]),
  onBroken: (error) => {
    throw error
  },
})
const { body } = await openJournal(
  { store, queue: JSON.parse(queue) },
  BigInt(type),
  JSON.parse(more),
)

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const MEBIBYTE = 1024 * 1024
const STEP_BYTES = 8 * MEBIBYTE
/** The first steps fill caches and the pool's buffers. */
const WARM_STEPS = 2

const samples: number[] = []
let bytes = 0
for await (const piece of body) {
  bytes += Buffer.byteLength(piece)
  if (bytes < (samples.length + 1) * STEP_BYTES) continue
  // what is only waiting to be collected is not kept
  collect()
  samples.push(process.memoryUsage().rss)
}
await store.close()
const warm = Math.max(...samples.slice(0, WARM_STEPS))
const growth = (Math.max(...samples.slice(WARM_STEPS)) - warm) / MEBIBYTE
console.log(JSON.stringify({ mebibytes: bytes / MEBIBYTE, growth }))
