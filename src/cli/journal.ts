// journal export: the journals of a queue by its id, in a cash box or in none, streamed.
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { exportJournal, type JournalFormat } from '../core/journal/export.js'
import { fail } from '../errors.js'
import { isUuid } from '../lib/id.js'
import { marketOf } from '../market/index.js'
import { findQueueOwner } from '../store/rollout/memberships.js'
import { type Command, type Input, needed, oneOf, optional, UsageError } from './command.js'
import { barOf } from './progress.js'

const FORMATS: readonly JournalFormat[] = ['json', 'csv', 'xml']

export const journalCommands: Record<string, Command> = {
  'journal export': {
    usage:
      'journal export --queue ID --type T [--from TICKS] [--to TICKS] [--format json|csv|xml] ' +
      '[-o FILE] [--json]',
    summary:
      'Writes a journal of a Queue, also of one that is stopped or in no CashBox any more, into ' +
      'FILE or to standard output.',
    options: {
      queue: { type: 'string' },
      type: { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
      format: { type: 'string' },
      out: { type: 'string', short: 'o' },
    },
    positionals: [],
    run: async (input) => {
      const queueId = needed(input, 'queue').toLowerCase()
      const type = BigInt.asUintN(64, wordOf(input, 'type', needed(input, 'type')))
      const range = { from: wordOf(input, 'from', '0'), to: wordOf(input, 'to', '0') }
      const asked = optional(input, 'format')
      const format =
        asked === undefined ? {} : { format: oneOf(asked, FORMATS, 'format') as JournalFormat }
      const { store } = await input.open()
      const accountId = isUuid(queueId) ? await findQueueOwner(store, queueId) : undefined
      if (accountId === undefined) throw fail('QUEUE_UNKNOWN', { queue: queueId })
      const deps = { store, marketOf, now: () => new Date() }
      const { contentType, body } = await exportJournal(deps, {
        ...{ accountId, queueId, type, range },
        ...format,
      })
      const file = optional(input, 'out')
      if (file === undefined) {
        await pipeline(Readable.from(body, { objectMode: false }), process.stdout, { end: false })
        return undefined
      }
      const bytes = await written(file, body)
      return { json: { queueId, file, contentType, bytes }, text: `${file}  ${bytes} bytes` }
    },
  },
}

function wordOf(input: Input, name: string, fallback: string): bigint {
  const text = (optional(input, name) ?? fallback).trim()
  if (/^(0x[0-9a-f]{1,16}|\d{1,19})$/i.test(text)) return BigInt(text)
  throw new UsageError(`--${name} is no number: expected one such as 1 or 0x4154000000000001`)
}

const MEGA = 1_000_000

/** Nobody knows beforehand how long it gets. */
async function* seen(body: AsyncIterable<string | Uint8Array>) {
  const bar = barOf()
  let bytes = 0
  for await (const piece of body) {
    yield piece
    bytes += Buffer.byteLength(piece)
    bar.at(bytes, undefined, `${(bytes / MEGA).toFixed(1)} MB`)
  }
  bar.end()
}

/** Whole or not at all: what breaks in the middle leaves no file that looks like an export. */
async function written(file: string, body: AsyncIterable<string | Uint8Array>): Promise<number> {
  const part = `${file}.part`
  const out = createWriteStream(part)
  try {
    await pipeline(Readable.from(seen(body), { objectMode: false }), out)
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
  return out.bytesWritten
}
