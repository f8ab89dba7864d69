// entitlement grant, plan import, order cancel.
import { readFile } from 'node:fs/promises'
import { accountOf } from '../core/accounts/accounts.js'
import { grantEntitlement } from '../core/sales/entitlements.js'
import { cancelOrder } from '../core/sales/orders.js'
import { importPlans } from '../core/sales/plans.js'
import { parseMoment } from '../lib/moment.js'
import { type Command, type Context, needed, optional, UsageError } from './command.js'

const withClock = ({ store }: Context) => ({ store, now: () => new Date() })

/** More than nothing, with at most two digits behind the point. */
const TERMS = /^(?!0*(\.0*)?$)\d{1,12}(\.\d{1,2})?$/

export const salesCommands: Record<string, Command> = {
  'entitlement grant': {
    usage: 'entitlement grant --account ID --name N --terms 5 [--until MOMENT] [--json]',
    summary: 'Gives a dealer terms of a product, which rollout plans use up.',
    options: {
      account: { type: 'string' },
      name: { type: 'string' },
      terms: { type: 'string' },
      until: { type: 'string' },
    },
    positionals: [],
    run: async (input) => {
      const [id, name, terms] = [
        needed(input, 'account'),
        needed(input, 'name'),
        needed(input, 'terms'),
      ]
      if (!TERMS.test(terms)) throw new UsageError('--terms is a number like 5 or 2.50')
      const validTo = untilOf(optional(input, 'until'))
      const context = await input.open()
      const { id: accountId, market } = await accountOf(context.store, id)
      const grant = { accountId, market, name, terms, validTo }
      const json = await grantEntitlement(withClock(context), grant)
      return { json, text: `${terms} terms of ${name}` }
    },
  },
  'plan import': {
    usage: 'plan import FILE [--json]',
    summary: 'Stores rollout plans from a JSON file; those of the same number are replaced.',
    options: {},
    positionals: ['FILE'],
    run: async (input) => {
      const list = await jsonOf(input.positionals[0] ?? '')
      const json = await importPlans(withClock(await input.open()), list)
      return { json, text: json.map(({ number, title }) => `${number}  ${title}`).join('\n') }
    },
  },
  'order cancel': {
    usage: 'order cancel --account ID --number N [--json]',
    summary: 'Cancels an order of which nothing was made yet; its entitlements are free again.',
    options: { account: { type: 'string' }, number: { type: 'string' } },
    positionals: [],
    run: async (input) => {
      const [id, number] = [needed(input, 'account'), needed(input, 'number').toUpperCase()]
      const context = await input.open()
      const { id: accountId } = await accountOf(context.store, id)
      const actor = { accountId, onBehalfOf: null, operation: 'order cancel', traceId: '' }
      await cancelOrder(withClock(context), actor, number)
      return { json: { orderNumber: number, state: 2 }, text: `${number} is canceled` }
    },
  },
}

function untilOf(text: string | undefined): Date | null {
  if (text === undefined) return null
  const moment = parseMoment(text)
  if (moment === undefined) throw new UsageError('--until is a moment like 2027-01-31T00:00:00Z')
  return moment.date
}

async function jsonOf(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${path} is no JSON: ${error.message}`)
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new UsageError(`${path} cannot be read (${String(error.code)})`)
  }
}
