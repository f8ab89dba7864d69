// Streams a journal over gRPC from a server in this process and prints how its memory went: one
// JSON line. Run by test/api/middleware/grpc-server.test.ts with the connection, the queue and the
// type.
import * as http2 from 'node:http2'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { readConfig } from '../../src/config.js'
import { createDeps } from '../../src/deps.js'
import { createLog } from '../../src/log.js'
import { methodOf } from './grpc-client.js'
import { standGrpc } from './grpc-server.js'
import { connect, frame, open } from './raw-grpc.js'

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
const grpc = await standGrpc(deps)

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const MEBIBYTE = 1024 * 1024
const STEP_BYTES = 16 * MEBIBYTE
/** The first steps fill caches and the buffers of both ends. */
const WARM_STEPS = 3

const session = connect(grpc.address)
const ask = () => {
  const { stream, ended } = open(session, 'Journal', { queueid: queueId })
  stream.end(frame(methodOf('Journal').requestSerialize({ ftJournalType: type })))
  return { stream, ended }
}
// twice as many as the pool has connections leave early: the last one needs one of them
for (let leaver = 0; leaver < 8; leaver += 1) {
  const { stream } = ask()
  await new Promise((resolve) => stream.once('data', resolve))
  stream.close(http2.constants.NGHTTP2_CANCEL)
}
const { stream, ended } = ask()
const samples: number[] = []
let bytes = 0
for await (const piece of stream) {
  bytes += piece.length
  if (bytes < (samples.length + 1) * STEP_BYTES) continue
  // what is only waiting to be collected is not kept
  collect()
  samples.push(process.memoryUsage().rss)
}
const { status } = await ended
session.destroy()
await grpc.close()
await deps.operations.close()
await deps.store.close()
const warm = Math.max(...samples.slice(0, WARM_STEPS))
const growth = (Math.max(...samples.slice(WARM_STEPS)) - warm) / MEBIBYTE
console.log(JSON.stringify({ status, mebibytes: bytes / MEBIBYTE, growth }))
process.exit(0)
