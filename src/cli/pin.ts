// pin create.
import { createPairing } from '../core/accounts/pairing/pairing.js'
import { type Command, needed } from './command.js'

export const pinCommands: Record<string, Command> = {
  'pin create': {
    usage: 'pin create --cashbox ID [--json]',
    summary: 'Makes a PIN that gives a device the credentials of a cash box, once, for 5 minutes.',
    options: { cashbox: { type: 'string' } },
    positionals: [],
    run: async (input) => {
      const cashBox = needed(input, 'cashbox')
      const { store } = await input.open()
      const json = await createPairing(store).create(cashBox)
      return { json, text: `PIN  ${json.pin}\ngood until  ${json.expiresAt.toISOString()}` }
    },
  },
}
