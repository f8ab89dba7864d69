// operator create, cashbox add, cashbox list, queue registration, queue configure: by hand.
import { accountOf, connectAccounts, createAccount } from '../core/accounts/accounts.js'
import { registerQueue } from '../core/rollout/inventory/registration.js'
import { configureQueue, createWholeBox } from '../core/rollout/units.js'
import { fail } from '../errors.js'
import { isUuid } from '../lib/id.js'
import { marketOf, markets } from '../market/index.js'
import { sentenceOf } from '../notify/message.js'
import { cashBoxToken } from '../store/master-key.js'
import { findQueueOwner } from '../store/rollout/memberships.js'
import { listQueues } from '../store/rollout/rollout.js'
import {
  type Command,
  type Context,
  emailOf,
  needed,
  oneOf,
  optional,
  UsageError,
} from './command.js'
import { registrationLines } from './registration-lines.js'

export const rolloutDeps = ({ store, config }: Context) => ({
  ...{ store, marketOf, now: () => new Date() },
  software: !config.production || config.ALLOW_SOFTWARE_DEVICES,
})
export const rolloutCommands: Record<string, Command> = {
  'operator create': {
    usage: 'operator create --dealer ID --name N --market AT --email E [--json]',
    summary: 'Makes a merchant account (PosOperator) connected to a dealer.',
    options: {
      dealer: { type: 'string' },
      name: { type: 'string' },
      market: { type: 'string' },
      email: { type: 'string' },
    },
    positionals: [],
    run: async (input) => {
      const dealer = needed(input, 'dealer')
      const market = oneOf(needed(input, 'market'), Object.keys(markets), 'market')
      const account = { name: needed(input, 'name'), email: emailOf(input) }
      const context = await input.open()
      await accountOf(context.store, dealer)
      const { accountId } = await createAccount(rolloutDeps(context), {
        ...account,
        kind: 'PosOperator',
        market,
        country: market,
        roles: [],
        autoInvite: false,
      })
      const link = { accountId: dealer, toAccountId: accountId, rights: 'Full' }
      const { connectionId } = await connectAccounts(rolloutDeps(context), link)
      return { json: { accountId, connectionId }, text: `account  ${accountId}` }
    },
  },
  'cashbox add': {
    usage:
      'cashbox add --account ID --market AT [--description D] [--identification I] ' +
      '[--configuration JSON] [--json]',
    summary: 'Gives a merchant a cash box with a queue and a software signing unit, not started.',
    examples: ['npx fiskalwerk cashbox add --account ACCOUNT_ID --market DE --description "Bar"'],
    options: {
      account: { type: 'string' },
      market: { type: 'string' },
      description: { type: 'string' },
      identification: { type: 'string' },
      configuration: { type: 'string' },
    },
    positionals: [],
    run: async (input) => {
      const market = oneOf(needed(input, 'market'), Object.keys(markets), 'market')
      const accountId = needed(input, 'account')
      const description = optional(input, 'description') ?? 'Cash box'
      const identification = optional(input, 'identification')
      const configuration = objectOf(optional(input, 'configuration'))
      const box = await createWholeBox(rolloutDeps(await input.open()), {
        accountId,
        market,
        description,
        configuration,
        ...(identification === undefined ? {} : { identification }),
      })
      const text =
        `cash box      ${box.cashBoxId}\naccess token  ${box.accessToken}\n` +
        `queue         ${box.queueId}\nsigning unit  ${box.scuIds.join(', ')}`
      return { json: box, text }
    },
  },
  'cashbox list': {
    usage: 'cashbox list --account ID [--json]',
    summary: 'Lists the cash boxes of a merchant with their queues and signing units.',
    options: { account: { type: 'string' } },
    positionals: [],
    run: async (input) => {
      const account = needed(input, 'account')
      const { store } = await input.open()
      const { id: accountId } = await accountOf(store, account)
      const queues = await listQueues(store, accountId)
      const json = queues.map((queue) => ({
        market: queue.market,
        cashBoxId: queue.cashBoxId,
        accessToken: store.sealer.open(queue.accessTokenSealed, cashBoxToken(queue.cashBoxId)),
        queueId: queue.id,
        started: queue.started,
        scuIds: queue.scuIds,
      }))
      const lines = json.map((box) => `${box.market}  ${box.cashBoxId}  queue ${box.queueId}`)
      return { json, text: lines.length === 0 ? 'There is no cash box.' : lines.join('\n') }
    },
  },
  'queue registration': {
    usage: 'queue registration --queue ID [--json]',
    summary: 'Prints what a merchant tells the authority of a Queue, its key included.',
    options: { queue: { type: 'string' } },
    positionals: [],
    run: async (input) => {
      const id = needed(input, 'queue').toLowerCase()
      const context = await input.open()
      const accountId = isUuid(id) ? await findQueueOwner(context.store, id) : undefined
      if (accountId === undefined) throw fail('QUEUE_UNKNOWN', { queue: id })
      const actor = { accountId, onBehalfOf: null, operation: 'queue registration', traceId: '' }
      const found = await registerQueue(rolloutDeps(context), actor, { accountId, id })
      const missing = found.missing.map(({ member, gap, details }) => ({
        ...{ member, message: sentenceOf(gap, 'en', details) },
      }))
      const json = { ...found, missing }
      return { json, text: registrationLines(json) }
    },
  },
  'queue configure': {
    usage: 'queue configure --queue ID --configuration JSON [--json]',
    summary: 'Replaces the parameters of a queue, from the next receipt on.',
    options: { queue: { type: 'string' }, configuration: { type: 'string' } },
    positionals: [],
    run: async (input) => {
      const queueId = needed(input, 'queue')
      const configuration = objectOf(needed(input, 'configuration'))
      const json = await configureQueue(rolloutDeps(await input.open()), { queueId, configuration })
      return { json, text: JSON.stringify(json.configuration) }
    },
  },
}

export function objectOf(text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>
    }
  } catch {
    throw new UsageError('--configuration is no JSON')
  }
  throw new UsageError('--configuration must be a JSON object')
}
