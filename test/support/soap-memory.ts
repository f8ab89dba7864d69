// Fetches a journal over SOAP from a server in this process and prints how its memory went: one
// JSON line. Run by test/api/middleware/soap-memory.test.ts: the connection, queue and type.
import { buildApp } from '../../src/app.js'
import { growthOf, openQuietDeps } from './memory-growth.js'
import { envelope, operation } from './soap.js'

const [connection = '{}', queueId = '', type = '0'] = process.argv.slice(2)
const deps = await openQuietDeps(connection)
const app = await buildApp(deps)
const url = await app.listen({ host: '127.0.0.1', port: 0 })

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
const { status, body } = await ask()
if (body === null) throw new Error('the answer has no body')
let start = ''
let end = ''
const growth = await growthOf(body, { stepMebibytes: 8, warmSteps: 3 }, (piece: Uint8Array) => {
  const text = Buffer.from(piece).toString('latin1')
  if (start.length < 300) start += text.slice(0, 300)
  end = (end + text).slice(-100)
})
await app.close()
await deps.operations.close()
await deps.store.close()
console.log(JSON.stringify({ status, start, end, ...growth }))
process.exit(0)
