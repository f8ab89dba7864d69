// A server's jobs without the server: works on what is queued until it is killed. Prints a line
// once it is at work. Run by test/core/message/crash.test.ts.

import { createDeps } from '../../src/deps.js'
import { createLog } from '../../src/log.js'
import { configOf } from './settings.js'

const { connection, settings } = JSON.parse(process.argv[2] ?? '')
const deps = await createDeps({
  config: configOf(settings),
  log: createLog('silent', false),
  database: { poolConfig: connection },
})
deps.jobs.start()
console.log('at work')
process.once('SIGTERM', async () => {
  await deps.jobs.stop()
  await deps.operations.close()
  await deps.store.close()
  process.exit(0)
})
// the queue alone would not hold the process while it connects
setInterval(() => undefined, 1_000)
