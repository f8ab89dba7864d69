// jobs list, jobs retry: what waits for the queue, and what it could not do.
import { fail } from '../errors.js'
import { isUuid } from '../lib/id.js'
import { reaching } from '../store/client.js'
import { listJobs, retryJob, type ShownJob } from '../store/message/jobs.js'
import { listOpenMessages, requeueMessage, type ShownMessage } from '../store/message/messages.js'
import { inTransaction } from '../store/transaction.js'
import { type Command, UsageError } from './command.js'

const MOST = 1000

export const jobCommands: Record<string, Command> = {
  'jobs list': {
    usage: 'jobs list [--json]',
    summary: 'Lists messages and other jobs that wait, run, failed, or may have been done.',
    options: {},
    positionals: [],
    run: async (input) => {
      const { store } = await input.open()
      const [messages, jobs] = await reaching(() =>
        Promise.all([listOpenMessages(store, MOST), listJobs(store, MOST)]),
      )
      const lines = [...messages.map(messageLine), ...jobs.map(jobLine)]
      return { json: { messages, jobs }, text: lines.length === 0 ? NONE : lines.join('\n') }
    },
  },
  'jobs retry': {
    usage: 'jobs retry ID [--json]',
    summary: 'Tries again now; a message that may have arrived is sent once more.',
    options: {},
    positionals: ['ID'],
    run: async (input) => {
      const id = input.positionals[0] ?? ''
      if (!isUuid(id) && !/^\d{1,18}$/.test(id)) throw new UsageError(`"${id}" is no ID of a job`)
      const { store } = await input.open()
      const done = await reaching(async () => {
        if (!isUuid(id)) return (await retryJob(store, id)) ? 'queued' : 'unknown'
        return inTransaction(store, (client) => requeueMessage(client, id, new Date()))
      })
      if (done === 'erased') throw fail('MESSAGE_ERASED', { job: id })
      if (done === 'unknown') throw fail('JOB_UNKNOWN', { job: id })
      return { json: { id }, text: `queued  ${id}` }
    },
  },
}

const NONE = 'There is nothing to do, and nothing failed.'

function messageLine(message: ShownMessage): string {
  const { id, kind, channel, address, state, attempts, error, changedAt } = message
  const what = `${kind} by ${channel} to ${address}`
  return lineOf({ id, state, what, attempts, at: changedAt, error })
}

function jobLine({ id, task, state, attempts, runAt, error }: ShownJob): string {
  return lineOf({ id, state, what: task, attempts, at: runAt, error })
}

interface Line {
  id: string
  state: string
  what: string
  attempts: number
  at: Date
  error: string | null
}

function lineOf({ id, state, what, attempts, at, error }: Line): string {
  const tries = `${attempts} ${attempts === 1 ? 'try' : 'tries'}`
  return [id, state, what, tries, at.toISOString(), error ?? ''].join('  ').trimEnd()
}
