// inspect: makes an inspection bundle, here or in a server that is quicker, and writes it out.
import { randomInt } from 'node:crypto'
import { copyFile, rename } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { accountOf } from '../core/accounts/accounts.js'
import { createInspectionDesk, type InspectionDesk } from '../core/event/inspection/desk.js'
import { INCLUDES } from '../core/event/inspection/plan.js'
import { LANGUAGES } from '../core/event/inspection/words.js'
import { createWork } from '../core/event/job/work.js'
import { inspectionsFolder, inspectionWorkOf } from '../deps/inspections.js'
import { isUuid } from '../lib/id.js'
import { parseMoment } from '../lib/moment.js'
import type { JobRow } from '../store/event/job/jobs.js'
import { openOperationLine } from '../store/operation/operation-line.js'
import { type Command, type Context, type Input, needed, oneOf, UsageError } from './command.js'
import { barOf } from './progress.js'

const LOOK_MS = 500
const MOST_RUNNERS = 2 ** 31 - 1

export const inspectCommands: Record<string, Command> = {
  inspect: {
    usage:
      'inspect --account ID --from DAY --to DAY -o FILE [--cashbox ID,ID] [--outlet N,N] ' +
      '[--without-keys] [--language de|en|fr] [--json]',
    summary:
      'Writes everything that an auditor asks for into one ZIP: legal exports, journals, keys, ' +
      'certificates and what independent verifiers say. DAY: UTC; --to is not part of it.',
    examples: [
      'npx fiskalwerk inspect --account ACCOUNT_ID --from 2026-01-01 --to 2027-01-01 -o 2026.zip',
    ],
    options: {
      account: { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
      out: { type: 'string', short: 'o' },
      cashbox: { type: 'string' },
      outlet: { type: 'string' },
      'without-keys': { type: 'boolean' },
      language: { type: 'string' },
    },
    positionals: [],
    run: async (input) => {
      const account = needed(input, 'account')
      const out = needed(input, 'out')
      const wish = wishOf(input)
      const context = await input.open()
      const { id: accountId } = await accountOf(context.store, account)
      const { row, file } = await made(context, accountId, wish)
      await copyFile(file.path, `${out}.part`)
      await rename(`${out}.part`, out)
      const { findings } = JSON.parse(row.result ?? '{}') as { findings: number }
      const json = { id: row.id, file: out, bytes: file.bytes, sha256: file.sha256, findings }
      const text = `${file.sha256}  ${out}\n${file.bytes} bytes, ${findings} finding(s)`
      return { json, text }
    },
  },
}

type Wish = Parameters<InspectionDesk['ask']>[1]

function wishOf(input: Input): Wish {
  const cashBoxIds = listOf(input, 'cashbox', isUuid)
  const outlets = listOf(input, 'outlet', (text) => /^\d{1,9}$/.test(text))
  const include = INCLUDES.filter((one) => one !== 'keys' || input.options['without-keys'] !== true)
  const [from, to] = [momentOf(input, 'from'), momentOf(input, 'to')]
  if (to <= from) throw new UsageError('--to must be behind --from')
  const language = input.options.language
  return {
    ...{ posOperatorId: undefined, cashBoxIds, outletNumbers: outlets?.map(Number), from, to },
    include: [...include].sort(),
    language: oneOf(typeof language === 'string' ? language : 'de', LANGUAGES, 'language'),
  }
}

function listOf(
  input: Input,
  name: string,
  isGood: (text: string) => boolean,
): string[] | undefined {
  const given = input.options[name]
  if (typeof given !== 'string') return undefined
  const all = given.split(',').map((one) => one.trim().toLowerCase())
  if (all.every(isGood)) return all
  throw new UsageError(`--${name} has words that do not fit`)
}

function momentOf(input: Input, name: string): Date {
  const text = needed(input, name)
  const found = parseMoment(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)
  if (found === undefined) throw new UsageError(`--${name} is no moment such as 2026-01-31`)
  return found.date
}

async function made({ store, config, log }: Context, accountId: string, wish: Wish) {
  const now = () => new Date()
  const desk = createInspectionDesk({ store, now, root: inspectionsFolder(config) })
  const runner = randomInt(MOST_RUNNERS)
  // by its lock a server beside sees that this process is alive
  const line = openOperationLine(store, runner)
  const inspections = inspectionWorkOf(config, store, log)
  try {
    await line.ready()
    const actor = { accountId, onBehalfOf: null, operation: 'askInspection', traceId: '' }
    const { id } = await desk.ask(actor, { ...wish, posOperatorId: accountId })
    const workOn = createWork({ store, runner, now, log, kinds: [inspections.kind] })
    const working = workOn({ accountId, id }, { signal: new AbortController().signal })
    // what ends it badly is told by the row, or thrown here
    const [row] = await Promise.all([ended(desk, accountId, id), working])
    if (row.state !== 'succeeded') throw new Error(reasonOf(row))
    return { row, file: await desk.file(accountId, id) }
  } finally {
    await inspections.close()
    await line.close()
  }
}

async function ended(desk: InspectionDesk, accountId: string, id: string): Promise<JobRow> {
  const bar = barOf()
  for (;;) {
    const row = await desk.get(accountId, id)
    if (row.finishedAt !== null) {
      bar.end()
      return row
    }
    const total = row.total === null ? undefined : Number(row.total)
    bar.at(Number(row.done), total, row.phase ?? '')
    await sleep(LOOK_MS)
  }
}

function reasonOf({ state, error }: JobRow): string {
  const { text } = JSON.parse(error ?? '{}') as { text?: string }
  return `The bundle was not made (${state}): ${text ?? 'it was called off'}`
}
