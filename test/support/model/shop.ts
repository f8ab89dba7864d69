// Two servers on one database, a till that calls them in every order, and a book of what they have
// answered. Used by test/model-based/operations.test.ts.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { FiscalError } from '../../../src/errors.js'
import type { Store } from '../../../src/store/client.js'
import { type Answered, pay, type TestTill } from '../payments.js'
import { MortalServer } from './mortal.js'
import { ModelTerminal } from './terminal.js'

/** What comes to its end at all does so within milliseconds; this is for a machine that is busy. */
const ENDS_WITHIN_MS = 60_000
/** How long an abort asks. */
const ABORT_MS = 20

export const SPELLINGS = ['same', 'blank', 'order', 'digits'] as const
export type Spelling = (typeof SPELLINGS)[number]

/** The body of a payment or cancellation, in one of its spellings. */
export function bodyOf(call: Called, spelling: Spelling | 'changed'): string {
  const amount = spelling === 'changed' ? `${call.amount}.17` : `${call.amount}.5`
  const digits = spelling === 'digits' ? '0' : ''
  const sign = call.of === undefined ? '' : '-'
  const barcode = call.of === undefined ? '' : `,"MoneyBarcode":"${call.of}"`
  const item = `"cbPayItem":{"Amount":${sign}${amount}${digits}${barcode}}`
  const action = `"Action":"${call.of === undefined ? 'payment' : 'cancel'}","Protocol":"hobexecr"`
  const blank = spelling === 'blank' ? ' ' : ''
  return spelling === 'order' ? `{${item},${action}}` : `{${blank}${action},${item}}`
}

export interface Called {
  id: string
  amount: number
  /** The payment that it cancels. */
  of: string | undefined
  /** How many servers had died in this history before it. */
  deathsBefore: number
  /** Bodies that were sent under its id, by whether they are the first one or a changed one. */
  answers: { changed: boolean; answered: Answered | 'conflict' }[]
  /** Stored ends that a look at it has shown. */
  seen: string[]
}

export class ModelShop {
  readonly terminal = new ModelTerminal()
  calls: Called[] = []
  /** Of servers, in this history. */
  deaths = 0
  readonly servers: MortalServer[] = []
  /** What no command may bring about. */
  private faults: unknown[] = []
  /** Calls whose caller still waits for its answer. */
  private readonly open = new Set<Promise<void>>()
  private readonly store: Store
  private till: TestTill

  constructor(store: Store, till: TestTill) {
    this.store = store
    this.till = till
    this.servers = [this.started(), this.started()]
  }

  /** The same servers, another cash box. */
  next(till: TestTill): void {
    this.till = till
    this.calls = []
    this.faults = []
    this.open.clear()
    this.deaths = 0
    this.terminal.orders.clear()
    this.terminal.mood = 'yes'
    for (const server of this.servers) server.forgetCare()
  }

  begin(at: number, of?: string): void {
    const amount = (this.calls.length % 90) + 10
    const { deaths: deathsBefore } = this
    const made: Called = { id: randomUUID(), amount, of, deathsBefore, answers: [], seen: [] }
    this.calls.push(made)
    this.send(made, at, 'same')
  }

  /** Nobody waits for it here: other commands come in between. */
  send(made: Called, at: number, spelling: Spelling | 'changed'): void {
    const server = this.serverAt(at)
    const changed = spelling === 'changed'
    const work = this.asked(server, made, spelling).then((answered) => {
      made.answers.push({ changed, answered })
    })
    // a dead server answers nobody
    this.heard(Promise.race([work, server.death]))
  }

  abort(made: Called, at: number): void {
    const { operations } = this.serverAt(at).desk
    const asked = operations.stop(this.keyOf(made), ABORT_MS).then(({ said, found }) => {
      if (said === 'ended' && found?.state === 'running') throw new Error('it ended and runs')
    })
    this.heard(Promise.race([asked, this.serverAt(at).death]))
  }

  look(made: Called, at: number): void {
    const { desk, death } = this.serverAt(at)
    const looked = desk.operations.find(this.keyOf(made)).then((found) => {
      if (found?.state === 'done' || found?.state === 'failed') made.seen.push(found.response ?? '')
    })
    this.heard(Promise.race([looked, death]))
  }

  async crash(at: number): Promise<void> {
    const server = this.serverAt(at)
    this.deaths += 1
    await server.kill()
    this.servers[this.servers.indexOf(server)] = this.started()
  }

  /** Time for whatever is on its way. */
  async pass(milliseconds: number): Promise<void> {
    await sleep(milliseconds)
  }

  /** Everything comes to its end. */
  async settle(): Promise<void> {
    this.terminal.mood = 'yes'
    const until = performance.now() + ENDS_WITHIN_MS
    while (this.open.size > 0) {
      this.terminal.finishAll()
      await Promise.race([Promise.all([...this.open]), sleep(5)])
      if (performance.now() > until) throw new Error(`${this.open.size} calls never end`)
    }
    await this.serverAt(0).desk.operations.resolveOrphans()
    if (this.faults.length > 0) throw this.faults[0]
  }

  /** What a till is told that asks once more, at each of the servers. */
  async finalAnswers(made: Called): Promise<Answered[]> {
    const asked = this.servers.map((server) => this.finalAnswer(server, made))
    const late = sleep(ENDS_WITHIN_MS, undefined, { ref: false }).then(() => {
      throw new Error(`${made.id} never ends`)
    })
    return Promise.race([Promise.all(asked), late])
  }

  /** What the terminal still gets ends at once. */
  async finishing<T>(work: Promise<T>): Promise<T> {
    const timer = setInterval(() => this.terminal.finishAll(), 3)
    try {
      return await work
    } finally {
      clearInterval(timer)
    }
  }

  async states(): Promise<string[]> {
    const found = await this.store.pool.query<{ state: string }>(
      `select distinct state from operation
        where account_id = $1 and cash_box_id = $2 and id = any($3::uuid[])`,
      [this.till.accountId, this.till.cashBoxId, this.calls.map(({ id }) => id)],
    )
    return found.rows.map(({ state }) => state)
  }

  async close(): Promise<void> {
    for (const server of this.servers) await server.close()
  }

  /** The body of a call whose server has died may be the one that has the id. */
  private async finalAnswer(server: MortalServer, made: Called): Promise<Answered> {
    const answered = await this.asked(server, made, 'order')
    const last = answered === 'conflict' ? await this.asked(server, made, 'changed') : answered
    if (last === 'conflict') throw new Error(`neither body has the id ${made.id}`)
    return last
  }

  private async asked(server: MortalServer, made: Called, spelling: Spelling | 'changed') {
    try {
      return await pay(server.desk, this.till, { id: made.id, body: bodyOf(made, spelling) })
    } catch (error) {
      if (!(error instanceof FiscalError && error.code === 'OPERATION_CONFLICT')) throw error
      return 'conflict'
    }
  }

  private heard(work: Promise<void>): void {
    const { faults, open } = this
    const watched = work.catch((error: unknown) => void faults.push(error))
    open.add(watched)
    void watched.then(() => open.delete(watched))
  }

  private keyOf({ id }: Called) {
    const { accountId, cashBoxId } = this.till
    return { accountId, cashBoxId, id }
  }

  private started(): MortalServer {
    return new MortalServer(this.store, this.terminal)
  }

  private serverAt(at: number): MortalServer {
    const server = this.servers[at % this.servers.length]
    if (server === undefined) throw new Error('there is no server')
    return server
  }
}
