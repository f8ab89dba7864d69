// Environment to a frozen Config; the only file that reads process.env.
import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { isEmail } from './lib/email.js'
import { isLinkBase, isMount } from './lib/front-address.js'
import { isUuid } from './lib/id.js'
import { isDefaultPassword, isWeakKey } from './lib/weak-secret.js'

const oneOf = <const T extends readonly [string, ...string[]]>(words: T) =>
  z.enum(words, { error: `expected ${words.slice(0, -1).join(', ')} or ${words.at(-1)}` })

const bool = (fallback: boolean) =>
  oneOf(['true', 'false'])
    .default(fallback ? 'true' : 'false')
    .transform((text) => text === 'true')

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d{1,12}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `expected a whole number from ${min} to ${max}`,
    })
    .transform(Number)

const count = (fallback: number, min: number, max: number) =>
  wholeNumber(min, max).default(fallback)

/** A factor with up to six decimals. */
const factor = (fallback: string, max: number) =>
  z
    .string()
    .default(fallback)
    .refine((text) => /^\d{1,6}(\.\d{1,6})?$/.test(text) && Number(text) <= max, {
      error: `expected a number from 0 to ${max}, such as 0.001`,
    })
    .transform(Number)

const url = (schemes: string) =>
  z.string().refine((text) => new RegExp(`^(${schemes})://[^\\s]+$`).test(text), {
    error: `expected an address starting with ${schemes.replaceAll('|', ':// or ')}://`,
  })

function partsOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

const list = z.string().default('').transform(partsOf)

/** Words separated by commas, in lower case. */
const words = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((text) => partsOf(text.toLowerCase()))

/** Parts of user agents that fetch previews of links; Apple's name themselves after two. */
const PREVIEWS =
  'WhatsApp,facebookexternalhit,Slackbot,TelegramBot,Twitterbot,LinkedInBot,Discordbot,' +
  'SkypeUriPreview'

const mount = (fallback: string) =>
  z
    .string()
    .default(fallback)
    // a word alone is more likely a prefix without its slash than the name of a host
    .refine((text) => isMount(text), {
      error: 'expected /prefix, host.name or host.name/prefix',
    })
    .transform((text): Mount => {
      const slash = text.indexOf('/')
      const host = slash < 0 ? text : text.slice(0, slash)
      const prefix = slash < 0 ? '' : text.slice(slash).replace(/\/+$/, '')
      return { host: host === '' ? null : host.toLowerCase(), prefix }
    })

export interface Mount {
  host: string | null
  /** Without trailing slash; '' is the root. */
  prefix: string
}

const masterKey = list.transform((parts, context) =>
  parts.map((part, at) => {
    const bytes = Buffer.from(part, 'base64')
    const which = parts.length === 1 ? '' : `key ${at + 1}: `
    const message = `${which}expected 32 bytes in Base64`
    if (bytes.length !== 32) context.addIssue({ code: 'custom', message })
    return bytes
  }),
)

/** Words that paths begin with already; an alias of that name would never be reached. */
const TAKEN = new Set(
  (
    'activate api docs echo health issue journal json metrics operation pair pay payresponse ' +
    'portal proto rksv sandbox sign v0 v1 v2 v2.1 version xml'
  ).split(' '),
)

/** True for a word, in lower case, with which addresses of this server begin. */
export function isPathWordTaken(word: string): boolean {
  return TAKEN.has(word)
}

const aliases = list.transform((parts, context) => {
  const found = new Map<string, string>()
  for (const part of parts) {
    const match = /^([A-Za-z0-9_-]{1,64})=(.*)$/.exec(part)
    if (match?.[1] === undefined || match[2] === undefined || !isUuid(match[2])) {
      context.addIssue({ code: 'custom', message: 'expected name=queueId, separated by commas' })
      return found
    }
    const name = match[1].toLowerCase()
    if (TAKEN.has(name) || found.has(name)) {
      context.addIssue({ code: 'custom', message: `the name ${name} is taken` })
      return found
    }
    found.set(name, match[2].toLowerCase())
  }
  return found
})

type FailPointAct = 'kill' | 'throw' | 'wait'

const FAIL_POINT = /^([a-z-]+)=(kill|throw|wait:(\d{1,6}))(?:@(\d{1,9}))?$/

/**
 * `before-commit=kill@3,before-device=wait:250`: what happens at a place, `@3` only the third time.
 */
const failPoints = list.transform((parts, context) =>
  parts.map((part) => {
    const found = FAIL_POINT.exec(part)
    const [, name = '', act = '', waitMs = '0', at] = found ?? []
    if (found === null) {
      context.addIssue({
        code: 'custom',
        message: 'expected place=kill, place=throw or place=wait:milliseconds, and perhaps @number',
      })
    }
    const kind: FailPointAct = act === 'kill' || act === 'throw' ? act : 'wait'
    return { name, act: kind, waitMs: Number(waitMs), at: at === undefined ? null : Number(at) }
  }),
)

const PROXY_WORDS = new Set(['true', 'false', 'loopback', 'linklocal', 'uniquelocal'])

/**
 * Whose word about the caller's address counts: everybody's, nobody's, or that of some addresses.
 */
const proxies = z
  .string()
  .default('false')
  .refine((text) => PROXY_WORDS.has(text) || text.split(',').every(isNetwork), {
    error: 'expected true, false, or addresses and networks separated by commas',
  })

function isNetwork(text: string): boolean {
  const [address = '', bits] = text.trim().split('/')
  const family = isIP(address)
  if (bits === undefined) return family !== 0 || /^(loopback|linklocal|uniquelocal)$/.test(address)
  return family !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)
}

/** `Shop <receipts@shop.example>`, or the address alone. */
const mailbox = z
  .string()
  .refine((text) => isEmail(/^[^<>\p{C}]*<(.*)>$/u.exec(text)?.[1] ?? text), {
    error: 'expected an e-mail address, or Name <address>',
  })

/** Names of this server, perhaps with a port. */
const hostNames = list.transform((parts, context) => {
  const broken = parts.find((part) => !/^([a-z0-9_.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i.test(part))
  const message = 'expected host names with commas, such as till.lan or till.lan:8080'
  if (broken !== undefined) context.addIssue({ code: 'custom', message })
  return new Set(parts.map((part) => part.toLowerCase()))
})

/** `https://till.example`, with commas; `*` for all. */
const origins = list.transform((parts, context) => {
  const broken = parts.find((part) => part !== '*' && !isOrigin(part))
  const message = 'expected * or origins with commas, such as https://till.example'
  if (broken !== undefined) context.addIssue({ code: 'custom', message })
  return new Set(parts.map((part) => part.toLowerCase()))
})

/** Also of apps that are no pages of the web, such as capacitor://localhost. */
const isOrigin = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#,]+$/i.test(text)

export interface QueuePort {
  port: number
  /** Id or alias of the queue of calls that name none. */
  queue: string | undefined
}

/** `1400=bar,1401=QUEUE-ID`, a port for each queue; where `lone` is true also `1400` alone. */
const queuePorts = (lone: boolean) =>
  list.transform((parts, context) =>
    parts.map((part): QueuePort => {
      const [, digits = '', queue] = /^(\d{1,5})(?:=([A-Za-z0-9_-]{1,64}))?$/.exec(part) ?? []
      const number = lone ? 'a whole number from 0 to 65535, or ' : ''
      const message = `expected ${number}port=queue with commas`
      const isWrong = digits === '' || Number(digits) > 65_535 || !(lone || queue)
      if (isWrong) context.addIssue({ code: 'custom', message })
      return { port: Number(digits), queue }
    }),
  )

const queueId = z
  .string()
  .refine(isUuid, { error: 'expected the id of a queue' })
  .transform((id) => id.toLowerCase())

const environment = z.object({
  HOST: z.string().trim().min(1, 'expected an address of this machine').default('127.0.0.1'),
  PORT: count(8080, 0, 65535),
  GRPC_PORT: queuePorts(true),
  GRPC_TLS_CERT: z.string().optional(),
  GRPC_TLS_KEY: z.string().optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: url('postgres|postgresql').optional(),
  DATABASE_POOL: count(10, 4, 200),
  MIGRATE_ON_START: bool(true),
  PUBLIC_URL: url('http|https')
    .refine((text) => !text.includes('://') || isLinkBase(text), {
      error: 'expected no user, ? or # in it: links go on behind it',
    })
    .optional(),
  MASTER_KEY: masterKey,
  ENVIRONMENT: oneOf(['sandbox', 'production']).default('sandbox'),
  ALLOW_SOFTWARE_DEVICES: bool(false),
  MIDDLEWARE_AUTH: oneOf(['on', 'off']).default('on'),
  MIDDLEWARE_PORTS: queuePorts(false),
  MIDDLEWARE_HOSTS: hostNames,
  MIDDLEWARE_ORIGINS: origins,
  DEFAULT_QUEUE: queueId.optional(),
  QUEUE_ALIASES: aliases,
  NESTED_NAMES: oneOf(['auto', 'camel', 'pascal']).default('auto'),
  OUTBOUND_ALLOW: list,
  FAIL_POINTS: failPoints,
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  TRUST_PROXY: proxies,
  CONNECTIONS_MAX: count(10_000, 10, 1_000_000),
  BODY_LIMIT: count(2 * 1024 * 1024, 1024, 64 * 1024 * 1024),
  CACHE_CREDENTIALS_MS: count(500, 0, 1000),
  CACHE_QUEUES: count(10_000, 16, 1_000_000),
  SIGN_VALIDATION: oneOf(['log', 'strict']).default('log'),
  SIGN_WAITING_MAX: count(4096, 1, 100_000),
  SIGN_WAITING_SECONDS: count(10, 1, 60),
  RATE_LIMIT_FAILURES: count(10, 0, 1_000_000),
  RATE_LIMIT_PIN: count(5, 0, 1_000_000),
  RATE_LIMIT_DEALER: count(6000, 0, 1_000_000),
  DUMMY_PAYMENT_TIME_SCALE: factor('1', 1000),
  MOUNT_MIDDLEWARE: mount('/'),
  MOUNT_SIGNING_DEVICE: mount('/'),
  MOUNT_POSSYSTEM: mount('/'),
  POSSYSTEM_ID_REQUIRED: bool(true),
  OPERATION_WAIT_MAX_SECONDS: count(0, 0, 86_400),
  ECHO_STATUS: oneOf(['200', '201']).default('200'),
  POSSYSTEM_CORS: bool(true),
  MOUNT_RECEIPT: mount('/'),
  MOUNT_DEALER: mount('/'),
  ISSUE_ACCEPT_EXTERNAL: bool(true),
  RECEIPT_PREVIEW_AGENTS: words(PREVIEWS),
  RECEIPT_REQUIRE_SIGNATURE: bool(false),
  INSTORE_LISTENERS_MAX: count(1000, 0, 100_000),
  RENDER_THREADS: count(0, 0, 64),
  CACHE_RENDERED: count(32 * 1024 * 1024, 0, 16 * 1024 * 1024 * 1024),
  AGREEMENT_FILE: z.string().optional(),
  CSV_LIMIT: count(32 * 1024 * 1024, 1024, 256 * 1024 * 1024),
  PERSONAL_DATA_DAYS: count(0, 0, 36_500),
  OUTBOX_DAYS: count(30, 0, 36_500),
  JOBS: oneOf(['on', 'off']).default('on'),
  SMTP_URL: url('smtp|smtps').optional(),
  MAIL_FROM: mailbox.optional(),
  SMS_URL: url('http|https').optional(),
  WHATSAPP_URL: url('http|https').optional(),
  MESSAGES_PER_RECEIPT: count(5, 1, 1000),
  MESSAGES_PER_HOUR: count(100, 1, 1_000_000),
})

/** The names of all settings; docker-compose.yml hands every one on. */
export const SETTINGS: readonly string[] = Object.keys(environment.shape)

type Environment = z.infer<typeof environment>

export interface Config extends Readonly<Environment> {
  readonly production: boolean
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
export function readConfig(env: NodeJS.ProcessEnv = variables()): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    )
  }
  const faults = contradictions(parsed.data)
  if (faults.length > 0) throw new ConfigError(faults)
  return Object.freeze({ ...parsed.data, production: parsed.data.ENVIRONMENT === 'production' })
}

function contradictions(data: Environment): string[] {
  const faults: string[] = []
  if (data.MIDDLEWARE_AUTH === 'off' && !LOOPBACK.test(data.HOST)) {
    faults.push(
      `MIDDLEWARE_AUTH: off is allowed on a loopback address only, and HOST is ${data.HOST}`,
    )
  }
  if (data.MIDDLEWARE_AUTH === 'off' && data.MIDDLEWARE_ORIGINS.has('*')) {
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
  if ((data.GRPC_TLS_CERT === undefined) !== (data.GRPC_TLS_KEY === undefined)) {
    faults.push('GRPC_TLS_CERT, GRPC_TLS_KEY: certificate and key go together; set both or none')
  }
  if (data.ENVIRONMENT === 'production') faults.push(...guessable(data))
  if (data.FAIL_POINTS.length > 0 && data.ENVIRONMENT === 'production') {
    faults.push('FAIL_POINTS: for tests only, refused in production')
  }
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
