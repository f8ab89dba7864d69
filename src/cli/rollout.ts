// operator create, cashbox add, cashbox list, queue configure, scu add, scu switch, scu mode:
// rolling out by hand.
import { setTimeout as sleep } from 'node:timers/promises'
import { accountOf, connectAccounts, createAccount } from '../core/accounts/accounts.js'
import { registerQueue } from '../core/rollout/inventory/registration.js'
import {
  addUnit,
  configureQueue,
  createWholeBox,
  MODES,
  planSwitch,
  setMode,
} from '../core/rollout/units.js'
import type { DriverTools } from '../device/device.js'
import { createOutbound } from '../device/outbound.js'
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

const deps = ({ store, config }: Context) => ({
  ...{ store, marketOf, now: () => new Date() },
  software: !config.production || config.ALLOW_SOFTWARE_DEVICES,
})
const toolsOf = ({ config }: Context): DriverTools => ({
  fetch: createOutbound({ allow: config.OUTBOUND_ALLOW }),
  now: () => new Date(),
  sleep: (milliseconds) => sleep(milliseconds),
})
const modeOf = (text: string) => oneOf(text, Object.keys(MODES), 'mode') as keyof typeof MODES

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
      const { accountId } = await createAccount(deps(context), {
        ...account,
        kind: 'PosOperator',
        market,
        country: market,
        roles: [],
        autoInvite: false,
      })
      const link = { accountId: dealer, toAccountId: accountId, rights: 'Full' }
      const { connectionId } = await connectAccounts(deps(context), link)
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
      const box = await createWholeBox(deps(await input.open()), {
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
  'scu add': {
    usage:
      'scu add --queue ID [--package P] [--mode normal|backup|disabled] [--url U] ' +
      '[--configuration JSON] [--untried] [--json]',
    summary:
      'Gives a queue a further signing unit, used after those that it has. A device behind an ' +
      'address must answer, unless --untried says that it will later.',
    options: {
      queue: { type: 'string' },
      package: { type: 'string' },
      mode: { type: 'string' },
      url: { type: 'string' },
      configuration: { type: 'string' },
      untried: { type: 'boolean' },
    },
    positionals: [],
    run: async (input) => {
      const unit = {
        queueId: needed(input, 'queue'),
        package: optional(input, 'package'),
        mode: modeOf(optional(input, 'mode') ?? 'normal'),
        url: optional(input, 'url'),
        configuration: objectOf(optional(input, 'configuration')),
        untried: input.options.untried === true,
      }
      const context = await input.open()
      const json = await addUnit({ ...deps(context), tools: toolsOf(context) }, unit)
      return { json, text: `signing unit  ${json.scuId}` }
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
      const found = await registerQueue(deps(context), actor, { accountId, id })
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
      const json = await configureQueue(deps(await input.open()), { queueId, configuration })
      return { json, text: JSON.stringify(json.configuration) }
    },
  },
  'scu switch': {
    usage: 'scu switch --from ID --to ID [--json]',
    summary: 'Plans the switch from one signing unit to another, which receipts carry out.',
    options: { from: { type: 'string' }, to: { type: 'string' } },
    positionals: [],
    run: async (input) => {
      const plan = { source: needed(input, 'from'), target: needed(input, 'to') }
      const json = await planSwitch(deps(await input.open()), plan)
      return { json, text: `planned: ${json.source} to ${json.target}` }
    },
  },
  'scu mode': {
    usage: 'scu mode --scu ID --mode normal|backup|disabled [--json]',
    summary: 'Changes the mode of a signing unit, from the next receipt on.',
    options: { scu: { type: 'string' }, mode: { type: 'string' } },
    positionals: [],
    run: async (input) => {
      const change = { scuId: needed(input, 'scu'), mode: modeOf(needed(input, 'mode')) }
      const json = await setMode(deps(await input.open()), change)
      return { json, text: `${json.scuId} is ${json.mode}` }
    },
  },
}

function objectOf(text: string | undefined): Record<string, unknown> {
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
