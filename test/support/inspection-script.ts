// A server that makes bundles until it is killed. Says `ready` once it runs.
// Run by test/story/inspections-killed.test.ts.
import { randomInt } from 'node:crypto'
import { inspectionKind } from '../../src/core/event/inspection/work.js'
import { createWork } from '../../src/core/event/job/work.js'
import { createJobs } from '../../src/jobs/runner.js'
import { longTasksOf } from '../../src/jobs/tasks.js'
import { marketOf } from '../../src/market/index.js'
import { createPool } from '../../src/render/pool.js'
import { carryLostJobs } from '../../src/store/event/job/job-lease.js'
import { openOperationLine } from '../../src/store/operation/operation-line.js'
import { openStand } from './stand.js'

const { connection, masterKey, root } = JSON.parse(process.argv[2] ?? '')
const key = Buffer.from(masterKey, 'base64')
const { store } = openStand(connection, { masterKey: key })
const runner = randomInt(2 ** 31 - 1)
const line = openOperationLine(store, runner)
const log = { warn: () => undefined, error: (details: object) => console.log('error', details) }
const threads = createPool({
  entry: new URL('../../dist/core/event/inspection/thread.js', import.meta.url),
  ...{ threads: 2, waiting: 100, limitMs: 600_000, onBroken: (error) => console.log(error) },
})
const kind = inspectionKind({ store, marketOf, keys: async () => [key], root, threads })
const workOn = createWork({ store, runner, kinds: [kind], now: () => new Date(), log })
createJobs({
  ...{ store, runner, alive: () => line.ready(), tasks: {}, log, sweepMs: 500 },
  long: { tasks: longTasksOf({ workOn }), carryLost: () => carryLostJobs(store) },
}).start()
console.log('ready')
setInterval(() => undefined, 1_000)
