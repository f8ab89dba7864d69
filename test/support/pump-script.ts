// Moves events into their streams until it is killed. Says `ready` once it runs.
// Run by test/story/events-moved.test.ts.
import { createPump } from '../../src/core/event/pump.js'
import { openStand } from './stand.js'

const stand = openStand(JSON.parse(process.argv[2] ?? ''))
const pump = createPump({ store: stand.store, log: { warn: () => undefined } })
pump.start()
console.log('ready')
// keeps the process: the pump holds nobody
setInterval(() => undefined, 1_000)
