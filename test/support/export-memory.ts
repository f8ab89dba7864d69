// Exports a journal in a process of its own and prints how its memory went: one JSON line.
// Run by test/core/journal/memory.test.ts with the connection, the queue, the type and the form.
import { createSealer } from '../../src/lib/seal.js'
import { openStore } from '../../src/store/client.js'
import { openJournal } from './journal.js'
import { growthOf } from './memory-growth.js'

const [connection = '{}', queue = '{}', type = '0', more = '{}'] = process.argv.slice(2)
const store = openStore({
  connection: JSON.parse(connection),
  size: 2,
  sealer: createSealer([Buffer.alloc(32)]),
  onBroken: (error) => {
    throw error
  },
})
const { body } = await openJournal(
  { store, queue: JSON.parse(queue) },
  BigInt(type),
  JSON.parse(more),
)

const growth = await growthOf(body, { stepMebibytes: 8, warmSteps: 2 })
await store.close()
console.log(JSON.stringify(growth))
