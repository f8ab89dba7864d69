// template import: cash box templates from a JSON file.
import { readFile } from 'node:fs/promises'
import { importTemplates } from '../core/rollout/template/records.js'
import { type Command, optional, UsageError } from './command.js'

export const templateCommands: Record<string, Command> = {
  'template import': {
    usage: 'template import FILE [--account ID] [--json]',
    summary:
      'Stores cash box templates from a JSON file, one or a list; those of the same name are ' +
      'replaced. --account owns those that name no account.',
    options: { account: { type: 'string' } },
    positionals: ['FILE'],
    run: async (input) => {
      const text = await textOf(input.positionals[0] ?? '')
      const { store } = await input.open()
      const json = await importTemplates(
        { store, now: () => new Date() },
        { text, accountId: optional(input, 'account') },
      )
      const lines = json.map(({ id, name, productNumber }) => `${id}  ${productNumber}  ${name}`)
      return { json, text: lines.join('\n') }
    },
  },
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new UsageError(`${path} cannot be read (${String(error.code)})`)
  }
}
