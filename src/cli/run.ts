// The table of commands, and how one is run. Exit code 0 done, 1 refused, 2 wrong usage.
import { parseArgs } from 'node:util'
import { unoptimized } from '../lib/unoptimized.js'
import { PROCESSING_VERSION } from '../lib/version.js'
import { type Command, type Input, type Output, UsageError } from './command.js'
import { completionCommands } from './completion.js'
import { INTERRUPTED, Opening } from './opening.js'
import { meant } from './suggest.js'
import { allCommands, commandsOf, type Table } from './table.js'

type Commands = ReadonlyMap<string, Command>

const SHELL = completionCommands(async () => flat(await grouped()))

const grouped = async (): Promise<Record<string, Table>> => ({
  ...(await allCommands()),
  'Your shell': SHELL,
})

const flat = (groups: Readonly<Record<string, Table>>): Commands =>
  new Map(Object.values(groups).flatMap((table) => Object.entries(table)))

/** Those that begin with this word; all, where none does. */
async function near(first: string): Promise<Commands> {
  const own = Object.hasOwn(SHELL, first) ? SHELL : await commandsOf(first)
  return own === undefined ? flat(await grouped()) : new Map(Object.entries(own))
}

const HELP = new Set(['help', '--help', '-h'])
const VERSION = new Set(['version', '--version', '-v'])

/** Runs the command that the words name and returns the exit code. */
export async function main(words: readonly string[]): Promise<number> {
  if (words[0] === PROFILE) return withProfile(words[1] ?? '', words.slice(2))
  const [first = 'help', second = '', ...rest] = words
  if (HELP.has(first) && second !== '') return main([second, ...rest, '--help'])
  if (HELP.has(first)) return say(help(await unoptimized(grouped)))
  if (VERSION.has(first)) return say(`${PROCESSING_VERSION}\n`)
  const commands = await unoptimized(() => near(first))
  const two = `${first} ${second}`
  const name = commands.has(two) ? two : first
  const command = commands.get(name)
  if (command === undefined) return usage(unknownCommand(commands, first, second))
  const own = words.slice(name.split(' ').length)
  if (own.some((word) => word === '--help' || word === '-h')) return say(inFull(command))
  return run(command, own)
}

const PROFILE = '--profile'

/** `--profile shop1 doctor`: the settings of another server. */
async function withProfile(name: string, words: readonly string[]): Promise<number> {
  if (name === '' || name.startsWith('-')) return usage(`${PROFILE} needs a value`)
  try {
    const { chooseProfile } = await import('../config.js')
    chooseProfile(name)
  } catch (error) {
    return await refused(error)
  }
  return main(words)
}

async function run(command: Command, words: string[]): Promise<number> {
  const opening = new Opening()
  const code = await attempt(command, words, opening)
  try {
    await opening.close()
  } catch (error) {
    return await refused(error)
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
    return await refused(error)
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
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const near = meant(option.replace(/^-+/, ''), ['json', ...Object.keys(options)])
    return `there is no option ${option} here${asked(near && `--${near}`)}`
  }
  if (code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') return message
  const takesText = options[option.slice(2)]?.type === 'string'
  return takesText ? `${option} needs a value` : `${option} takes no value`
}

/** `dealer` alone is no command, but the beginning of some. */
function unknownCommand(commands: Commands, first: string, second: string): string {
  const tails = [...commands.keys()]
    .filter((name) => name.startsWith(`${first} `))
    .map((name) => name.slice(first.length + 1))
  if (tails.length === 0) {
    const firsts = [...new Set([...commands.keys()].map((name) => name.split(' ')[0] ?? ''))]
    return `there is no command "${first}"${asked(meant(first, firsts))}`
  }
  const isWord = second !== '' && !second.startsWith('-')
  const near = isWord ? meant(second, tails) : undefined
  const wrong = isWord ? `, not by "${second}"` : ''
  return (
    `"${first}" is followed by one of: ${tails.join(', ')}${wrong}` +
    asked(near && `${first} ${near}`)
  )
}

const asked = (near: string | undefined): string =>
  near === undefined ? '' : `; did you mean "${near}"?`

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

async function refused(error: unknown): Promise<number> {
  // knows of the database and the settings, which most commands that end well never load
  const { sentencesOf } = await import('./sentence.js')
  for (const line of sentencesOf(error)) process.stderr.write(`fiskalwerk: ${line}\n`)
  return 1
}

function about({ usage: line, summary }: Command): string {
  return `${wrapped(line, '  ')}\n${wrapped(summary, '      ')}\n`
}

/** Of one command alone. */
function inFull(command: Command): string {
  const { examples = [] } = command
  const list = examples.map((example) => `  ${example}\n`).join('')
  return about(command) + (list === '' ? '' : `\nFor example:\n${list}`)
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

function help(groups: Readonly<Record<string, Table>>): string {
  return (
    'fiskalwerk: an open fiscalization platform\n\n' +
    `${Object.entries(groups).map(groupText).join('\n')}\n` +
    '--json prints exactly one JSON document. Exit code: 0 done, 1 refused, 2 wrong usage.\n' +
    'Settings come from the environment: docs/settings.md lists them. --profile NAME in front\n' +
    'of a command takes those of the file .env.NAME, as for another server. Of one command:\n' +
    'npx fiskalwerk help dealer create\n'
  )
}

function groupText([title, table]: [string, Table]): string {
  return `${title}\n\n${Object.values(table).map(about).join('')}`
}
