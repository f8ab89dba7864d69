// Orders done in this thread, where there are no others: by commands and by tests.
import type { Delivered } from './delivery.js'
import type { Answer, Work } from './serving.js'
import type { Threads } from './threads.js'

export function inPlace(work: Work): Threads {
  return {
    run: async (order, { leaving, over = () => undefined } = {}) => {
      const left = leaving ?? new AbortController().signal
      const answer = await work(order, left).catch((error: unknown) => {
        over()
        throw error
      })
      return delivered(answer, left, over)
    },
    close: () => Promise.resolve(),
  }
}

function delivered(
  { head, body = nothing() }: Answer,
  left: AbortSignal,
  over: () => void,
): Delivered {
  const iterator = body[Symbol.asyncIterator]()
  const end = async (): Promise<IteratorResult<string | Uint8Array, undefined>> => {
    over()
    await iterator.return?.()
    return { done: true, value: undefined }
  }
  const leave = () => void end()
  if (left.aborted) leave()
  else left.addEventListener('abort', leave, { once: true })
  const next = async () => {
    try {
      const piece = await iterator.next()
      if (piece.done === true) over()
      return piece
    } catch (error) {
      over()
      throw error
    }
  }
  return { head, body: { [Symbol.asyncIterator]: () => ({ next, return: end }) } }
}

async function* nothing(): AsyncGenerator<Uint8Array, undefined, undefined> {}
