// What the doctor sees of the place where the server runs: program, addresses, secrets, disk, mail.
import { stat, statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Config, ConfigError, checkServing } from '../config.js'
import { archiveOf } from '../deps/backups.js'
import { createOutbound } from '../device/outbound.js'
import { isDefaultPassword, isWeakKey } from '../lib/weak-secret.js'
import { type Check, check } from './doctor-check.js'
import { sentenceOf } from './sentence.js'

const OLDEST = [20, 19] as const

export function nodeCheck(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])
  if (!isOld) return check('node', 'ok', `Node.js ${version}`)
  return check('node', 'bad', `Node.js ${version} is too old`, 'Install Node.js 20.19 or newer.')
}

const isLoopback = (host: string): boolean =>
  /^(127(\.\d{1,3}){3}|localhost|::1|\[::1\])$/.test(host)

export function addressChecks(config: Config): Check[] {
  return [publicCheck(config), proxyCheck(config)]
}

function publicCheck(config: Config): Check {
  const { PUBLIC_URL: address, HOST, production } = config
  try {
    checkServing(config)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return check('address', 'bad', error.message, 'Set PUBLIC_URL to the address that people use.')
  }
  if (address === undefined) {
    if (isLoopback(HOST)) return check('address', 'ok', 'this machine only, and no PUBLIC_URL')
    const text = `HOST is ${HOST} and there is no PUBLIC_URL: links begin with what callers send`
    return check('address', 'warn', text, 'Set PUBLIC_URL to the address that people use.')
  }
  const { protocol, hostname } = new URL(address)
  const isOpen = protocol === 'http:' && !isLoopback(hostname)
  if (isOpen && production) {
    const next = 'Put a proxy with TLS in front, and let PUBLIC_URL begin with https.'
    return check('address', 'warn', `${address} is not encrypted`, next)
  }
  return check('address', 'ok', address)
}

function proxyCheck({ PUBLIC_URL: address, HOST, TRUST_PROXY: trusted }: Config): Check {
  if (trusted === 'true' && !isLoopback(HOST)) {
    const text = `TRUST_PROXY=true at ${HOST}: whoever reaches the port may name any address`
    return check('proxy', 'warn', text, 'Name the addresses of your proxies in TRUST_PROXY.')
  }
  if (trusted === 'false' && address?.startsWith('https:') === true) {
    const text = 'PUBLIC_URL is https, so a proxy is in front, and TRUST_PROXY names none'
    const next = 'Set TRUST_PROXY to its address; else all callers count as one.'
    return check('proxy', 'warn', text, next)
  }
  return check('proxy', 'ok', trusted === 'false' ? 'none is believed' : `believed: ${trusted}`)
}

export async function secretChecks(config: Config): Promise<Check[]> {
  const checks: Check[] = []
  if (config.MASTER_KEY.some(isWeakKey)) {
    const next = 'Make another, and follow docs/operating.md, "The master key".'
    checks.push(check('secrets', 'warn', 'MASTER_KEY can be guessed', next))
  }
  if (config.DATABASE_URL !== undefined && isDefaultPassword(config.DATABASE_URL)) {
    const next = 'Give the role another password.'
    checks.push(check('secrets', 'warn', 'DATABASE_URL has a default password', next))
  }
  for (const path of [join(resolve(config.DATA_DIR), 'master.key'), resolve('.env')]) {
    if (await isOpenToOthers(path)) {
      checks.push(check('secrets', 'warn', `${path} can be read by others`, `chmod 600 ${path}`))
    }
  }
  return checks.length > 0 ? checks : [check('secrets', 'ok', 'none that can be guessed or read')]
}

/** False for a file that is not there. */
async function isOpenToOthers(path: string): Promise<boolean> {
  const [found] = await Promise.allSettled([stat(path)])
  const isUnix = process.platform !== 'win32'
  return isUnix && found.status === 'fulfilled' && (found.value.mode & 0o077) !== 0
}

const GIB = 1024 ** 3
const LEAST = GIB
const FEW = 10 * GIB

export async function diskCheck(dataDir: string, hasDatabase: boolean): Promise<Check> {
  const [found] = await Promise.allSettled([
    statfs(resolve(dataDir)).catch(() => statfs(resolve(dataDir, '..'))),
  ])
  if (found.status === 'rejected') {
    const next = 'Make the folder, or set DATA_DIR to another.'
    return check('disk', 'bad', `DATA_DIR cannot be read: ${sentenceOf(found.reason)}`, next)
  }
  const free = found.value.bavail * found.value.bsize
  const whose = hasDatabase ? 'for the database' : 'in DATA_DIR (the database has its own)'
  const text = `${(free / GIB).toFixed(1)} GiB are free ${whose}`
  const next = 'Make room: without any, nothing is signed. docs/operations/sizing.md has the sizes.'
  if (free < LEAST) return check('disk', 'bad', text, next)
  return check('disk', free < FEW && hasDatabase ? 'warn' : 'ok', text, next)
}

/** None where nothing is kept outside: that is a choice. */
export async function archiveChecks(config: Config): Promise<Check[]> {
  const fetch = createOutbound({ allow: config.OUTBOUND_ALLOW })
  const archive = archiveOf(config, { fetch, now: () => new Date() })
  if (archive === undefined) return []
  const [found] = await Promise.allSettled([archive.check()])
  const { place } = archive
  if (found.status === 'fulfilled') return [check('backups', 'ok', `${place} can be used`)]
  const next = 'Check BACKUP_STORE, its key and rights; docs/backups.md has what is needed.'
  return [check('backups', 'bad', `${place}: ${sentenceOf(found.reason)}`, next)]
}

const MAIL_MS = 5_000

export async function mailCheck({ SMTP_URL: address, production }: Config): Promise<Check> {
  if (address === undefined) {
    const text = 'no mail server: e-mails are written to DATA_DIR/outbox'
    return check('mail', production ? 'warn' : 'ok', text, 'Set SMTP_URL and MAIL_FROM.')
  }
  // other commands start faster without it
  const { createTransport } = await import('nodemailer')
  const times = { connectionTimeout: MAIL_MS, greetingTimeout: MAIL_MS, socketTimeout: MAIL_MS }
  const transport = createTransport({ url: address, ...times })
  const { host } = new URL(address)
  const [found] = await Promise.allSettled([transport.verify()])
  transport.close()
  if (found.status === 'fulfilled') return check('mail', 'ok', `${host} lets this server in`)
  // its answer may repeat user and password
  const code: unknown = Reflect.get(Object(found.reason), 'code')
  const text = `${host} does not take mail (${typeof code === 'string' ? code : 'no answer'})`
  return check('mail', 'bad', text, 'Check SMTP_URL, its password, and the network in between.')
}
