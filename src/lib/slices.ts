// Long work in short pieces: one piece in a turn of the event loop, whoever it belongs to, so that
// what is large never keeps what is small waiting.

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
