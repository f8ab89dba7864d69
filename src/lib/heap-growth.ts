// How far the old part of a heap grows before it is cleaned up. V8 has one setting for all heaps of
// the process and reads it when it has cleaned up one; its own choice lets the garbage of a long
// export grow to four times of what lives.
import { setFlagsFromString } from 'node:v8'

/**
 * By its whole. By half, the Buffers that come between two looks at the young part are enough to
 * begin a cleaning: with German receipts each 0.7 seconds instead of each 3, which took a tenth of
 * the processor time of a receipt.
 */
const ALONE = '--heap-growing-percent=100'
/** By half: what a thread works on is long, and a bundle with two of them took 30 MB more. */
const BESIDE = '--heap-growing-percent=50'

let atWork = 0

/** From the start of the process on. */
export function growAlone(): void {
  if (atWork === 0) setFlagsFromString(ALONE)
}

/** A thread begins something; to be called when it has ended. */
export function growBeside(): () => void {
  atWork += 1
  if (atWork === 1) setFlagsFromString(BESIDE)
  let hasEnded = false
  return () => {
    if (hasEnded) return
    hasEnded = true
    atWork -= 1
    growAlone()
  }
}
