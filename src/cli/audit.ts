// audit list.

import { accountOf } from '../core/accounts/accounts.js'
import { type AuditLine, auditLines } from '../core/audit/reading.js'
import { writeJson } from '../lib/json-write.js'
import { parseMoment } from '../lib/moment.js'
import { type Command, type Input, needed, optional, UsageError } from './command.js'

const DEFAULT_LIMIT = 50
const MOST = 1000

export const auditCommands: Record<string, Command> = {
  'audit list': {
    usage:
      'audit list --account ID [--operation O] [--from MOMENT] [--to MOMENT] [--limit N] [--json]',
    summary:
      'Shows who changed what through the Dealer API, by, for or about an account, newest first.',
    options: {
      account: { type: 'string' },
      operation: { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
      limit: { type: 'string' },
    },
    positionals: [],
    run: async (input) => {
      const account = needed(input, 'account')
      const asked = {
        operation: optional(input, 'operation'),
        from: momentOf(input, 'from'),
        to: momentOf(input, 'to'),
        limit: limitOf(input),
      }
      const { store } = await input.open()
      const { id: accountId } = await accountOf(store, account)
      const lines = await auditLines(store, { accountId, ...asked })
      const text = lines.map(
        ({ moment, operation, subjects, accountId: by, onBehalfOf, concerns, traceId }) =>
          `${moment.toISOString()}  ${operation}  ${writeJson(subjects)}` +
          `${onBehalfOf === null ? '' : `  for ${onBehalfOf}`}` +
          `${concerns === accountId ? `  by ${by}` : ''}  ${traceId}`,
      )
      return {
        json: plainLines(lines),
        text: text.length === 0 ? 'Nothing was changed.' : text.join('\n'),
      }
    },
  },
}

/** Without the classes of the reader. */
function plainLines(lines: readonly AuditLine[]): unknown {
  return JSON.parse(writeJson(lines))
}

function momentOf(input: Input, name: string): Date | undefined {
  const text = optional(input, name)
  if (text === undefined) return undefined
  const found = parseMoment(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)
  if (found === undefined) throw new UsageError(`--${name} is no moment such as 2026-01-31`)
  return found.date
}

function limitOf(input: Input): number {
  const text = optional(input, 'limit') ?? String(DEFAULT_LIMIT)
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= MOST) return limit
  throw new UsageError(`--limit must be a number from 1 to ${MOST}`)
}
