// connection end.

import { accountOf } from '../core/accounts/accounts.js'
import { endConnection } from '../core/accounts/connection-end.js'
import { randomId } from '../lib/id.js'
import { isoOf } from '../lib/iso-text.js'
import { parseMoment } from '../lib/moment.js'
import { type Command, type Input, needed, optional, UsageError } from './command.js'

export const connectionCommands: Record<string, Command> = {
  'connection end': {
    usage: 'connection end --account ID --to ID [--on DATE] [--json]',
    summary: 'Ends the connection of a dealer (--account) with a merchant (--to), and tells both.',
    options: { account: { type: 'string' }, to: { type: 'string' }, on: { type: 'string' } },
    positionals: [],
    run: async (input) => {
      const account = needed(input, 'account')
      const to = needed(input, 'to')
      const on = dateOf(input)
      const { store } = await input.open()
      const { id: dealerId } = await accountOf(store, account)
      const { id: operatorId } = await accountOf(store, to)
      const { endingOf } = await import('../deps/dealer.js')
      const deps = endingOf({ store, now: () => new Date() })
      const who = { accountId: dealerId, onBehalfOf: operatorId }
      const actor = { ...who, operation: 'connection end', traceId: randomId() }
      const end = { dealerId, operatorId, on, by: 'server' } as const
      const { id, dealer, operator, rights, state, endsAt } = await endConnection(deps, actor, end)
      const names = { dealer: dealer.name, posOperator: operator.name }
      return {
        json: { connectionId: id, ...names, accessRights: rights, state, endsAt },
        text: [
          `connection    ${id}`,
          `dealer        ${dealer.name}`,
          `merchant      ${operator.name}`,
          `access right  ${rights}`,
          `${state === 'ended' ? 'ended       ' : 'ends        '}  ${endsAt?.toISOString() ?? ''}`,
        ].join('\n'),
      }
    },
  },
}

function dateOf(input: Input): Date | undefined {
  const text = optional(input, 'on')
  if (text === undefined) return undefined
  const found = parseMoment(isoOf(text) ?? text)
  if (found === undefined) throw new UsageError('--on is no date such as 2026-12-31')
  return found.date
}
