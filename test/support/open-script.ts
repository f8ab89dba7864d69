// Opens a database as a server or a tool does, says so on one line, and stops it on SIGTERM.
// Run by test/postgres/embedded/*.test.ts with the options as JSON.
import { openDatabase } from '../../src/postgres/database.js'
import { DatabaseError } from '../../src/postgres/database-error.js'

const log = { info: () => undefined, warn: console.error, error: console.error }

try {
  const database = await openDatabase({ ...JSON.parse(process.argv[2] ?? '{}'), log })
  process.on('SIGTERM', () => {
    void database.stop().then(() => process.exit(0))
  })
  const { adopted, poolConfig } = database
  console.log(JSON.stringify({ adopted, config: poolConfig }))
  setInterval(() => undefined, 60_000)
} catch (error) {
  if (!(error instanceof DatabaseError)) throw error
  console.log(JSON.stringify({ fault: error.fault, message: error.message }))
}
