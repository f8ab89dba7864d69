// personal-data erase: what names people is blanked, by age or by address.

import { accountOf } from '../core/accounts/accounts.js'
import { type Counts, daysAgo, erasePerson, erasePersonal } from '../core/accounts/personal.js'
import { reaching } from '../store/client.js'
import { type Command, emailOf, optional, UsageError } from './command.js'

export const personalCommands: Record<string, Command> = {
  'personal-data erase': {
    usage: 'personal-data erase (--older-than DAYS [--account ID] | --email E) [--json]',
    summary: 'Blanks contacts, invitations, addresses and user agents; receipts stay as they are.',
    options: {
      'older-than': { type: 'string' },
      account: { type: 'string' },
      email: { type: 'string' },
    },
    positionals: [],
    run: async (input) => {
      const days = optional(input, 'older-than')
      const email = optional(input, 'email') === undefined ? undefined : emailOf(input)
      if ((days === undefined) === (email === undefined)) {
        throw new UsageError('give either --older-than or --email')
      }
      if (days !== undefined && !/^\d{1,5}$/.test(days)) {
        throw new UsageError('--older-than is no number of days')
      }
      const account = optional(input, 'account')
      if (email !== undefined && account !== undefined) {
        throw new UsageError('--account goes with --older-than')
      }
      const { store } = await input.open()
      const now = () => new Date()
      const deps = { store, now }
      const accountId = account === undefined ? null : (await accountOf(store, account)).id
      const erased = await reaching(() =>
        email === undefined
          ? erasePersonal(deps, { before: daysAgo(now(), Number(days)), accountId })
          : erasePerson(deps, { email, accountId: null }),
      )
      return { json: { erased }, text: textOf(erased) }
    },
  },
}

function textOf(erased: Counts): string {
  const lines = Object.entries(erased).map(([table, rows]) => `${table}  ${rows}`)
  return lines.length === 0 ? 'There was nothing to erase.' : lines.join('\n')
}
