// dealer import: the invitations of a CSV file, with a bar of how far it is.
import { createReadStream } from 'node:fs'
import { accountOf } from '../core/accounts/accounts.js'
import {
  type Imported,
  type ImportOrder,
  performImport,
  type Told,
} from '../core/accounts/invitation/csv/imports.js'
import { type Problem, problemText } from '../core/accounts/invitation/csv/problem.js'
import { type KeptFile, keptFile } from '../core/accounts/invitation/csv/source.js'
import { FiscalError, fail } from '../errors.js'
import { randomId } from '../lib/id.js'
import { ENGLISH } from '../lib/language.js'
import {
  type Command,
  type Context,
  type Input,
  needed,
  type Output,
  UsageError,
} from './command.js'
import { type Bar, barOf } from './progress.js'

export const dealerImportCommands: Record<string, Command> = {
  'dealer import': {
    usage: 'dealer import FILE --account ID [--dry-run] [--json]',
    summary:
      'Stores the invitations of a CSV file for a dealer, all or none; --dry-run only looks. ' +
      'Both formats of the template are read.',
    examples: ['npx fiskalwerk dealer import merchants.csv --account ACCOUNT_ID --dry-run'],
    options: { account: { type: 'string' }, 'dry-run': { type: 'boolean' } },
    positionals: ['FILE'],
    run: async (input) => {
      const account = needed(input, 'account')
      const file = await fileOf(input.positionals[0] ?? '')
      const bar = barOf()
      try {
        return await imported(await input.open(), { account, file, dryRun: isDry(input), bar })
      } finally {
        bar.end()
        await file.close()
      }
    },
  },
}

const isDry = ({ options }: Input): boolean => options['dry-run'] === true

async function fileOf(path: string): Promise<KeptFile> {
  try {
    return await keptFile(createReadStream(path))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new UsageError(`${path} cannot be read (${String(error.code)})`)
  }
}

interface Wish {
  account: string
  file: KeptFile
  dryRun: boolean
  bar: Bar
}

async function imported(
  { store, log }: Context,
  { account: given, file, dryRun, bar }: Wish,
): Promise<Output> {
  const account = await accountOf(store, given)
  if (account.kind === 'PosOperator') throw fail('ACCOUNT_UNKNOWN', { account: given })
  const { id: accountId } = account
  const actor = { accountId, onBehalfOf: null, operation: 'dealer import', traceId: '' }
  const caller = { actor, account, culture: ENGLISH, base: '' }
  const order: ImportOrder = { caller, file, dryRun, key: { accountId, id: randomId() } }
  const quiet = { info: () => undefined, error: log.error.bind(log) }
  const deps = { store, now: () => new Date(), log: quiet, told: toldOn(bar) }
  try {
    return doneText(await performImport(deps, order), dryRun)
  } catch (error) {
    const faults = faultsOf(error)
    if (faults === undefined) throw error
    return { json: { ok: false, created: 0, faults }, text: faults.join('\n'), ok: false }
  }
}

/** How many rows there are is known when all have been looked at. */
const toldOn =
  (bar: Bar): Told =>
  (what, { rows, created, skipped }) =>
    what === 'checked'
      ? bar.at(rows, undefined, `${rows} rows checked`)
      : bar.at(created + skipped, rows, 'rows stored')

function doneText({ created, skipped }: Imported, dryRun: boolean): Output {
  const known = skipped.map((email) => `known already  ${email}`)
  const what = dryRun ? 'invitations would be stored' : 'invitations stored'
  const text = [...known, `${created} ${what}, ${skipped.length} known already`].join('\n')
  return { json: { ok: true, created, skipped }, text }
}

/** One line each; undefined: something else went wrong. */
function faultsOf(error: unknown): string[] | undefined {
  if (!(error instanceof FiscalError) || error.code !== 'CSV_INVALID') return undefined
  const { Message, validationErrors } = error.members ?? {}
  if (typeof Message === 'string') return Message.split('\n')
  return (validationErrors as Problem[]).map((one) => problemText(one, ENGLISH.language))
}
