// A server that does long work until it is killed. Each step of it leaves a row; a checkpoint
// follows every third. Says `ready` once it runs. Run by test/story/jobs-killed.test.ts.
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JobKind } from '../../src/core/event/job/kind.js'
import { createWork } from '../../src/core/event/job/work.js'
import { createJobs } from '../../src/jobs/runner.js'
import { longTasksOf } from '../../src/jobs/tasks.js'
import { carryLostJobs } from '../../src/store/event/job/job-lease.js'
import { openOperationLine } from '../../src/store/operation/operation-line.js'
import { openStand } from './stand.js'

const { connection, masterKey, stepMs } = JSON.parse(process.argv[2] ?? '')
const stand = openStand(connection, { masterKey: Buffer.from(masterKey, 'base64') })
const { store } = stand
const runner = randomInt(2 ** 31 - 1)
const line = openOperationLine(store, runner)
const log = { warn: () => undefined, error: () => undefined }

const steps: JobKind = {
  name: 'steps',
  run: async ({ job, checkpoint, signal, progress, save }) => {
    const { total } = job.args as { total: number }
    const from = (checkpoint as { next: number } | undefined)?.next ?? 0
    for (let step = from; step < total; step += 1) {
      signal.throwIfAborted()
      await store.pool.query('insert into step (job_id, step, pid) values ($1, $2, $3)', [
        ...[job.id, step, process.pid],
      ])
      progress({ phase: step < total / 2 ? 'first' : 'second', done: step, total, unit: 'steps' })
      await sleep(stepMs)
      if (step % 3 === 2) await save({ next: step + 1 })
    }
    return { steps: total }
  },
}

const workOn = createWork({ store, runner, kinds: [steps], now: () => new Date(), log })
createJobs({
  ...{ store, runner, alive: () => line.ready(), tasks: {}, log, sweepMs: 500 },
  long: { tasks: longTasksOf({ workOn }), carryLost: () => carryLostJobs(store) },
}).start()
console.log('ready')
setInterval(() => undefined, 1_000)
