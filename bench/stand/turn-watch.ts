// How long the thread that it runs in is busy without looking at anything else: the longest turn of
// its event loop.
import * as fs from 'node:fs'
import { performance } from 'node:perf_hooks'

/** Processor time of this thread in nanoseconds is its first word; of Linux alone. */
const CLOCK = '/proc/thread-self/schedstat'

/**
 * Milliseconds of the longest turn while `work` is done: processor time of this thread where the
 * system tells it, so that other programs on the machine do not count; elsewhere time by the clock.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const clock = threadClock()
  let longest = 0
  let running = true
  let last = clock.now()
  const watched = new Promise<void>((done) => {
    const turn = (): void => {
      const now = clock.now()
      longest = Math.max(longest, now - last)
      last = now
      if (running) setImmediate(turn)
      else done()
    }
    setImmediate(turn)
  })
  try {
    await work()
  } finally {
    running = false
    await watched
    clock.close()
  }
  return longest
}

function threadClock(): { now(): number; close(): void } {
  if (!fs.existsSync(CLOCK)) return { now: () => performance.now(), close: () => undefined }
  const file = fs.openSync(CLOCK, 'r')
  const line = Buffer.alloc(64)
  const now = (): number => {
    const length = fs.readSync(file, line, 0, line.length, 0)
    return Number(line.toString('latin1', 0, length).split(' ')[0]) / 1_000_000
  }
  return { now, close: () => fs.closeSync(file) }
}
