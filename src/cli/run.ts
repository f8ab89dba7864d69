// The table of commands, and how one is run. Exit code 0 done, 1 refused, 2 wrong usage.
import { parseArgs } from 'node:util'
import { ConfigError } from '../config.js'
import { PROCESSING_VERSION } from '../core/version.js'
import { appCommands } from './app.js'
import { auditCommands } from './audit.js'
import { type Command, type Input, type Output, UsageError } from './command.js'
import { connectionCommands } from './connection.js'
import { dealerCommands } from './dealer.js'
import { demoCommands } from './demo.js'
import { doctorCommands } from './doctor.js'
import { eventCommands } from './events.js'
import { faultCommands } from './fault.js'
import { inspectCommands } from './inspect.js'
import { jobCommands } from './jobs.js'
import { journalCommands } from './journal.js'
import { INTERRUPTED, Opening } from './opening.js'
import { personalCommands } from './personal.js'
import { pinCommands } from './pin.js'
import { posSystemCommands } from './pos-system.js'
import { resealCommands } from './reseal.js'
import { rolloutCommands } from './rollout.js'
import { salesCommands } from './sales.js'
import { sentenceOf } from './sentence.js'
import { serverCommands } from './server.js'
import { templateCommands } from './template.js'
import { terminalCommands } from './terminal.js'
import { userCommands } from './user.js'
import { verifyCommands } from './verify.js'

const commands: ReadonlyMap<string, Command> = new Map(
  Object.entries({
    ...serverCommands,
    ...demoCommands,
    ...doctorCommands,
    ...dealerCommands,
    ...connectionCommands,
    ...rolloutCommands,
    ...appCommands,
    ...auditCommands,
    ...eventCommands,
    ...inspectCommands,
    ...personalCommands,
    ...posSystemCommands,
    ...pinCommands,
    ...terminalCommands,
    ...templateCommands,
    ...salesCommands,
    ...faultCommands,
    ...jobCommands,
    ...journalCommands,
    ...resealCommands,
    ...userCommands,
    ...verifyCommands,
  }),
)

const HELP = new Set(['help', '--help', '-h'])
const VERSION = new Set(['version', '--version', '-v'])

/** Runs the command that the words name and returns the exit code. */
export async function main(words: readonly string[]): Promise<number> {
  const [first = 'help', second = '', ...rest] = words
  if (HELP.has(first) && second !== '') return main([second, ...rest, '--help'])
  if (HELP.has(first)) return say(help())
  if (VERSION.has(first)) return say(`${PROCESSING_VERSION}\n`)
  const two = `${first} ${second}`
  const name = commands.has(two) ? two : first
  const command = commands.get(name)
  if (command === undefined) return usage(unknownCommand(first, second))
  const own = words.slice(name.split(' ').length)
  if (own.some((word) => word === '--help' || word === '-h')) return say(about(command))
  return run(command, own)
}

async function run(command: Command, words: string[]): Promise<number> {
  const opening = new Opening()
  const code = await attempt(command, words, opening)
  try {
    await opening.close()
  } catch (error) {
    return refused(error)
  }
  return opening.interrupted ? INTERRUPTED : code
}

async function attempt(command: Command, words: string[], opening: Opening): Promise<number> {
  try {
    const input = read(command, words, opening)
    const output = await command.run(input)
    if (output === undefined) return 0
    print(output, input.options.json === true)
    return output.exitCode ?? (output.ok === false ? 1 : 0)
  } catch (error) {
    if (error instanceof UsageError) return usage(`${error.message}\n  ${command.usage}`)
    return refused(error)
  }
}

// ------------------------------------------------------------------------- words

function read(command: Command, words: string[], opening: Opening): Input {
  const { values, positionals } = parse(command, words)
  const missing = command.positionals[positionals.length]
  if (missing !== undefined) throw new UsageError(`${missing} is missing`)
  const extra = positionals[command.positionals.length]
  if (extra !== undefined) throw new UsageError(`"${extra}" is one word too many`)
  return {
    options: values,
    positionals,
    open: () => opening.context(),
    openDatabase: () => opening.database(),
  }
}

function parse(command: Command, words: string[]) {
  try {
    return parseArgs({
      args: words,
      options: { json: { type: 'boolean' }, ...command.options },
      allowPositionals: true,
      strict: true,
    })
  } catch (error) {
    throw new UsageError(optionFault(command, error))
  }
}

/** What Node says about options, in fewer words. */
function optionFault({ options }: Command, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const option = /--?[\w-]+/.exec(message)?.[0] ?? 'an option'
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `there is no option ${option} here`
  if (code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') return message
  const takesText = options[option.slice(2)]?.type === 'string'
  return takesText ? `${option} needs a value` : `${option} takes no value`
}

/** `dealer` alone is no command, but the beginning of some. */
function unknownCommand(first: string, second: string): string {
  const tails = [...commands.keys()]
    .filter((name) => name.startsWith(`${first} `))
    .map((name) => name.slice(first.length + 1))
  if (tails.length === 0) return `there is no command "${first}"`
  const asked = second === '' || second.startsWith('-') ? '' : `, not by "${second}"`
  return `"${first}" is followed by one of: ${tails.join(', ')}${asked}`
}

// ------------------------------------------------------------------------ output

function print(output: Output, json: boolean): void {
  process.stdout.write(json ? `${JSON.stringify(output.json)}\n` : `${output.text}\n`)
}

function say(text: string): number {
  process.stdout.write(text)
  return 0
}

function usage(text: string): number {
  process.stderr.write(`fiskalwerk: ${text}\nTry: npx fiskalwerk help\n`)
  return 2
}

function refused(error: unknown): number {
  const lines = error instanceof ConfigError ? error.faults : [sentenceOf(error)]
  for (const line of lines) process.stderr.write(`fiskalwerk: ${line}\n`)
  return 1
}

function about({ usage: line, summary }: Command): string {
  return `${wrapped(line, '  ')}\n${wrapped(summary, '      ')}\n`
}

const COLUMNS = 96

/** Lines of words; what stands in brackets stays together. */
function wrapped(text: string, indent: string): string {
  const lines: string[] = []
  for (const word of text.split(/ (?![^[]*\])/)) {
    const last = lines.at(-1)
    if (last === undefined || `${last} ${word}`.length > COLUMNS) lines.push(`${indent}${word}`)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.join('\n')
}

function help(): string {
  return (
    'fiskalwerk: an open fiscalization platform\n\n' +
    `${[...commands.values()].map(about).join('')}\n` +
    '--json prints exactly one JSON document. Exit code: 0 done, 1 refused, 2 wrong usage.\n' +
    'Settings come from the environment: docs/operating.md lists them.\n'
  )
}
