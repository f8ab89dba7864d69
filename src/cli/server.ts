// serve and migrate.
import { serve } from '../serve.js'
import { migrate } from '../store/migrate.js'
import type { Command } from './command.js'

export const serverCommands: Record<string, Command> = {
  serve: {
    usage: 'serve',
    summary: 'Runs the server; the same as npm start after preparing.',
    options: {},
    positionals: [],
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
    positionals: [],
    run: async (input) => {
      const { database, log } = await input.openDatabase()
      const applied = await migrate(database.poolConfig, log)
      const text = applied.length === 0 ? 'The database is up to date.' : applied.join('\n')
      return { json: { applied }, text }
    },
  },
}
