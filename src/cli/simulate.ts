// simulate: a strict simulator of a certified signing device on this machine.

import { readConfig } from '../config.js'
import { fail } from '../errors.js'
import { faultScript } from '../simulator/devices/script.js'
import { SIMULATORS, type Simulated } from '../simulator/devices/table.js'
import { type Command, type Input, optional, UsageError } from './command.js'

const HOST = '127.0.0.1'
const names = Object.keys(SIMULATORS)
/** Those that take faults from the command line. */
const SCRIPTED: ReadonlySet<string> = new Set([
  ...['fiskaly', 'epson', 'diebold', 'swissbitcloud', 'fcc'],
])

export const simulateCommands: Record<string, Command> = {
  simulate: {
    usage:
      'simulate DEVICE [--port N] [--host H] [--until DATE] [--state FILE] [--script JSON] ' +
      '[--json]',
    summary: `Runs a strict simulator of a signing device, until Ctrl-C: ${names.join(', ')}.`,
    examples: [
      'npx fiskalwerk simulate fiskaly --port 9710',
      `npx fiskalwerk simulate fiskaly --script '[{"call":"finish","do":"answer-lost"}]'`,
    ],
    options: {
      port: { type: 'string' },
      host: { type: 'string' },
      until: { type: 'string' },
      state: { type: 'string' },
      script: { type: 'string' },
    },
    positionals: ['DEVICE'],
    run: async (input) => {
      const name = input.positionals[0]?.toLowerCase() ?? ''
      const kind = Object.hasOwn(SIMULATORS, name) ? SIMULATORS[name] : undefined
      if (kind === undefined) throw new UsageError(`DEVICE is one of: ${names.join(', ')}`)
      const order = {
        port: portOf(input, kind.port),
        host: optional(input, 'host') ?? HOST,
        until: dateOf(input),
        state: optional(input, 'state'),
      }
      const steps = stepsOf(input)
      if (steps.length > 0 && !SCRIPTED.has(name)) {
        throw new UsageError(`--script is for ${[...SCRIPTED].join(' and ')}`)
      }
      if (readConfig().production) throw fail('NOT_IN_PRODUCTION')
      const simulated = await kind.start(order)
      simulated.watched?.script(steps)
      const json = { device: name, ...simulated.access }
      const isJson = input.options.json === true
      process.stdout.write(isJson ? `${JSON.stringify(json)}\n` : hello(kind.title, simulated))
      await new Promise(() => {
        // a signal ends the process: what it keeps is written
      })
      return undefined
    },
  },
}

function portOf(input: Input, fallback: number): number {
  const text = optional(input, 'port') ?? String(fallback)
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new UsageError(`--port is no port: expected one such as ${fallback}`)
}

function dateOf(input: Input): Date | undefined {
  const text = optional(input, 'until')
  if (text === undefined) return undefined
  const date = new Date(text)
  if (!Number.isNaN(date.getTime())) return date
  throw new UsageError('--until is no date: expected one such as 2030-12-31')
}

function stepsOf(input: Input) {
  const text = optional(input, 'script')
  if (text === undefined) return []
  try {
    return faultScript.parse(JSON.parse(text))
  } catch {
    throw new UsageError('--script is no script: expected [{"call":"finish","do":"answer-lost"}]')
  }
}

function hello(title: string, { access }: Simulated): string {
  const lines = Object.entries(access).map(([name, value]) => `  ${name}  ${value}\n`)
  return `${title}, simulated. It signs nothing that counts.\n${lines.join('')}Ctrl-C ends it.\n`
}
