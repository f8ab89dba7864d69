// app create, list, remove: third-party receipt apps. link-key rotate.

import { createReceiptApp } from '../core/accounts/accounts.js'
import { isShareUrl, receiptApps, removeApp, type ShownApp } from '../core/receipts/apps.js'
import { rotateLinkKey } from '../core/receipts/link.js'
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
  'app list': {
    usage: 'app list [--json]',
    summary: 'Lists receipt apps that are in use, without their secrets.',
    options: {},
    positionals: [],
    run: async (input) => {
      const { store } = await input.open()
      const json = await receiptApps(store)
      return { json, text: json.length === 0 ? 'There is none.' : json.map(lineOf).join('\n') }
    },
  },
  'app remove': {
    usage: 'app remove ID [--json]',
    summary: 'Takes a receipt app out of use: its secret and its share address stop at once.',
    options: {},
    positionals: ['ID'],
    run: async (input) => {
      const id = input.positionals[0] ?? ''
      const { store } = await input.open()
      const json = await removeApp(store, id)
      return { json, text: `removed  ${json.appId}` }
    },
  },
  'link-key rotate': {
    usage: 'link-key rotate [--cashbox ID] [--json]',
    summary: 'A new key for signed receipt links, of a cash box or else of this installation.',
    options: { cashbox: { type: 'string' } },
    positionals: [],
    run: async (input) => {
      const cashBoxId = optional(input, 'cashbox')
      const { store } = await input.open()
      const json = await rotateLinkKey(store, cashBoxId)
      return {
        json,
        text: 'New links are signed with a new key; those of the one before stay good.',
      }
    },
  },
}

function lineOf({ appId, name, shareUrl }: ShownApp): string {
  return [appId, name, shareUrl ?? ''].join('  ').trimEnd()
}
