// events tail.

import { accountOf } from '../core/accounts/accounts.js'
import { createEvents } from '../core/event/events.js'
import { createPump } from '../core/event/pump.js'
import { writeJson } from '../lib/json-write.js'
import { EVENT_TYPES } from '../model/event.js'
import type { EventRow } from '../store/event/stream.js'
import { type Command, type Input, needed, optional, UsageError } from './command.js'

const PAGE = 100
const WAIT_MS = 10_000

export const eventCommands: Record<string, Command> = {
  'events tail': {
    usage: 'events tail --account ID [--after N] [--types T,U] [--once] [--json]',
    summary:
      'Shows what happens to an account and its merchants, as it happens, until Ctrl-C; with ' +
      '--once what has happened.',
    examples: [
      'npx fiskalwerk events tail --account ACCOUNT_ID --types outage.opened,outage.closed',
    ],
    options: {
      account: { type: 'string' },
      after: { type: 'string' },
      types: { type: 'string' },
      once: { type: 'boolean' },
    },
    positionals: [],
    run: async (input) => {
      const account = needed(input, 'account')
      const after = placeOf(input)
      const types = typesOf(input)
      const isOnce = input.options.once === true
      const { store, log } = await input.open()
      const { id: accountId } = await accountOf(store, account)
      const pump = createPump({ store, log })
      pump.start()
      try {
        const events = createEvents({ store, pump })
        const start = after ?? (isOnce ? undefined : (await events.head(accountId)).seq)
        const wish = { accountId, types, limit: PAGE, waitMs: isOnce ? 0 : WAIT_MS }
        const { signal } = new AbortController()
        for (let place = start; ; ) {
          const page = await events.page({ ...wish, after: place, signal })
          for (const row of page.items) say(row, input.options.json === true)
          place = page.next
          if (isOnce && page.items.length < PAGE) return undefined
        }
      } finally {
        await pump.stop()
      }
    },
  },
}

function say(row: EventRow, asJson: boolean): void {
  const { seq, id, type, subjectKind, subjectId, cashBoxId, at } = row
  if (row.isRedacted) {
    // its place stays, as in every other answer
    const shown = { seq, id, type: 'redacted', at }
    const line = `${seq}  ${at.toISOString()}  redacted`
    process.stdout.write(`${asJson ? writeJson(shown) : line}\n`)
    return
  }
  if (asJson) {
    const data = JSON.parse(row.data) as unknown
    const subject = `${subjectKind}/${subjectId}`
    const shown = { seq, id, type, subject, cashBoxId, at, data }
    process.stdout.write(`${writeJson(shown)}\n`)
    return
  }
  const box = cashBoxId === null ? '' : `  cashbox/${cashBoxId}`
  const subject = `${subjectKind}/${subjectId}`
  process.stdout.write(`${seq}  ${at.toISOString()}  ${type}  ${subject}${box}  ${row.data}\n`)
}

function placeOf(input: Input): bigint | undefined {
  const text = optional(input, 'after')
  if (text === undefined) return undefined
  if (/^\d{1,18}$/.test(text)) return BigInt(text)
  throw new UsageError('--after must be the number of an event, or 0')
}

function typesOf(input: Input): string[] | undefined {
  const names = optional(input, 'types')?.split(',')
  const known: readonly string[] = EVENT_TYPES
  const wrong = names?.find((name) => !known.includes(name))
  if (wrong !== undefined) throw new UsageError(`--types: ${wrong} is none of ${known.join(', ')}`)
  return names
}
