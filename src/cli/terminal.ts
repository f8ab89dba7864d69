// terminal add, list, remove, simulate: payment terminals of cash boxes.

import { readConfig } from '../config.js'
import { providerNames } from '../core/payment/providers.js'
import {
  addTerminal,
  listTerminals,
  removeTerminal,
  type ShownTerminal,
} from '../core/payment/terminals.js'
import { fail } from '../errors.js'
import { startSimulator } from '../simulator/payment/terminal.js'
import { type Command, type Input, needed, oneOf, optional, UsageError } from './command.js'

const SIMULATOR_PORT = '9700'

export const terminalCommands: Record<string, Command> = {
  'terminal add': {
    usage: 'terminal add --cashbox ID --provider P [--terminal T] [--url U] [--json]',
    summary: `Gives a cash box a payment terminal. Providers: ${providerNames.join(', ')}.`,
    options: {
      cashbox: { type: 'string' },
      provider: { type: 'string' },
      terminal: { type: 'string' },
      url: { type: 'string' },
    },
    positionals: [],
    run: async (input) => {
      const given = {
        cashBoxId: needed(input, 'cashbox'),
        provider: oneOf(needed(input, 'provider'), providerNames, 'provider'),
        terminal: optional(input, 'terminal'),
        url: optional(input, 'url'),
      }
      const { store, config } = await input.open()
      const deps = { store, sandbox: !config.production }
      const json = await addTerminal(deps, given)
      return { json, text: `terminal  ${json.id}` }
    },
  },
  'terminal list': {
    usage: 'terminal list [--cashbox ID] [--json]',
    summary: 'Lists payment terminals, in the order in which they are chosen.',
    options: { cashbox: { type: 'string' } },
    positionals: [],
    run: async (input) => {
      const box = optional(input, 'cashbox')
      const { store } = await input.open()
      const json = await listTerminals(store, box)
      return { json, text: json.length === 0 ? 'There is none.' : json.map(lineOf).join('\n') }
    },
  },
  'terminal remove': {
    usage: 'terminal remove ID [--json]',
    summary: 'Takes a payment terminal out of use; what it works on goes on.',
    options: {},
    positionals: ['ID'],
    run: async (input) => {
      const id = input.positionals[0] ?? ''
      const { store } = await input.open()
      const json = await removeTerminal(store, id)
      return { json, text: `removed  ${json.id}` }
    },
  },
  'terminal simulate': {
    usage: `terminal simulate [--port ${SIMULATOR_PORT}] [--scale 1] [--json]`,
    summary: 'Runs a payment terminal without money on this machine, until Ctrl-C.',
    options: { port: { type: 'string' }, scale: { type: 'string' } },
    positionals: [],
    run: async (input) => {
      const port = numberOf(input, 'port', { fallback: SIMULATOR_PORT, form: /^\d{1,5}$/ })
      if (port > 65535) throw new UsageError('--port is no port: expected at most 65535')
      const form = /^\d{1,6}(\.\d{1,6})?$/
      const scale = numberOf(input, 'scale', { fallback: '1', form })
      if (readConfig().production) throw fail('NOT_IN_PRODUCTION')
      const { url } = await startSimulator({ port, scale })
      process.stdout.write(
        input.options.json === true ? `${JSON.stringify({ url })}\n` : hello(url),
      )
      await new Promise(() => {
        // a signal ends the process: it keeps nothing
      })
      return undefined
    },
  },
}

function numberOf(
  input: Input,
  name: string,
  { fallback, form }: { fallback: string; form: RegExp },
): number {
  const text = optional(input, name) ?? fallback
  if (form.test(text)) return Number(text)
  throw new UsageError(`--${name} is no number: expected one such as ${fallback}`)
}

function lineOf({ id, provider, terminal, url, cashBoxId }: ShownTerminal): string {
  return [id, `cash box ${cashBoxId}`, provider, terminal ?? 'any terminal', url ?? '']
    .join('  ')
    .trimEnd()
}

function hello(url: string): string {
  return (
    `A terminal without money listens at ${url}. Use it in another window with\n` +
    `  npx fiskalwerk terminal add --cashbox ID --provider viva_eft_pos_instore --url ${url}\n` +
    'Test amounts: docs/payments.md. Ctrl-C ends it.\n'
  )
}
