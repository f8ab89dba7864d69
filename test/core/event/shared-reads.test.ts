// What listeners share: a wait that lasts as long as one of them stays, and texts that are written
// once.
import { expect, it } from 'vitest'
import { Listeners } from '../../../src/core/event/listeners.js'
import { SharedWaits } from '../../../src/core/event/shared-reads.js'

it('all who want the same share one wait, which ends when the last of them leaves', async () => {
  const waits = new SharedWaits<string>()
  const begun: AbortSignal[] = []
  const join = () => {
    const own = new AbortController()
    const heard = waits.join('same', own.signal, (signal) => {
      begun.push(signal)
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve('over')))
    })
    return { own, heard }
  }
  const [first, second] = [join(), join()]
  expect([begun.length, waits.members]).toEqual([1, 2])
  first.own.abort()
  expect(begun[0]?.aborted).toBe(false)
  second.own.abort()
  expect(begun[0]?.aborted).toBe(true)
  // who comes before the rest of it is done gets no wait that is over
  const third = join()
  expect([begun.length, begun[1]?.aborted]).toEqual([2, false])
  expect(await Promise.all([first.heard, second.heard])).toEqual(['over', 'over'])
  expect(waits.members).toBe(1)
  third.own.abort()
  expect(await third.heard).toBe('over')
  expect(waits.members).toBe(0)
})

it('a wait that breaks breaks for everybody, and the next one is a new one', async () => {
  const waits = new SharedWaits<string>()
  const { signal } = new AbortController()
  const broken = () => waits.join('same', signal, () => Promise.reject(new Error('away')))
  const both = await Promise.allSettled([broken(), broken()])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await waits.join('same', signal, () => Promise.resolve('there'))).toBe('there')
})

it('what many are told is written once, in pieces that begin and end with an event', () => {
  const listeners = new Listeners(1_000)
  const rows = Array.from({ length: 300 }, (_, at) => ({ at }))
  let written = 0
  const write = ({ at }: { at: number }) => {
    written += 1
    return `id: ${at}\ndata: ${'ä'.repeat(at)}\n\n`
  }
  const pieces = listeners.piecesOf(rows, write)
  expect(listeners.piecesOf(rows, write)).toBe(pieces)
  expect(written).toBe(rows.length)
  expect(Buffer.concat([...pieces]).toString()).toBe(rows.map(write).join(''))
  for (const piece of pieces) {
    expect(piece.toString()).toMatch(/^id: /)
    expect(piece.toString()).toMatch(/\n\n$/)
  }
  expect(pieces.length).toBeGreaterThan(3)
  expect(listeners.piecesOf([], write)).toEqual([])
})
