// app create.
import { createReceiptApp } from '../core/onboarding/accounts.js'
import { type Command, needed, optional, UsageError } from './command.js'

export const appCommands: Record<string, Command> = {
  'app create': {
    usage: 'app create --name N [--share-url U] [--json]',
    summary: 'Registers a third-party receipt app and prints its id and secret.',
    options: { name: { type: 'string' }, 'share-url': { type: 'string' } },
    positionals: [],
    run: async (input) => {
      const name = needed(input, 'name')
      const shareUrl = optional(input, 'share-url') ?? null
      const { store, config } = await input.open()
      if (shareUrl !== null && !isShareUrl(shareUrl, config.production)) {
        throw new UsageError('--share-url must be an https address (http too in the sandbox)')
      }
      const json = await createReceiptApp({ store, now: () => new Date() }, { name, shareUrl })
      return { json, text: `app id      ${json.appId}\napp secret  ${json.appSecret}` }
    },
  },
}

function isShareUrl(text: string, production: boolean): boolean {
  if (!URL.canParse(text)) return false
  const { protocol } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && !production)
}
