// Operations with an idempotency key: executed once, however often and through however many servers
// they are called. Docs/decisions/0016 says why it is done like this.
import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { fail } from '../../errors.js'
import { sameBytes } from '../../lib/hash.js'
import { isAway, isThereAlready, type Store } from '../../store/client.js'
import { type OperationLine, openOperationLine } from '../../store/operation/operation-line.js'
import {
  type FoundOperation,
  findOperations,
  forgetOperation,
  insertOperation,
  itemsByReference,
  type OperationRow,
} from '../../store/operation/operations.js'
import { Ends } from './ends.js'
import { checkSame, isSame } from './fingerprint.js'
import type { Leaving } from './leaving.js'
import { LookUp, nameOf } from './look-up.js'
import type {
  Execution,
  OperationAnswer,
  OperationCall,
  OperationKey,
  Operations,
  Outcome,
  Preparing,
  ReferencedReceipt,
  ReferenceQuery,
  StopHearing,
  Stopped,
  StoredOperation,
} from './operation.js'
import { recordOf } from './record.js'
import { Claims } from './reservations.js'
import { Stops } from './stops.js'
import { answerOf, isPayment, runningOf, stateOf, storedOf } from './stored.js'
import { type OperationTimes, TIMES } from './times.js'
import { unlessLeft, Waits } from './waits.js'

export interface OperationsDeps {
  store: Store
  /** The number of this process; its lock tells the others that it is alive. */
  runner: number
  now(): Date
  log: { error(details: object, message: string): void }
  /** The answer that a failure of a payment becomes. */
  failureOf(error: unknown, call: OperationKey): OperationAnswer
  /** Where the group is mounted; '' unless told. */
  prefix?: string
  /** Shorter in tests. */
  times?: Partial<OperationTimes>
}

/** Registers that repeat calls seldom do it once. */
const WARY_MS = 60_000
const MOST_REFERENCED = 100

/** A call of a register, and whether it is still there. */
interface Asked {
  call: OperationCall
  prepare: Preparing
  leaving: Leaving | undefined
}

interface Running {
  call: OperationCall
  since: Date
  outcome: Promise<Outcome>
}

export function createOperations(deps: OperationsDeps): Operations {
  return new Runner(deps)
}

/** Far more than calls can be open at a time. */
const MOST_RUNNING = 65_536

class Runner implements Operations {
  private readonly deps: OperationsDeps
  private readonly line: OperationLine
  private readonly lookUp: LookUp
  private readonly waits = new Waits()
  private readonly running = new LRUCache<string, Running>({ max: MOST_RUNNING })
  /** Until then every call is looked up before it is executed. */
  private waryUntil = 0
  private readonly claims: Claims
  private readonly ends: Ends
  private readonly times: OperationTimes
  private readonly stops: Stops
  /** What has begun under a claim. */
  private readonly claimed = new Set<Promise<unknown>>()

  constructor(deps: OperationsDeps) {
    this.deps = deps
    this.times = { ...TIMES, ...deps.times }
    this.line = openOperationLine(deps.store, deps.runner)
    this.line.onEnd((id) => this.waits.wake(id))
    this.lookUp = new LookUp(deps.store)
    this.claims = new Claims(deps)
    this.ends = new Ends(deps, { lookUp: this.lookUp, waits: this.waits })
    this.stops = new Stops(this.line, this.waits)
  }

  run(call: OperationCall, prepare: Preparing, leaving?: Leaving): Promise<Outcome> {
    const name = nameOf(call)
    if (this.running.has(name)) return this.runBeside(name, { call, prepare, leaving })
    return this.start(name, { call, prepare, leaving })
  }

  private start(name: string, { call, prepare, leaving }: Asked): Promise<Outcome> {
    const outcome = this.execute(call, prepare)
    this.running.set(name, { call, since: this.deps.now(), outcome })
    // whoever waits hears of a failure; nobody may be left when it comes
    const forget = () => this.running.delete(name)
    const end = () => this.claims.whenSettled(name, forget)
    outcome.then(end, end)
    return unlessLeft(outcome, call, leaving)
  }

  /** Another call has the id at the moment. */
  private async runBeside(name: string, asked: Asked): Promise<Outcome> {
    const { call, leaving } = asked
    for (;;) {
      const known = this.running.get(name)
      if (known === undefined) return this.start(name, asked)
      const answer = await unlessLeft(this.beside(known, call), call, leaving)
      if (answer !== undefined) return { answer, replayed: true }
    }
  }

  async known(call: OperationCall): Promise<OperationAnswer | undefined> {
    const found = await this.lookUp.find(call)
    if (found === undefined) return undefined
    await this.check(call, found)
    return answerOf(found)
  }

  private async check(call: OperationCall, found: FoundOperation): Promise<void> {
    const { method, path, requestHash, request } = found
    const known = { method, path, bodyHash: requestHash, text: request }
    const same = sameBytes(call.bodyHash, requestHash)
    const text = same ? call.requestText : ((await call.keptText?.()) ?? call.requestText)
    await checkSame({ ...call, text }, known, this.deps.prefix ?? '')
  }

  async note(call: OperationCall, answer: OperationAnswer): Promise<void> {
    await insertOperation(this.deps.store.pool, this.rowOf(call, answer))
  }

  async find(key: OperationKey): Promise<StoredOperation | undefined> {
    const running = this.running.get(nameOf(key))
    const found = await this.lookUp.find(key)
    if (found !== undefined) return this.shown(found)
    return running && runningOf(running.call, running.since)
  }

  async byReference(query: ReferenceQuery): Promise<ReferencedReceipt[]> {
    const { accountId, cashBoxId } = query
    const items = await itemsByReference(this.deps.store, {
      ...query,
      terminalId: query.terminalId ?? null,
      limit: MOST_REFERENCED,
    })
    const ids = items.flatMap(({ operationId: id }) => id ?? [])
    const keys = ids.map((id) => ({ accountId, cashBoxId, id }))
    const rows = keys.length === 0 ? [] : await findOperations(this.deps.store, keys)
    const found = new Map(rows.map((row) => [row.id, row]))
    const shown = items.map(async ({ operationId, ...item }) => {
      const row = operationId === null ? undefined : found.get(operationId)
      // an id that was rolled back and executed again belongs to its second receipt
      const own = row?.queueItemId === item.queueItemId ? row : undefined
      return { ...item, operation: own && (await this.shown(own)) }
    })
    return Promise.all(shown)
  }

  resolveOrphans(): Promise<number> {
    return this.ends.resolveOrphans((row) => this.worksOn(row))
  }

  onStop(key: OperationKey, asked: () => void): StopHearing {
    return this.stops.hear(key, asked)
  }

  async stop(key: OperationKey, atMostMs: number): Promise<Stopped> {
    const until = performance.now() + atMostMs
    for (;;) {
      const found = await this.find(key)
      if (found === undefined || found.state !== 'running') return { said: 'ended', found }
      if (!isPayment(found)) return { said: 'refused', found }
      const left = until - performance.now()
      if (left <= 0) return { said: 'unanswered', found }
      if (await this.stops.ask(key, Math.min(this.times.againMs, left))) {
        const last = await this.find(key)
        return { said: last?.state === 'running' ? 'refused' : 'ended', found: last }
      }
      const row = await this.lookUp.find(key)
      if (row !== undefined) await this.ends.resolveDead(row)
    }
  }

  alive(): Promise<void> {
    return this.line.ready()
  }

  async close(): Promise<void> {
    this.claims.close()
    this.waits.wake(undefined)
    // money has moved, and its record is on its way
    const ended = Promise.allSettled(this.claimed)
    await Promise.race([ended, sleep(this.times.endMs, undefined, { ref: false })])
    await this.line.close()
  }

  /**
   * The answer of the same call that runs, in whatever spelling. Where another call has the id at
   * the moment, perhaps wrongly, only what is stored decides; undefined: nothing yet, look again.
   */
  private async beside(
    { call: other, outcome }: Running,
    call: OperationCall,
  ): Promise<OperationAnswer | undefined> {
    const known = { ...other, text: other.requestText }
    const same = await isSame({ ...call, text: call.requestText }, known, this.deps.prefix ?? '')
    if (same) return (await outcome).answer
    const found = await this.lookUp.find(call)
    if (found !== undefined) {
      await this.check(call, found)
      if (found.state !== 'processing') return answerOf(found)
    }
    await Promise.race([Promise.allSettled([outcome]), sleep(this.times.soonMs)])
    return undefined
  }

  /** One function, not three: each that waits costs a call some microseconds. */
  private async execute(call: OperationCall, prepare: Preparing): Promise<Outcome> {
    if (!this.line.isReady) await this.connected()
    if (this.deps.now().getTime() >= this.waryUntil) {
      // Nearly every call is new: it is executed without asking, and its record, which comes first
      // or together with its effects, says when that was wrong.
      let execution: Execution | undefined
      try {
        const prepared = prepare()
        execution = prepared instanceof Promise ? await prepared : prepared
      } catch (fault) {
        // a known id beats a wrong body
        if ((await this.lookUp.find(call)) === undefined) throw fault
      }
      // what may be repeated is repeated in a race only
      if (execution !== undefined && execution.kind !== 'noted') {
        const answer = await this.perform(call, execution)
        if (answer !== undefined) return { answer, replayed: false }
        this.waryUntil = this.deps.now().getTime() + WARY_MS
      }
    }
    return this.lookedUp(call, prepare)
  }

  private async lookedUp(call: OperationCall, prepare: Preparing): Promise<Outcome> {
    for (;;) {
      await this.connected()
      const found = await this.lookUp.find(call)
      if (found === undefined) {
        const answer = await this.perform(call, await prepare())
        if (answer !== undefined) return { answer, replayed: false }
        continue
      }
      await this.check(call, found)
      const answer = await this.ends.settled(found)
      if (answer !== undefined) return { answer, replayed: true }
    }
  }

  private async connected(): Promise<void> {
    try {
      await this.line.ready()
    } catch (error) {
      throw isAway(error) ? fail('DATABASE_AWAY') : error
    }
  }

  private worksOn(row: OperationKey & { runner: number | null }): boolean {
    return row.runner === this.deps.runner && this.running.get(nameOf(row)) !== undefined
  }

  /** A record that reads as left behind may have been read before its end: it is read again. */
  private async shown(row: FoundOperation): Promise<StoredOperation | undefined> {
    const isOwn = (one: FoundOperation) =>
      one.state === 'processing' && one.runner === this.deps.runner
    if (!isOwn(row) || this.worksOn(row)) return storedOf(row, stateOf(row, false))
    const again = await this.lookUp.find(row)
    return again && storedOf(again, stateOf(again, isOwn(again) && !this.worksOn(again)))
  }

  /** Undefined: it turned out to be known. */
  private perform(call: OperationCall, execution: Execution): Promise<OperationAnswer | undefined> {
    if (execution.kind === 'claimed') return this.performClaimed(call, execution)
    if (execution.kind === 'recorded') return this.performRecorded(call, execution)
    return this.performNoted(call, execution)
  }

  private async performNoted(
    call: OperationCall,
    execution: Execution,
  ): Promise<OperationAnswer | undefined> {
    const answer = await execution.run()
    return (await this.insert(call, answer)) ? answer : undefined
  }

  private async performClaimed(
    call: OperationCall,
    execution: Execution,
  ): Promise<OperationAnswer | undefined> {
    const row: OperationRow = {
      ...this.rowOf(call, undefined),
      runner: this.deps.runner,
    }
    if (!(await this.claims.make(row))) return undefined
    const end = this.performOwn(call, execution)
    this.claimed.add(end)
    return end.finally(() => this.claimed.delete(end))
  }

  private async performOwn(
    call: OperationCall,
    execution: Execution,
  ): Promise<OperationAnswer | undefined> {
    const answer = await execution.run().catch((error: unknown) => {
      return this.deps.failureOf(error, call)
    })
    const kept = await this.ends.finish(call, this.deps.runner, answer)
    if (kept) return answer
    // another server had given this one up: what it has told the caller stands
    this.deps.log.error({ operationId: call.id, answer }, 'an operation ended too late')
    return undefined
  }

  private async performRecorded(
    call: OperationCall,
    execution: Execution,
  ): Promise<OperationAnswer | undefined> {
    try {
      const answer = await execution.run()
      if (answer.recorded !== false) return answer
      return (await this.insert(call, answer)) ? answer : undefined
    } catch (error) {
      if (isThereAlready(error) && (await this.lookUp.find(call)) !== undefined) return undefined
      await this.forgetOwn(call)
      throw error
    }
  }

  /** A receipt whose item is stored, and whose device never answered in time, leaves a record. */
  private async forgetOwn(call: OperationCall): Promise<void> {
    try {
      await forgetOperation(this.deps.store, { ...call, runner: this.deps.runner })
    } catch (error) {
      this.deps.log.error(
        { err: error, operationId: call.id },
        'a broken operation was not removed',
      )
    }
  }

  private insert(call: OperationCall, answer: OperationAnswer): Promise<boolean> {
    return insertOperation(this.deps.store.pool, this.rowOf(call, answer))
  }

  private rowOf(call: OperationCall, answer: OperationAnswer | undefined): OperationRow {
    const since = this.running.get(nameOf(call))?.since ?? this.deps.now()
    const finishedAt = answer === undefined ? null : this.deps.now()
    return recordOf(call, answer, { startedAt: since, finishedAt })
  }
}
