// serve and migrate.
import { readConfig } from '../config.js'
import { createLog } from '../log.js'
import { serve } from '../serve.js'
import { openDatabase } from '../store/database.js'
import { migrate } from '../store/migrate.js'
import type { Command } from './command.js'

export const serverCommands: Record<string, Command> = {
  serve: {
    usage: 'serve',
    summary: 'Runs the server; the same as npm start after preparing.',
    options: {},
    positionals: 0,
    run: async () => {
      await serve()
      await new Promise(() => {
        // the server ends the process by itself when a signal comes
      })
      return undefined
    },
  },
  migrate: {
    usage: 'migrate [--json]',
    summary: 'Applies the migrations that the database does not have yet.',
    options: {},
    positionals: 0,
    run: async () => {
      const config = readConfig()
      const log = createLog('silent', false)
      const database = await openDatabase({
        dataDir: config.DATA_DIR,
        databaseUrl: config.DATABASE_URL,
        log,
        mode: 'tool',
      })
      try {
        const applied = await migrate(database.poolConfig, log)
        const text = applied.length === 0 ? 'The database is up to date.' : applied.join('\n')
        return { json: { applied }, text }
      } finally {
        await database.stop()
      }
    },
  },
}
