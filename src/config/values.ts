// What the value of a setting may look like: text to value, and the line that tells what is wrong.
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { isEmail } from '../lib/email.js'
import { isLinkBase, isMount } from '../lib/front-address.js'
import { isUuid } from '../lib/id.js'

export const oneOf = <const T extends readonly [string, ...string[]]>(words: T) =>
  z.enum(words, { error: `expected ${words.slice(0, -1).join(', ')} or ${words.at(-1)}` })

export const bool = oneOf(['true', 'false']).transform((text) => text === 'true')

/** Of three processors PostgreSQL needs one for what two processes sign. */
const usualProcesses = (): number => Math.ceil((availableParallelism() * 2) / 3)

export const processes = z.union([
  z.literal('auto').transform(usualProcesses),
  z
    .string()
    .regex(/^([1-9]|[1-5]\d|6[0-4])$/, 'expected a whole number from 1 to 64, or auto')
    .transform(Number),
])

export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d{1,12}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `expected a whole number from ${min} to ${max}`,
    })
    .transform(Number)

/** A factor with up to six decimals. */
export const factor = (max: number) =>
  z
    .string()
    .refine((text) => /^\d{1,6}(\.\d{1,6})?$/.test(text) && Number(text) <= max, {
      error: `expected a number from 0 to ${max}, such as 0.001`,
    })
    .transform(Number)

export const url = (schemes: string) =>
  z.string().refine((text) => new RegExp(`^(${schemes})://[^\\s]+$`).test(text), {
    error: `expected an address starting with ${schemes.replaceAll('|', ':// or ')}://`,
  })

export interface LoginProvider {
  issuer: string
  clientId: string
  clientSecret: string
}

/** `https://id:secret@login.example/realm`, with TLS but for one on this machine. */
export const provider = url('https?').transform((text, context): LoginProvider => {
  const found = { issuer: '', clientId: '', clientSecret: '' }
  const issue = (message: string) => {
    context.addIssue({ code: 'custom', message })
    return found
  }
  const [, scheme = '', id = '', secret = '', place = ''] =
    /^(https?:\/\/)(?:([^:@/]*)(?::([^@/]*))?@)?(.*)$/.exec(text) ?? []
  const issuer = `${scheme}${place}`
  if (!URL.canParse(issuer)) return issue('expected a complete address')
  const isLocal = /^(localhost|127\..*|\[::1\])$/.test(new URL(issuer).hostname)
  if (scheme === 'http://' && !isLocal) return issue('expected an address starting with https://')
  const [clientId, clientSecret] = [decoded(id), decoded(secret)]
  if (!clientId || !clientSecret) {
    return issue('expected id and secret in the address: https://id:secret@login.example')
  }
  return { issuer, clientId, clientSecret }
})

/** Undefined where the percent signs are wrong. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

export interface Collector {
  url: string
  /** The part of calls that have a trace. */
  ratio: number
}

/** `http://127.0.0.1:4318/v1/traces`, perhaps with `,0.1` behind it. */
export const collector = url('http|https').transform((text, context): Collector => {
  const [, place = text, ratio = '1'] = /^(.*?),([^,/]*)$/.exec(text) ?? []
  const parsed = factor(1).safeParse(ratio)
  if (!parsed.success) {
    context.addIssue({ code: 'custom', message: 'expected a part from 0 to 1 behind the comma' })
  }
  return { url: place, ratio: parsed.data ?? 1 }
})

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export interface LogLines {
  level: (typeof LEVELS)[number]
  /** Whether every call has a line. */
  calls: boolean
}

/** `info`, or `info,access`. */
export const logLines = z.string().transform((text, context): LogLines => {
  const [word, access, ...more] = text.split(',').map((part) => part.trim())
  const level = LEVELS.find((name) => name === word)
  if (level === undefined || more.length > 0 || (access ?? 'access') !== 'access') {
    const message = `expected ${LEVELS.slice(0, -1).join(', ')} or silent, perhaps with ,access`
    context.addIssue({ code: 'custom', message })
  }
  return { level: level ?? 'info', calls: access !== undefined }
})

/** `credentials=10,dealer=0`: what is not named keeps its amount. */
export const amounts = <Name extends string>(usual: Readonly<Record<Name, number>>, max: number) =>
  list.transform((parts, context): Readonly<Record<Name, number>> => {
    const found: Record<string, number> = {}
    const names = Object.keys(usual)
    for (const part of parts) {
      const [, name = '', digits = ''] = /^([a-z]+)=(\d{1,12})$/.exec(part) ?? []
      if (!names.includes(name) || Number(digits) > max || name in found) {
        const message = `expected amounts from 0 to ${max} with commas: ${names.join('=…,')}=…`
        context.addIssue({ code: 'custom', message })
        return usual
      }
      found[name] = Number(digits)
    }
    return { ...usual, ...found }
  })

/** The same, or undefined where the text is empty. */
export const optional = <T>(type: z.ZodType<T, string>) =>
  z.preprocess((text) => (text === '' ? undefined : text), type.optional())

function partsOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

export const list = z.string().transform(partsOf)

export const mount = z
  .string()
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

export const masterKey = list.transform((parts, context) =>
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
    const match = /^([A-Za-z0-9_-]{1,64}|\*)=(.*)$/.exec(part)
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

export interface QueueNames {
  /** Words of paths, in lower case. */
  aliases: ReadonlyMap<string, string>
  /** Of calls that name none. */
  usual: string | undefined
}

/** Aliases, and the name `*` for calls that name no queue. */
export const queueNames = aliases.transform((all): QueueNames => {
  const named = [...all].filter(([name]) => name !== '*')
  return { aliases: new Map(named), usual: all.get('*') }
})

const PROXY_WORDS = new Set(['true', 'false', 'loopback', 'linklocal', 'uniquelocal'])

/**
 * Whose word about the caller's address counts: everybody's, nobody's, or that of some addresses.
 */
export const proxies = z
  .string()
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
export const mailbox = z
  .string()
  .refine((text) => isEmail(/^[^<>\p{C}]*<(.*)>$/u.exec(text)?.[1] ?? text), {
    error: 'expected an e-mail address, or Name <address>',
  })

export interface DkimFile {
  domain: string
  selector: string
  /** PEM of a private key. */
  file: string
}

const DNS_NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/i

/** `shop.example,2026,/etc/fiskalwerk/dkim.pem` */
export const dkimFile = list.transform((parts, context): DkimFile => {
  const [domain = '', selector = '', file = '', ...more] = parts
  const message = 'expected domain,selector,key.pem, such as shop.example,2026,dkim.pem'
  const isWhole = DNS_NAME.test(domain) && DNS_NAME.test(selector) && file !== ''
  if (!isWhole || more.length > 0) context.addIssue({ code: 'custom', message })
  return { domain, selector, file }
})

export interface S3Setting {
  kind: 's3'
  origin: string
  bucket: string
  /** '' or words that end with `/`. */
  prefix: string
  region: string
  keyId: string
  secret: string
  lock?: { mode: 'COMPLIANCE' | 'GOVERNANCE'; years: number }
}

export type ArchiveSetting = { kind: 'folder'; folder: string } | S3Setting

/** Objects under a lock outlive every mistake: so many years at most. */
const MOST_YEARS = 30

/** An absolute path, or s3://key:secret@host/bucket. */
export const archivePlace = z.string().transform((text, context): ArchiveSetting => {
  const issue = (message: string) => context.addIssue({ code: 'custom', message })
  if (isAbsolute(text)) return { kind: 'folder', folder: text }
  const found = text.startsWith('s3://') ? s3Of(text) : undefined
  if (found === undefined) {
    issue('expected /a/folder or s3://key:secret@host/bucket?region=eu-central-1')
    return { kind: 'folder', folder: '' }
  }
  const { mode, years } = found.lock
  const isLocked = mode !== '' || years !== ''
  const isWhole = /^(compliance|governance)$/.test(mode) && /^\d{1,2}$/.test(years)
  if (isLocked && !(isWhole && Number(years) >= 1 && Number(years) <= MOST_YEARS)) {
    issue(`lock and years go together: lock=compliance&years=7, at most ${MOST_YEARS}`)
  }
  if (!isLocked) return { ...found.place, kind: 's3' }
  const name = mode === 'governance' ? 'GOVERNANCE' : 'COMPLIANCE'
  return { ...found.place, kind: 's3', lock: { mode: name, years: Number(years) } }
})

/** Undefined: something is wanting, or is there that nobody knows. */
function s3Of(text: string) {
  // the library of addresses knows names of hosts for https: only
  const plain = text.replace(/^s3:/, 'https:')
  if (!URL.canParse(plain)) return undefined
  const url = new URL(plain)
  const known = new Set(['region', 'tls', 'lock', 'years'])
  if ([...url.searchParams.keys()].some((name) => !known.has(name))) return undefined
  const asked = (name: string) => url.searchParams.get(name) ?? ''
  const [bucket = '', ...words] = url.pathname.split('/').slice(1).map(decodeURIComponent)
  const [keyId, secret] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
  if (bucket === '' || keyId === '' || secret === '') return undefined
  const scheme = asked('tls') === 'off' ? 'http' : 'https'
  const prefix = words.filter((word) => word !== '').map((word) => `${word}/`)
  const region = asked('region') === '' ? 'us-east-1' : asked('region')
  return {
    place: {
      origin: `${scheme}://${url.host}`,
      bucket,
      prefix: prefix.join(''),
      region,
      keyId,
      secret,
    },
    lock: { mode: asked('lock'), years: asked('years') },
  }
}

export interface Authentication {
  /** Whether calls need credentials. */
  on: boolean
  /** Further names of this server, perhaps with a port, in lower case. */
  hosts: ReadonlySet<string>
}

/** `on`, `off`, or `off,register.lan,register.lan:8080` */
export const authentication = list.transform((parts, context): Authentication => {
  const [word, ...names] = parts
  const broken = names.find((part) => !/^([a-z0-9_.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i.test(part))
  const message = 'expected on, off, or off with host names: off,register.lan,register.lan:8080'
  const isRight = word === 'off' || (word === 'on' && names.length === 0)
  if (!isRight || broken !== undefined) context.addIssue({ code: 'custom', message })
  return { on: word === 'on', hosts: new Set(names.map((part) => part.toLowerCase())) }
})

/** `https://register.example`, with commas; `*` for all. */
export const origins = list.transform((parts, context) => {
  const broken = parts.find((part) => part !== '*' && !isOrigin(part))
  const message = 'expected * or origins with commas, such as https://register.example'
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
export const queuePorts = (lone: boolean) =>
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

export interface TlsFiles {
  cert: string
  key: string
}

/** `certificate.pem,key.pem` */
export const tlsFiles = list.transform((parts, context): TlsFiles => {
  const [cert = '', key = '', ...more] = parts
  const message = 'expected certificate.pem,key.pem: certificate and key go together'
  if (key === '' || more.length > 0) context.addIssue({ code: 'custom', message })
  return { cert, key }
})

export const listenAddress = z.string().trim().min(1, 'expected an address of this machine')

/** What links begin with. */
export const linkBase = url('http|https').refine(
  (text) => !text.includes('://') || isLinkBase(text),
  { error: 'expected no user, ? or # in it: links go on behind it' },
)
