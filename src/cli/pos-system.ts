// possystem add, possystem list.
import { addPosSystem, posSystemsOf } from '../core/accounts/pos-systems.js'
import { type Command, needed, optional } from './command.js'

export const posSystemCommands: Record<string, Command> = {
  'possystem add': {
    usage:
      'possystem add --account ID --brand B --model M --version V [--currency EUR] [--type T] ' +
      '[--json]',
    summary: 'Registers a point-of-sale product of an account; its id is the ftPosSystemId.',
    options: {
      account: { type: 'string' },
      brand: { type: 'string' },
      model: { type: 'string' },
      version: { type: 'string' },
      currency: { type: 'string' },
      type: { type: 'string' },
    },
    positionals: [],
    run: async (input) => {
      const given = {
        accountId: needed(input, 'account'),
        brand: needed(input, 'brand'),
        model: needed(input, 'model'),
        softwareVersion: needed(input, 'version'),
        baseCurrency: optional(input, 'currency') ?? 'EUR',
        type: optional(input, 'type') ?? '',
      }
      const { store } = await input.open()
      const json = await addPosSystem({ store, now: () => new Date() }, given)
      return { json, text: `point-of-sale system  ${json.id}` }
    },
  },
  'possystem list': {
    usage: 'possystem list --account ID [--json]',
    summary: 'Lists the point-of-sale products of an account.',
    options: { account: { type: 'string' } },
    positionals: [],
    run: async (input) => {
      const account = needed(input, 'account')
      const { store } = await input.open()
      const json = await posSystemsOf(store, account)
      const lines = json.map((one) => `${one.id}  ${one.brand} ${one.model} ${one.softwareVersion}`)
      return { json, text: lines.length === 0 ? 'There is none.' : lines.join('\n') }
    },
  },
}
