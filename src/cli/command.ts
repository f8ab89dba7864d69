// What a command of the command line is, and the words it may throw.
import type { Logger } from 'pino'
import type { Config } from '../config.js'
import { isEmail } from '../lib/email.js'
import type { Database } from '../postgres/database.js'
import type { Store } from '../store/client.js'

/** What a command gives back: one JSON document, and the same for people. */
export interface Output {
  json: unknown
  text: string
  /** False: exit code 1 although the command itself worked (verify that found something). */
  ok?: boolean
  /** Another exit code than 0 or 1. */
  exitCode?: number
}

export interface Opened {
  config: Config
  log: Logger
  database: Database
}

export interface Context extends Opened {
  store: Store
}

export interface Command {
  /** `dealer create --name N …`, for the help. */
  usage: string
  summary: string
  /** Whole lines that work, for the help of this command alone. */
  examples?: readonly string[]
  options: Record<string, { type: 'string' | 'boolean'; short?: string }>
  /** Names of the words that follow the command's own; every one is needed. */
  positionals: readonly string[]
  run(input: Input): Promise<Output | undefined>
}

export interface Input {
  options: Record<string, string | boolean | undefined>
  positionals: string[]
  /** Opens the database, in use by a server or not, and closes it after the command. */
  open(): Promise<Context>
  /** The same without touching the schema. */
  openDatabase(): Promise<Opened>
}

/** The command line does not fit: exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The option as text; throws UsageError when a needed one is missing. */
export function needed(input: Input, name: string): string {
  const value = input.options[name]
  if (typeof value === 'string' && value !== '') return value
  throw new UsageError(`--${name} is missing`)
}

export function optional(input: Input, name: string): string | undefined {
  const value = input.options[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** One of a few words, in any case; throws UsageError that lists them. */
export function oneOf<T extends string>(value: string, words: readonly T[], name: string): T {
  const found = words.find((word) => word.toLowerCase() === value.toLowerCase())
  if (found !== undefined) return found
  throw new UsageError(`--${name} must be one of: ${words.join(', ')}`)
}

/** `--email`; throws UsageError for what is no address. */
export function emailOf(input: Input): string {
  const email = needed(input, 'email')
  if (isEmail(email) && email.slice(email.lastIndexOf('@')).includes('.')) return email
  throw new UsageError('--email is no e-mail address')
}
