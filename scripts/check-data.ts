// Checks everything that a database holds, and prints what does not hold; nothing is changed.
// Run by `npm run -s check:data`, beside a running server or without one; exit code 1: violations,
// or why there was nothing to check.

import { barOf } from '../src/cli/progress.js'
import { sentenceOf } from '../src/cli/sentence.js'
import { ConfigError, readConfig } from '../src/config.js'
import { checkData } from '../src/core/audit/check/check.js'
import { createStore } from '../src/deps/store.js'
import { createLog } from '../src/log.js'
import { marketOf } from '../src/market/index.js'
import { openDatabase } from '../src/postgres/database.js'

async function check(): Promise<number> {
  const config = readConfig()
  const log = createLog('silent', false)
  const database = await openDatabase({
    dataDir: config.DATA_DIR,
    databaseUrl: config.DATABASE_URL,
    mode: 'tool',
    log,
  })
  try {
    const store = await createStore({ config, log, database })
    const started = performance.now()
    const bar = barOf()
    const deps = { store, marketOf, now: () => new Date() }
    const { queues, items, receipts, violations } = await checkData(
      deps,
      (violation) => {
        const { queueId, receipt, code, text } = violation
        bar.end()
        console.log(`queue ${queueId || '-'} receipt ${receipt || '-'} ${code}: ${text}`)
      },
      (done, queues) => bar.at(done, queues, `${done} of ${queues} queues`),
    )
    bar.end()
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(
      `${queues} queues, ${items} items, ${receipts} receipts: ` +
        `${violations} violations (${seconds} s)`,
    )
    await store.close()
    return violations === 0 ? 0 : 1
  } finally {
    await database.stop()
  }
}

try {
  process.exitCode = await check()
} catch (error) {
  const lines = error instanceof ConfigError ? error.faults : [sentenceOf(error)]
  for (const line of lines) console.error(`check:data: ${line}`)
  // a pool may still be open
  process.exit(1)
}
