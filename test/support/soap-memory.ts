// Fetches a journal over SOAP from a server in this process and prints how its memory went: one
// JSON line. Run by test/api/middleware/soap-memory.test.ts: the connection, queue and type.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { buildApp } from '../../src/app.js'
import { readConfig } from '../../src/config.js'
import { createDeps } from '../../src/deps.js'
import { createLog } from '../../src/log.js'
import { envelope, operation } from './soap.js'

const [connection = '{}', queueId = '', type = '0'] = process.argv.slice(2)
const deps = await createDeps({
  config: readConfig({
    MIDDLEWARE_AUTH: 'off',
    DATABASE_POOL: '4',
    MASTER_KEY: Buffer.alloc(32).toString('base64'),
  }),
  log: createLog('silent', false),
  database: { poolConfig: JSON.parse(connection) },
})
const app = await buildApp(deps)
const url = await app.listen({ host: '127.0.0.1', port: 0 })

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const MEBIBYTE = 1024 * 1024
const STEP_BYTES = 8 * MEBIBYTE
/** The first steps fill caches and the buffers of both ends. */
const WARM_STEPS = 3

const ask = () =>
  fetch(`${url}/${queueId}`, {
    method: 'POST',
    headers: { 'content-type': 'text/xml' },
    body: envelope(operation('Journal', `<ftJournalType>${type}</ftJournalType>`)),
  })
// twice as many as the pool has connections leave early: the last one needs one of them
for (let leaver = 0; leaver < 8; leaver += 1) {
  const { body } = await ask()
  await body?.cancel()
}
const reply = await ask()
const samples: number[] = []
let bytes = 0
let start = ''
let end = ''
for await (const piece of reply.body ?? []) {
  const text = Buffer.from(piece).toString('latin1')
  bytes += piece.length
  if (start.length < 300) start += text.slice(0, 300)
  end = (end + text).slice(-100)
  if (bytes < (samples.length + 1) * STEP_BYTES) continue
  // what is only waiting to be collected is not kept
  collect()
  samples.push(process.memoryUsage().rss)
}
await app.close()
await deps.operations.close()
await deps.store.close()
const warm = Math.max(...samples.slice(0, WARM_STEPS))
const growth = (Math.max(...samples.slice(WARM_STEPS)) - warm) / MEBIBYTE
const { status } = reply
console.log(JSON.stringify({ status, start, end, mebibytes: bytes / MEBIBYTE, growth }))
process.exit(0)
