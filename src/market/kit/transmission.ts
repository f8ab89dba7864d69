// Records that an authority must be told in their order: sent after their receipts are stored, each
// once. What is sent is noted before; after an answer that got lost the authority is asked first.
import { z } from 'zod'
import { DeviceError, DeviceRefusal } from '../../device/device.js'
import type { StoredMarketRow } from '../../model/journal.js'
import type { Again, OutboxNote, OutboxWork, OutboxWorker } from '../contract.js'
import { reported } from './steps.js'

/** How far the records of a queue have come; part of its state. */
export const cursor = z.object({
  /** Records up to this one have their answer. */
  sent: z.int().min(0),
  /** Time stamp of a row before which nothing waits. */
  tick: z.string(),
  /** Unix milliseconds: not before. */
  notBefore: z.number(),
  /** Up to this record something was sent whose answer is not known; 0: nothing. */
  asked: z.int().min(0),
  /** Tries without an answer since the last one. */
  failures: z.int().min(0),
  /** Records up to this one are late through no fault of the register. */
  incident: z.int().min(0),
  /** Since when there is no answer, in Unix milliseconds. */
  since: z.number().nullable(),
  /** The words with which all of a request was refused; '' : it was not. */
  stopped: z.string(),
})
export type Cursor = z.infer<typeof cursor>

export const NEW_CURSOR: Cursor = {
  ...{ sent: 0, tick: '0', notBefore: 0, asked: 0, failures: 0, incident: 0, since: null },
  stopped: '',
}

/** A record got no answer while its receipt was made: the authority is asked for it first. */
export function unanswered(cursor: Cursor, number: number, moment: Date): Cursor {
  const since = cursor.since ?? moment.getTime()
  return { ...cursor, asked: number, failures: 1, incident: number, since }
}

export interface Answered<O> {
  /** In the order of what was sent; fewer: the others are not known. */
  outcomes: readonly O[]
  /** How long the authority wants to be left alone. */
  waitMs: number
}

export interface Courier<O> {
  /** Letter of the chain of records. */
  chain: string
  /** Most records of a request. */
  most: number
  /** Between two tries, where what is usual is too long. */
  longestPauseMs?: number
  /** How many from the first one on may go together; left out: all of them. */
  together?(rows: readonly StoredMarketRow[], cursor: Cursor): number
  /** Throws DeviceRefusal where all of it was refused, DeviceError without an answer. */
  send(rows: readonly StoredMarketRow[], cursor: Cursor): Promise<Answered<O>>
  /**
   * What the authority knows of records whose answer got lost; undefined: it cannot be asked, and
   * knows the same bytes again. Throws DeviceError.
   */
  find?(rows: readonly StoredMarketRow[]): Promise<readonly O[]>
  note(row: StoredMarketRow, outcome: O): OutboxNote
}

export interface Kept<S> {
  /** What is still without an answer belongs to the records of this queue, so many. */
  read(state: S): { cursor: Cursor; records: number }
  write(state: S, cursor: Cursor): S
}

const FIRST_PAUSE_MS = 1_000
/** So long after the authority is back something may still wait; the law of Spain has an hour. */
const LONGEST_PAUSE_MS = 5 * 60_000
/** People have to do something before a request that was refused is taken. */
const REFUSED_PAUSE_MS = 30 * 60_000

export const pauseMs = (failures: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 20))

interface How<S, O> {
  kept: Kept<S>
  courier: Courier<O>
}

/** Of a state that has its cursor in `transmission`; `beside`: what moves with it. */
export const keptIn = <S extends { transmission: Cursor; records: number }>(
  beside?: (now: S, next: Cursor) => Partial<S>,
): Kept<S> => ({
  read: ({ transmission, records }) => ({ cursor: transmission, records }),
  write: (now, transmission) => ({ ...now, ...beside?.(now, transmission), transmission }),
})

/** The work that sends what is stored of a queue, as `how` has it for a state. */
export const sending =
  <S, O>(states: z.ZodType<S>, how: (work: OutboxWork, state: S) => How<S, O>): OutboxWorker =>
  (work) => {
    const state = states.parse(JSON.parse(work.source.state))
    return transmit(work, state, how(work, state))
  }

/** Works until nothing waits, or the authority is to be left alone. */
export async function transmit<S, O>(
  work: OutboxWork,
  state: S,
  how: How<S, O>,
): Promise<Again | undefined> {
  return new Transmission(work, state, how).run()
}

class Transmission<S, O> {
  private readonly work: OutboxWork
  private state: S
  private readonly kept: Kept<S>
  private readonly courier: Courier<O>

  constructor(work: OutboxWork, state: S, { kept, courier }: How<S, O>) {
    this.work = work
    this.state = state
    this.kept = kept
    this.courier = courier
  }

  async run(): Promise<Again | undefined> {
    for (;;) {
      const { cursor, records } = this.kept.read(this.state)
      const waiting = records - cursor.sent
      if (waiting <= 0) return undefined
      const inMs = cursor.notBefore - this.work.tools.now().getTime()
      const isFull = waiting >= this.courier.most && cursor.failures === 0
      if (inMs > 0 && !isFull) return { inMs }
      if (this.work.signal.aborted) return { inMs: 0 }
      const rows = await this.rows(cursor, waiting)
      if (rows.length === 0) throw new Error(`${waiting} records wait, and none is there`)
      await this.step(rows, cursor)
    }
  }

  /**
   * The oldest ones that wait. Mostly the tick is that of the newest one that is told, and no more
   * is read than what is sent; behind those that were told while their receipts were made, all is.
   */
  private async rows(cursor: Cursor, waiting: number): Promise<StoredMarketRow[]> {
    const { most } = this.courier
    const next = await this.rowsIn(cursor, BigInt(-most - 1))
    return next.length < Math.min(most, waiting) ? this.rowsIn(cursor, 0n) : next
  }

  private async rowsIn({ sent, tick }: Cursor, to: bigint): Promise<StoredMarketRow[]> {
    const { work, courier } = this
    const rows: StoredMarketRow[] = []
    for await (const page of work.source.marketRows({
      kind: courier.chain,
      range: { from: BigInt(tick), to },
    })) {
      rows.push(...page.filter(({ number }) => number > sent))
      if (rows.length >= courier.most) break
    }
    return rows.slice(0, courier.most)
  }

  private async step(rows: StoredMarketRow[], cursor: Cursor): Promise<void> {
    const lost = rows.filter(({ number }) => number <= cursor.asked)
    const { courier } = this
    try {
      if (lost.length > 0 && courier.find !== undefined) {
        const outcomes = await courier.find(lost)
        return await this.answered(lost, { outcomes, waitMs: 0 })
      }
      const most = courier.together?.(rows, cursor) ?? rows.length
      const batch = rows.slice(0, Math.max(1, most))
      const last = batch.at(-1)?.number ?? 0
      // what knows the same bytes again needs no note of what may have arrived
      if (courier.find !== undefined) await this.move([], (now) => ({ ...now, asked: last }))
      await this.answered(batch, await this.sent(batch, cursor))
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error
      await this.unanswered(rows, error)
    }
  }

  /**
   * A request that is refused as a whole may be so for one record alone: the first by itself shows
   * whether it is this one, and those before it get through.
   */
  private async sent(batch: readonly StoredMarketRow[], cursor: Cursor): Promise<Answered<O>> {
    try {
      return await this.courier.send(batch, cursor)
    } catch (error) {
      if (!(error instanceof DeviceRefusal) || batch.length === 1) throw error
      return this.courier.send(batch.slice(0, 1), cursor)
    }
  }

  private async answered(rows: StoredMarketRow[], { outcomes, waitMs }: Answered<O>) {
    const told = rows.slice(0, outcomes.length)
    const notes = told.map((row, at) => this.courier.note(row, outcomes[at] as O))
    const last = told.at(-1)
    const at = this.work.tools.now().getTime()
    await this.move(notes, (now) => ({
      ...now,
      sent: last?.number ?? now.sent,
      tick: last === undefined ? now.tick : String(last.timeStamp),
      ...{ notBefore: at + waitMs, asked: 0, failures: 0, since: null, stopped: '' },
    }))
  }

  private async unanswered(rows: StoredMarketRow[], error: DeviceError): Promise<void> {
    const at = this.work.tools.now().getTime()
    const isRefused = error instanceof DeviceRefusal
    const usual = isRefused ? REFUSED_PAUSE_MS : LONGEST_PAUSE_MS
    const longest = this.courier.longestPauseMs ?? usual
    const [first] = rows
    const isNew = isRefused && this.kept.read(this.state).cursor.stopped !== error.message
    // told once for each pause
    const notes = first !== undefined && isNew ? [this.stopped(first, error.message)] : []
    await this.move(notes, (now, records) => ({
      ...now,
      ...{ failures: now.failures + 1, since: now.since ?? at },
      notBefore: at + (isRefused ? longest : Math.min(longest, pauseMs(now.failures + 1))),
      // a refusal says that nothing was taken
      asked: isRefused ? 0 : now.asked,
      incident: isRefused ? now.incident : records,
      stopped: isRefused ? error.message : now.stopped,
    }))
  }

  private stopped({ queueItemId: itemId }: StoredMarketRow, message: string): OutboxNote {
    const actions = [reported(this.work, { type: 'TransmissionStopped', message })]
    return { itemId, journal: [], actions }
  }

  /** Receipts may have moved the state meanwhile: it moves on from there. */
  private async move(notes: OutboxNote[], next: (cursor: Cursor, records: number) => Cursor) {
    const change = (state: S): S => {
      const { cursor, records } = this.kept.read(state)
      this.state = this.kept.write(state, next(cursor, records))
      return this.state
    }
    await this.work.write(notes, change)
  }
}
