// Long work in short pieces: one piece in a turn of the event loop, whoever it belongs to, so that
// what is large never keeps what is small waiting; and long work of other threads, which gives way.
import { setTimeout as sleep } from 'node:timers/promises'

/** From so many letters or bytes on a body is read in pieces; receipts are far below. */
export const LARGE = 64 * 1024

/** Milliseconds of a piece. */
const PIECE_MS = 8

const waiting: (() => void)[] = []

/**
 * Resolves in a turn of the event loop in which nobody else goes on who waits here: a hundred large
 * bodies make as short a turn as one.
 */
export function nextTurn(): Promise<void> {
  return new Promise((go) => {
    waiting.push(go)
    if (waiting.length === 1) setImmediate(turn)
  })
}

function turn(): void {
  const go = waiting.shift()
  if (waiting.length > 0) setImmediate(turn)
  go?.()
}

/** Does `step` again and again until it returns true; rejects with what it throws. */
export async function inSlices(step: () => boolean): Promise<void> {
  for (;;) {
    await nextTurn()
    const until = performance.now() + PIECE_MS
    do {
      if (step()) return
    } while (performance.now() < until)
  }
}

/** As `Array.map`, in pieces; `make` is called in the order of the list. */
export async function mapInSlices<T, R>(
  list: readonly T[],
  make: (value: T, at: number) => R,
): Promise<R[]> {
  const made: R[] = []
  await inSlices(() => {
    const end = Math.min(made.length + STEP, list.length)
    for (let at = made.length; at < end; at += 1) made.push(make(list[at] as T, at))
    return end === list.length
  })
  return made
}

/** Items between two looks at the clock. */
const STEP = 32

// ------------------------------------------------------- beside other threads

/** So long after work that went first, more of it is expected. */
const EXPECTED_MS = 250
/** Longest rest, however long the piece of work took. */
const REST_MS = 200

/** A moment that threads share: when work that goes first was done last. */
export class Precedence {
  readonly shared: SharedArrayBuffer
  private readonly cells: Int32Array

  constructor(shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared
    this.cells = new Int32Array(shared)
  }

  /** Work that goes first was done. */
  claim(): void {
    // the low bits of the time are enough to tell what was a moment ago
    Atomics.store(this.cells, 0, Date.now() | 0)
  }

  get isClaimed(): boolean {
    const ago = (Date.now() - Atomics.load(this.cells, 0)) | 0
    return ago >= 0 && ago < EXPECTED_MS
  }

  /**
   * To be awaited between pieces of work that takes its time: while work that goes first is being
   * done, the one that took `milliseconds` is followed by a rest of `times` as long.
   */
  async giveWay(milliseconds: number, times: number): Promise<void> {
    if (!this.isClaimed) return
    await sleep(Math.min(times * milliseconds, REST_MS), undefined, { ref: false })
  }
}
