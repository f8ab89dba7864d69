// A thread whose orders do what a test tells them: pieces, a fault, nothing for ever, or its death.
// It serves them with the compiled program. Started by test/core/journal/beside/threads.test.ts.
import { setImmediate as turn } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { serveOrders } from '../../dist/core/journal/beside/serving.js'
import { fail } from '../../dist/errors.js'

/** Bodies that have begun and not ended. */
let open = 0

async function* body({ parts = [], count = 0, bytes = 0 }) {
  open += 1
  try {
    yield* parts
    for (let at = 0; at < count; at += 1) {
      await turn()
      yield Buffer.alloc(bytes, at)
    }
  } finally {
    open -= 1
  }
}

async function work(order) {
  if (order.do === 'exit') process.exit(3)
  if (order.do === 'break') throw new Error('it broke')
  if (order.do === 'refuse') throw fail('FIELD_INVALID', { field: 'x', expected: 'y' })
  if (order.do === 'open') return { head: open }
  if (order.do === 'die') {
    setImmediate(() => {
      throw new Error('nobody catches this')
    })
    await new Promise(() => undefined)
  }
  return { head: { told: 1n }, body: body(order) }
}

serveOrders(parentPort, work, async () => undefined)
