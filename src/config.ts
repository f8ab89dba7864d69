// Environment to a frozen Config; the only file that reads process.env.
import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { withFormer } from './config/former.js'
import { RETIRED, TABLE } from './config/table.js'
import { isDefaultPassword, isWeakKey } from './lib/weak-secret.js'

type Environment = { [Name in keyof typeof TABLE]: z.output<(typeof TABLE)[Name]['type']> }

/** The names of all settings; docker-compose.yml hands every one on. */
export const SETTINGS: readonly string[] = Object.keys(TABLE)

/** What no setting changes; a test hands other values to readConfig. */
export interface Fixed {
  /** Open connections of a port; further ones are closed at once. */
  connectionsMax: number
  /** Receipts that wait for their queues; further ones are answered with 503. */
  signWaitingMax: number
  /** Devices that one process tells of receipts; further ones are answered with 503. */
  listenersMax: number
  /** Messages on behalf of one CashBox; further ones are answered with 429. */
  messagesPerHour: number
  /** Parts of user agents, in lower case, that fetch previews of links. */
  previewAgents: readonly string[]
  /** Whether pages of other origins may call groups D and E. */
  possystemCors: boolean
  /** Names inside items and signatures of answers; `auto`: by MIDDLEWARE_AUTH. */
  nestedNames: 'auto' | 'camel' | 'pascal'
  /** How long credentials are believed without asking the database. */
  credentialsMs: number
  /** Whether this process works on messages and other jobs. */
  jobs: boolean
  /** Exports and imports: their threads (0: none, for tests), and how many run and wait. */
  exports: Readonly<Exports>
  /** Where the program dies, fails or waits: core/fail-point.ts. */
  failPoints: string
}

export interface Exports {
  threads: number
  /** At a time, of the process and of a CashBox. */
  most: number
  each: number
  /** Further ones that wait; beyond them, and after so long, the answer is 429. */
  waiting: number
  waitingEach: number
  waitMs: number
}

export const FIXED: Fixed = {
  connectionsMax: 10_000,
  signWaitingMax: 4096,
  listenersMax: 1000,
  messagesPerHour: 100,
  // Apple's name themselves after two of them
  previewAgents: [
    ...['whatsapp', 'facebookexternalhit', 'slackbot', 'telegrambot', 'twitterbot'],
    ...['linkedinbot', 'discordbot', 'skypeuripreview'],
  ],
  possystemCors: true,
  nestedNames: 'auto',
  credentialsMs: 500,
  jobs: true,
  exports: {
    threads: Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2))),
    ...{ most: 16, each: 4, waiting: 64, waitingEach: 16, waitMs: 30_000 },
  },
  failPoints: '',
}

export interface Config extends Readonly<Environment> {
  readonly production: boolean
  readonly fixed: Readonly<Fixed>
  /** Settings of older versions that somebody has set, each with what takes its place. */
  readonly retired: readonly string[]
}

/** Every fault of the environment, one line each. */
export class ConfigError extends Error {
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.name = 'ConfigError'
    this.faults = faults
  }
}

const LOOPBACK = /^(127(\.\d{1,3}){3}|localhost|::1|\[::1\])$/

/** The variables of the process, and below them those of the file `.env` where it was started. */
export function variables(
  folder: string = process.cwd(),
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const path = join(folder, '.env')
  return existsSync(path) ? { ...parseEnv(readFileSync(path, 'utf8')), ...env } : env
}

/** Reads and checks the environment. Empty variables count as not set. Throws ConfigError. */
export function readConfig(
  env: NodeJS.ProcessEnv = variables(),
  fixed: Partial<Fixed> = {},
): Config {
  const set = Object.entries(env).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const given = withFormer(new Map(set))
  if (given.has('AGREEMENT_FILE')) throw new ConfigError([AGREEMENT])
  const parsed = environment.safeParse(
    Object.fromEntries(
      Object.entries(TABLE).map(([name, { fallback }]) => [name, given.get(name) ?? fallback]),
    ),
  )
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    )
  }
  const data = parsed.data as Environment
  const production = data.ENVIRONMENT === 'production'
  const all = { ...FIXED, ...fixed }
  const faults = contradictions(data)
  if (faults.length > 0) throw new ConfigError(faults)
  const retired = Object.keys(RETIRED).filter((name) => given.has(name))
  return Object.freeze({
    ...data,
    production,
    fixed: all,
    retired: retired.map((name) => `${name}: ${RETIRED[name]}`),
  })
}

/** People sign that text: another one in its place without a word would be wrong. */
const AGREEMENT = 'AGREEMENT_FILE: no setting any more; put the text into DATA_DIR/agreement.md'

const environment = z.object(
  Object.fromEntries(Object.entries(TABLE).map(([name, { type }]) => [name, type])),
)

function contradictions(data: Environment): string[] {
  const faults: string[] = []
  if (!data.MIDDLEWARE_AUTH.on && !LOOPBACK.test(data.HOST)) {
    faults.push(
      `MIDDLEWARE_AUTH: off is allowed on a loopback address only, and HOST is ${data.HOST}`,
    )
  }
  if (!data.MIDDLEWARE_AUTH.on && data.MIDDLEWARE_ORIGINS.has('*')) {
    faults.push('MIDDLEWARE_ORIGINS: * is refused with MIDDLEWARE_AUTH=off; name the origins')
  }
  const twice = portTwice(data)
  if (twice !== undefined) faults.push(twice)
  if (data.DATABASE_URL !== undefined && data.MASTER_KEY.length === 0) {
    faults.push('MASTER_KEY: required with DATABASE_URL; make one with: openssl rand -base64 32')
  }
  if (data.SMTP_URL !== undefined && data.MAIL_FROM === undefined) {
    faults.push('MAIL_FROM: required with SMTP_URL; the address that e-mails come from')
  }
  const ways = (['SMTP_URL', 'SMS_URL', 'WHATSAPP_URL'] as const).filter((name) => data[name])
  const broken = ways.find((name) => !URL.canParse(data[name] ?? ''))
  if (broken !== undefined) faults.push(`${broken}: this is no complete address`)
  if (ways[0] !== undefined && data.PUBLIC_URL === undefined) {
    faults.push(`PUBLIC_URL: required with ${ways[0]}; the links of messages begin with it`)
  }
  if (data.ENVIRONMENT === 'production') faults.push(...guessable(data))
  return faults
}

/** The first port that is named a second time; 0 takes another one each time. */
function portTwice({ PORT, GRPC_PORT, MIDDLEWARE_PORTS }: Environment): string | undefined {
  const seen = new Set([PORT])
  for (const [name, ports] of Object.entries({ GRPC_PORT, MIDDLEWARE_PORTS })) {
    for (const { port } of ports) {
      if (port !== 0 && seen.has(port)) return `${name}: the port ${port} is named twice`
      seen.add(port)
    }
  }
  return undefined
}

/** Secrets that an attacker tries first. */
function guessable({ MASTER_KEY, DATABASE_URL }: Environment): string[] {
  const faults: string[] = []
  if (MASTER_KEY.some(isWeakKey)) {
    faults.push(
      'MASTER_KEY: this key can be guessed and is refused in production; make one with: ' +
        'openssl rand -base64 32, and follow docs/operating.md to change it',
    )
  }
  if (DATABASE_URL !== undefined && isDefaultPassword(DATABASE_URL)) {
    faults.push('DATABASE_URL: a default password is refused in production; give the role another')
  }
  return faults
}

/** What a server has to know in production and no command needs. Throws ConfigError. */
export function checkServing(config: Config): void {
  if (!config.production || config.PUBLIC_URL !== undefined) return
  throw new ConfigError([
    'PUBLIC_URL: required in production; links of receipts and messages begin with it',
  ])
}
