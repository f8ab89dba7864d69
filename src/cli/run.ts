// The table of commands, and how one is run. Exit code 0 done, 1 refused, 2 wrong usage.
// Called by index.ts.
import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from '../config.js'
import { createStore } from '../deps.js'
import { FiscalError } from '../errors.js'
import { createLog } from '../log.js'
import { openDatabase } from '../store/database.js'
import { DatabaseError } from '../store/database-error.js'
import { migrate } from '../store/migrate.js'
import { appCommands } from './app.js'
import { type Command, type Context, type Input, type Output, UsageError } from './command.js'
import { dealerCommands } from './dealer.js'
import { demoCommands } from './demo.js'
import { faultCommands } from './fault.js'
import { resealCommands } from './reseal.js'
import { rolloutCommands } from './rollout.js'
import { serverCommands } from './server.js'
import { verifyCommands } from './verify.js'

const commands: Record<string, Command> = {
  ...serverCommands,
  ...demoCommands,
  ...dealerCommands,
  ...rolloutCommands,
  ...appCommands,
  ...faultCommands,
  ...resealCommands,
  ...verifyCommands,
}

/** Runs the command that the words name and returns the exit code. */
export async function main(words: readonly string[]): Promise<number> {
  const [first = 'help', second = ''] = words
  if (['help', '--help', '-h'].includes(first)) {
    process.stdout.write(help())
    return 0
  }
  const name = commands[`${first} ${second}`] === undefined ? first : `${first} ${second}`
  const command = commands[name]
  if (command === undefined) return usage(`there is no command "${first}"`)
  const closers: (() => Promise<void>)[] = []
  try {
    const input = read(command, words.slice(name.split(' ').length), closers)
    const output = await command.run(input)
    if (output === undefined) return 0
    print(output, input.options.json === true)
    return output.ok === false ? 1 : 0
  } catch (error) {
    if (error instanceof UsageError) return usage(`${error.message}\n  ${command.usage}`)
    return refused(error)
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

function read(command: Command, words: string[], closers: (() => Promise<void>)[]): Input {
  const parsed = parse(command, words)
  if (parsed.positionals.length !== command.positionals) {
    throw new UsageError(`expected ${command.positionals} word(s) after the command`)
  }
  return {
    options: parsed.values,
    positionals: parsed.positionals,
    open: () => open(closers),
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
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

async function open(closers: (() => Promise<void>)[]): Promise<Context> {
  const config = readConfig()
  const log = createLog('silent', false)
  const database = await openDatabase({
    dataDir: config.DATA_DIR,
    databaseUrl: config.DATABASE_URL,
    log,
    mode: 'tool',
  })
  closers.push(() => database.stop())
  await migrate(database.poolConfig, log)
  const store = await createStore({ config, log, database })
  closers.push(() => store.close())
  return { config, log, database, store }
}

function print(output: Output, json: boolean): void {
  process.stdout.write(json ? `${JSON.stringify(output.json)}\n` : `${output.text}\n`)
}

function usage(text: string): number {
  process.stderr.write(`fiskalwerk: ${text}\nTry: npx fiskalwerk help\n`)
  return 2
}

function refused(error: unknown): number {
  const lines = error instanceof ConfigError ? error.faults : [sentence(error)]
  for (const line of lines) process.stderr.write(`fiskalwerk: ${line}\n`)
  return 1
}

function sentence(error: unknown): string {
  if (error instanceof FiscalError || error instanceof DatabaseError) return error.message
  return error instanceof Error ? error.message : String(error)
}

function help(): string {
  const lines = Object.values(commands).map(
    (command) => `  ${command.usage}\n      ${command.summary}\n`,
  )
  return (
    `fiskalwerk: an open fiscalization platform\n\n${lines.join('')}\n` +
    '--json prints exactly one JSON document. Exit code: 0 done, 1 refused, 2 wrong usage.\n'
  )
}
