// Two server processes on one database, a till that calls them in every order, and a book of what
// they have answered.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../../../src/store/client.js'
import type { Answered, TestTill } from '../payments.js'
import type { DeskPair, DeskProcess } from './desk-pair.js'
import type { ModelTerminal } from './terminal.js'

/** What comes to its end at all does so within milliseconds; this is for a machine that is busy. */
const ENDS_WITHIN_MS = 60_000
/** How long an abort asks. */
const ABORT_MS = 20

const SERVERS = [0, 1] as const

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

export interface ShopParts {
  /** Looks into the database from outside. */
  store: Store
  pair: DeskPair
  till: TestTill
  terminal: ModelTerminal
}

export class ModelShop {
  readonly terminal: ModelTerminal
  readonly pair: DeskPair
  calls: Called[] = []
  /** What no command may bring about. */
  private faults: unknown[] = []
  /** Calls whose caller still waits for its answer. */
  private readonly open = new Set<Promise<void>>()
  private readonly store: Store
  private till: TestTill
  private deathsAtStart = 0

  constructor({ store, pair, till, terminal }: ShopParts) {
    this.store = store
    this.pair = pair
    this.till = till
    this.terminal = terminal
  }

  /** Of servers, in this history: also of those that other histories of the moment have killed. */
  get deaths(): number {
    return this.pair.deaths - this.deathsAtStart
  }

  /** The same servers, another cash box. */
  async next(till: TestTill): Promise<void> {
    this.till = till
    this.calls = []
    this.faults = []
    this.open.clear()
    this.deathsAtStart = this.pair.deaths
    this.terminal.orders.clear()
    this.terminal.mood = 'yes'
    for (const at of SERVERS) await this.alive(at, (server) => server.call('forgetCare'))
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
    const server = this.pair.serverAt(at)
    const changed = spelling === 'changed'
    const work = this.asked(server, made, spelling).then((answered) => {
      made.answers.push({ changed, answered })
    })
    // a dead server answers nobody
    this.heard(Promise.race([work, server.death]))
  }

  abort(made: Called, at: number): void {
    const server = this.pair.serverAt(at)
    const asked = server.call('stop', this.keyOf(made), ABORT_MS).then(({ said, state }) => {
      if (said === 'ended' && state === 'running') throw new Error('it ended and runs')
    })
    this.heard(Promise.race([asked, server.death]))
  }

  look(made: Called, at: number): void {
    const server = this.pair.serverAt(at)
    const looked = server.call('find', this.keyOf(made)).then((end) => {
      if (end !== undefined) made.seen.push(end)
    })
    this.heard(Promise.race([looked, server.death]))
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
    await this.alive(0, (server) => server.call('resolveOrphans'))
    if (this.faults.length > 0) throw this.faults[0]
  }

  /** What a till is told that asks once more, at each of the servers. */
  async finalAnswers(made: Called): Promise<Answered[]> {
    const asked = SERVERS.map((at) => this.alive(at, (one) => this.finalAnswer(one, made)))
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

  /** The body of a call whose server has died may be the one that has the id. */
  private async finalAnswer(server: DeskProcess, made: Called): Promise<Answered> {
    const answered = await this.asked(server, made, 'order')
    const last = answered === 'conflict' ? await this.asked(server, made, 'changed') : answered
    if (last === 'conflict') throw new Error(`neither body has the id ${made.id}`)
    return last
  }

  private asked(server: DeskProcess, made: Called, spelling: Spelling | 'changed') {
    return server.call('pay', this.till, { id: made.id, body: bodyOf(made, spelling) })
  }

  /** At the successor where the server dies over it. */
  private async alive<T>(at: number, ask: (server: DeskProcess) => Promise<T>): Promise<T> {
    for (;;) {
      const server = this.pair.serverAt(at)
      const answered = ask(server).then((value) => ({ value }))
      const end = await Promise.race([answered, server.death])
      if (end !== undefined) return end.value
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
}
