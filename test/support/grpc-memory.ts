// Streams a journal over gRPC from a server in this process and prints how its memory went: one
// JSON line. Run by test/api/middleware/grpc-server.test.ts with the connection, the queue and the
// type.
import * as http2 from 'node:http2'
import { methodOf } from './grpc-client.js'
import { standGrpc } from './grpc-server.js'
import { growthOf, openQuietDeps } from './memory-growth.js'
import { connect, frame, open } from './raw-grpc.js'

const [connection = '{}', queueId = '', type = '0'] = process.argv.slice(2)
const deps = await openQuietDeps(connection)
const grpc = await standGrpc(deps)

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
const growth = await growthOf(stream, { stepMebibytes: 16, warmSteps: 3 })
const { status } = await ended
session.destroy()
await grpc.close()
await deps.operations.close()
await deps.store.close()
console.log(JSON.stringify({ status, ...growth }))
process.exit(0)
