// Brings events to webhooks until it is killed. Says `ready` once it runs.
// Run by test/story/webhooks-killed.test.ts.
import { parcelOf } from '../../src/api/platform/parcel.js'
import { createWebhookWorker } from '../../src/core/event/webhook-worker.js'
import { openStand } from './stand.js'

const { connection, masterKey, allow } = JSON.parse(process.argv[2] ?? '')
const stand = openStand(connection, { masterKey: Buffer.from(masterKey, 'base64'), allow })
const { store } = stand
const worker = createWebhookWorker({
  ...{ store, sealer: store.sealer, fetch: stand.deps.tools.fetch, now: () => new Date() },
  ...{ languageOf: () => 'en', publicUrl: undefined },
  ...{ parcelOf, random: Math.random, log: { warn: () => undefined } },
})
worker.start()
console.log('ready')
// keeps the process: the worker holds nobody
setInterval(() => undefined, 1_000)
