// serve and migrate.
import type { Source } from '../core/rollout/follow.js'
import { isUuid } from '../lib/id.js'
import { unoptimized } from '../lib/unoptimized.js'
import { migrate } from '../postgres/migrate.js'
import { type Command, type Input, needed, optional, UsageError } from './command.js'
import { barOf } from './progress.js'

export const serverCommands: Record<string, Command> = {
  serve: {
    usage: 'serve [--cashbox ID --token T --from URL]',
    summary:
      'Runs the server; the same as npm start after preparing. With the options it is the local ' +
      'middleware of a cash box of another server: it fetches the configuration there, once ' +
      'online, and works offline from then on.',
    options: {
      cashbox: { type: 'string' },
      token: { type: 'string' },
      from: { type: 'string' },
    },
    positionals: [],
    run: async (input) => {
      // the server is loaded for this command alone: all others are done in half the time
      const { serve } = await unoptimized(() => import('../serve.js'))
      await serve(sourceOf(input))
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
      const bar = barOf()
      const told = { info: (text: string) => log.info(text), progress: bar.at }
      const applied = await migrate(database.poolConfig, told).finally(bar.end)
      const text = applied.length === 0 ? 'The database is up to date.' : applied.join('\n')
      return { json: { applied }, text }
    },
  },
}

const OPTIONS = ['cashbox', 'token', 'from'] as const

/** Undefined: this server has its configuration itself. Throws UsageError. */
function sourceOf(input: Input): Source | undefined {
  if (OPTIONS.every((name) => optional(input, name) === undefined)) return undefined
  const cashBoxId = needed(input, 'cashbox').toLowerCase()
  const from = needed(input, 'from')
  if (!isUuid(cashBoxId)) throw new UsageError('--cashbox is no id of a cash box')
  if (!/^https?:\/\//i.test(from) || !URL.canParse(from)) {
    throw new UsageError('--from is no http or https address')
  }
  const accessToken = needed(input, 'token')
  if (!TOKEN.test(accessToken)) throw new UsageError('--token is no access token of a cash box')
  return { cashBoxId, accessToken, from }
}

/** 65 bytes in Base64, the first of them 4. */
const TOKEN = /^B[A-Za-z0-9+/]{86}=$/
