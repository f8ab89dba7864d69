// Statements of many lanes become one: what waits while earlier ones are on their way goes
// together, and each lane hears of its own queue alone.
import type { Semaphore } from '../../lib/semaphore.js'
import { isAway, type Store } from '../../store/client.js'
import { commitBatch } from '../../store/sign/queues.js'
import type { SignBatch } from '../../store/sign/sign-batch.js'

/** Most lanes in one statement, and most statements on their way. */
const MOST_LANES = 64
const MOST_FLIGHTS = 2
/** A statement of more lanes is worth waiting for: what comes meanwhile goes in one as well. */
const FEW_LANES = 4
/** For so long: it may have to wait for somebody who holds the row of a queue. */
const PATIENCE_MS = 50

interface Waiting {
  batch: SignBatch
  resolve(won: ReadonlySet<string>): void
  reject(error: unknown): void
}

export class SharedStatements {
  private readonly store: Store
  /** Every call of the database takes one. */
  private readonly turns: Semaphore
  private waiting: Waiting[] = []
  private flights = 0
  private lanesAway = 0
  private planned = false
  private patience: NodeJS.Timeout | undefined
  private isPatient = true

  constructor(store: Store, turns: Semaphore) {
    this.store = store
    this.turns = turns
  }

  /** As commitBatch. */
  write(batch: SignBatch): Promise<ReadonlySet<string>> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ batch, resolve, reject })
      this.plan()
    })
  }

  /** What comes in the same turn of the event loop goes together. */
  private plan(): void {
    if (this.planned || this.waiting.length === 0 || this.flights >= MOST_FLIGHTS) return
    if (this.lanesAway > FEW_LANES && this.isPatient) {
      this.patience ??= setTimeout(() => this.goOn(), PATIENCE_MS)
      return
    }
    this.planned = true
    setImmediate(() => {
      this.planned = false
      void this.fly(this.next())
      this.plan()
    })
  }

  private goOn(): void {
    this.patience = undefined
    this.isPatient = false
    this.plan()
  }

  private next(): readonly Waiting[] {
    const heads = new Set<string>()
    const taken = new Set<Waiting>()
    for (const one of this.waiting) {
      if (taken.size === MOST_LANES) break
      const ids = headsOf(one.batch)
      // a head moves once in a statement: whoever wants to move it as well finds out behind it
      if (ids.some((id) => heads.has(id))) continue
      taken.add(one)
      for (const id of ids) heads.add(id)
    }
    this.waiting = this.waiting.filter((one) => !taken.has(one))
    return [...taken]
  }

  private async fly(together: readonly Waiting[]): Promise<void> {
    this.flights += 1
    this.lanesAway += together.length
    try {
      await this.send(together)
    } finally {
      this.flights -= 1
      this.lanesAway -= together.length
      clearTimeout(this.patience)
      this.patience = undefined
      this.isPatient = true
      this.plan()
    }
  }

  private async send(together: readonly Waiting[]): Promise<void> {
    try {
      const batch = joined(together.map((one) => one.batch))
      const won = await this.turns.run(() => commitBatch(this.store, batch))
      for (const { resolve } of together) resolve(won)
    } catch (error) {
      // nothing of it was written, and the fault may be that of one of them
      if (together.length > 1 && !isAway(error)) await this.oneByOne(together)
      else for (const { reject } of together) reject(error)
    }
  }

  private async oneByOne(together: readonly Waiting[]): Promise<void> {
    for (const one of together) await this.send([one])
  }
}

function headsOf({ heads, scus }: SignBatch): string[] {
  return [...heads.map(({ next }) => next.id), ...scus.map(({ id }) => id)]
}

/** Groups keep apart. */
function joined(batches: readonly SignBatch[]): SignBatch {
  const [first] = batches
  if (first !== undefined && batches.length === 1) return first
  let groups = 0
  const apart = batches.map((batch) => {
    const before = groups
    const moved = <M extends { readonly group: number }>(move: M): M =>
      move.group === 0 ? move : { ...move, group: move.group + before }
    groups += batch.heads.length
    return { heads: batch.heads.map(moved), scus: batch.scus.map(moved) }
  })
  return {
    heads: apart.flatMap(({ heads }) => heads),
    scus: apart.flatMap(({ scus }) => scus),
    items: batches.flatMap(({ items }) => items),
    completions: batches.flatMap(({ completions }) => completions),
    recorded: batches.flatMap(({ recorded }) => recorded),
    receipts: batches.flatMap(({ receipts }) => receipts),
    markets: batches.flatMap(({ markets }) => markets),
    actions: batches.flatMap(({ actions }) => actions),
    certificates: batches.flatMap(({ certificates }) => certificates),
    operations: batches.flatMap(({ operations }) => operations),
    endings: batches.flatMap(({ endings }) => endings),
    outbox: batches.flatMap(({ outbox }) => outbox),
    events: batches.flatMap(({ events }) => events),
  }
}
