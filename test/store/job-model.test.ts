// Any history of claims, pulses, checkpoints, ends, cancels and time that passes, against a model:
// one holder at a time, nothing kept is lost, and nothing is shown as running without a pulse.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAccount } from '../../src/core/accounts/accounts.js'
import {
  carryLostJobs,
  claimJob,
  endJob,
  releaseJob,
  renewJob,
  writeCheckpoint,
  writeProgress,
} from '../../src/store/event/job/job-lease.js'
import { cancelJob, findJob, insertJob } from '../../src/store/event/job/jobs.js'
import { type OperationLine, openOperationLine } from '../../src/store/operation/operation-line.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'
import { newAccount } from '../support/dealer.js'
import { openStand, type Stand } from '../support/stand.js'

const ALIVE = 4_711
const DEAD = 4_712
const LEASE = 15

let database: TestDatabase
let stand: Stand
let line: OperationLine
let accountId = ''
beforeAll(async () => {
  database = await createTestDatabase()
  stand = openStand(database.config)
  line = openOperationLine(stand.store, ALIVE)
  await line.ready()
  const accounts = { store: stand.store, now: () => new Date() }
  accountId = (await createAccount(accounts, newAccount('PosOperator'))).accountId
})
afterAll(async () => {
  await line.close()
  await stand.close()
  await database.drop()
})

interface Model {
  state: 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled'
  lease: string | undefined
  isDead: boolean
  /** Seconds since the holder was heard of. */
  silent: number
  kept: number
  done: number
  attempts: number
}

interface Real {
  id: string
  /** Leases that were ever given, the oldest first. */
  leases: string[]
}

type Command = fc.AsyncCommand<Model, Real>

const hold = ({ id }: Real, lease: string) => ({ accountId, id, lease })
const isLost = ({ silent, isDead }: Model) => isDead || silent > LEASE
const heard = (model: Model) => {
  model.silent = 0
}
const freed = (model: Model, state: Model['state']) => {
  Object.assign(model, { state, lease: undefined, isDead: false })
}

async function agree(model: Model, real: Real): Promise<void> {
  const row = await findJob(stand.store, { accountId, id: real.id })
  const silent = model.state === 'running' && model.silent > LEASE
  expect(row?.state).toBe(silent ? 'interrupted' : model.state)
  expect(Number(row?.done)).toBe(model.done)
  if (row?.state !== 'running') return
  const { rows } = await stand.store.pool.query(
    'select extract(epoch from now() - heartbeat)::float8 as age from job where id = $1',
    [real.id],
  )
  expect(rows[0].age).toBeLessThan(20)
}

class Claim implements Command {
  private readonly dies: boolean
  constructor(dies: boolean) {
    this.dies = dies
  }
  check = () => true
  async run(model: Model, real: Real) {
    const lease = randomUUID()
    const runner = this.dies ? DEAD : ALIVE
    const claimed = await claimJob(stand.store, hold(real, lease), runner)
    const may = model.state === 'queued' || (model.state === 'running' && isLost(model))
    expect(claimed !== undefined).toBe(may)
    if (claimed === undefined) return
    real.leases.push(lease)
    Object.assign(model, { state: 'running', lease, isDead: this.dies, silent: 0 })
    model.attempts += 1
    const kept = claimed.checkpoint === null ? 0 : JSON.parse(claimed.checkpoint).kept
    expect([kept, claimed.attempts]).toEqual([model.kept, model.attempts])
    await agree(model, real)
  }
  toString = () => `claim(${this.dies ? 'dead' : 'alive'})`
}

type Deed = 'renew' | 'progress' | 'save' | 'succeed' | 'fail' | 'release' | 'retry'

/** By the newest lease, or by an old one, which must change nothing. */
class Do implements Command {
  private readonly deed: Deed
  private readonly back: number
  constructor(deed: Deed, back: number) {
    this.deed = deed
    this.back = back
  }
  check = () => true
  async run(model: Model, real: Real) {
    const lease = real.leases.at(-1 - this.back)
    if (lease === undefined) return
    const isOurs = lease === model.lease
    expect(await this.done(model, hold(real, lease))).toBe(isOurs)
    if (isOurs) this.follow(model)
    await agree(model, real)
  }
  private async done(model: Model, held: ReturnType<typeof hold>): Promise<boolean> {
    const { store } = stand
    const row = { phase: 'x', total: 9, unit: 'n', bytes: 1, etaSeconds: 3, done: model.done + 1 }
    if (this.deed === 'renew') return renewJob(store, held)
    if (this.deed === 'progress') return writeProgress(store.prisma, held, row)
    if (this.deed === 'save') return writeCheckpoint(store, held, { kept: model.kept + 1 })
    if (this.deed === 'release' || this.deed === 'retry') {
      await releaseJob(store, held, this.deed === 'release' ? 'now' : 'later')
      return held.lease === model.lease
    }
    const state = this.deed === 'succeed' ? 'succeeded' : 'failed'
    return store.prisma.$transaction((tx) => endJob(tx, held, { state, result: null, error: null }))
  }
  private follow(model: Model) {
    heard(model)
    if (this.deed === 'progress') model.done += 1
    if (this.deed === 'save') {
      model.kept += 1
      model.attempts = 1
    }
    if (this.deed === 'release') model.attempts = Math.max(0, model.attempts - 1)
    if (this.deed === 'release' || this.deed === 'retry') freed(model, 'queued')
    if (this.deed === 'succeed') freed(model, 'succeeded')
    if (this.deed === 'fail') freed(model, 'failed')
  }
  toString = () => `${this.deed}(${this.back})`
}

class Pass implements Command {
  private readonly seconds: number
  constructor(seconds: number) {
    this.seconds = seconds
  }
  check = () => true
  async run(model: Model, real: Real) {
    model.silent += this.seconds
    await stand.store.pool.query(
      `update job set lease_until = lease_until - make_interval(secs => $2),
         heartbeat = heartbeat - make_interval(secs => $2) where id = $1`,
      [real.id, this.seconds],
    )
    await agree(model, real)
  }
  toString = () => `pass(${this.seconds})`
}

class Cancel implements Command {
  check = () => true
  async run(model: Model, real: Real) {
    const may = model.state === 'queued' || model.state === 'running'
    const did = await stand.store.prisma.$transaction((tx) =>
      cancelJob(tx, { accountId, id: real.id }),
    )
    expect(did).toBe(may)
    if (did) freed(model, 'canceled')
    await agree(model, real)
  }
  toString = () => 'cancel'
}

/** Whatever nobody does is carried by the queue afterwards. */
class Sweep implements Command {
  check = () => true
  async run(model: Model, real: Real) {
    const { pool } = stand.store
    await pool.query('delete from graphile_worker._private_jobs')
    await carryLostJobs(stand.store)
    const { rows } = await pool.query('select key from graphile_worker.jobs where key = $1', [
      `job:${real.id}`,
    ])
    const wants = model.state === 'queued' || (model.state === 'running' && isLost(model))
    expect(rows.length).toBe(wants ? 1 : 0)
    await carryLostJobs(stand.store)
    const again = await pool.query('select key from graphile_worker.jobs')
    expect(again.rows.length).toBe(rows.length)
  }
  toString = () => 'sweep'
}

const deeds: Deed[] = ['renew', 'progress', 'save', 'succeed', 'fail', 'release', 'retry']
const often: Deed[] = ['renew', 'progress', 'save']

it('a job has one holder at a time, whatever happens', async () => {
  const commands = fc.commands(
    [
      fc.boolean().map((dies) => new Claim(dies)),
      fc.tuple(fc.constantFrom(...often), fc.nat(2)).map(([deed, back]) => new Do(deed, back)),
      fc.tuple(fc.constantFrom(...deeds), fc.nat(1)).map(([deed, back]) => new Do(deed, back)),
      fc.constantFrom(1, 9, 16, 30).map((seconds) => new Pass(seconds)),
      fc.constant(new Cancel()),
      fc.constant(new Sweep()),
    ],
    { maxCommands: 40, size: 'max' },
  )
  const run = async (history: Iterable<Command>) => {
    const id = randomUUID()
    await stand.store.pool.query('delete from job')
    const job = { accountId, id, kind: 'k', askedBy: accountId, args: {}, at: new Date() }
    await stand.store.prisma.$transaction((tx) => insertJob(tx, job))
    const model: Model = {
      ...{ state: 'queued', lease: undefined, isDead: false, silent: 0 },
      ...{ kept: 0, done: 0, attempts: 0 },
    }
    await fc.asyncModelRun(() => ({ model, real: { id, leases: [] } }), history)
  }
  await fc.assert(fc.asyncProperty(commands, run), { numRuns: 150 })
})
