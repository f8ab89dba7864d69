// The environment: defaults, one clear line per wrong value, contradictions, and the sample file.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, checkServing, FIXED, readConfig, SETTINGS, variables } from '../src/config.js'
import { sampleFile, settingsPage } from './support/settings-pages.js'

const QUEUE = '0e0af2cb-1a2b-4c3d-8e9f-001122334455'
const UPPER = QUEUE.toUpperCase()
const KEY = Buffer.alloc(32, 1).toString('base64')

function faults(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

const AUTH_FORM = 'expected on, off, or off with host names: off,register.lan,register.lan:8080'
const FILES = { cert: '/c.pem', key: '/k.pem' }

describe('gRPC', () => {
  it('is off unless it has a port; certificate and key go together', () => {
    expect(readConfig({}).GRPC_PORT).toEqual([])
    expect(readConfig({ GRPC_PORT: '' }).GRPC_PORT).toEqual([])
    expect(readConfig({ GRPC_PORT: '0' }).GRPC_PORT).toEqual([{ port: 0, queue: undefined }])
    expect(readConfig({ GRPC_PORT: '1400=bar, 1401=shop' }).GRPC_PORT).toEqual([
      { port: 1400, queue: 'bar' },
      { port: 1401, queue: 'shop' },
    ])
    expect(faults({ GRPC_PORT: '65536' })).toEqual([
      'GRPC_PORT: expected a whole number from 0 to 65535, or port=queue with commas',
    ])
    expect(readConfig({ GRPC_TLS: '/c.pem, /k.pem' }).GRPC_TLS).toEqual(FILES)
    for (const wrong of ['/x.pem', ',/x.pem', '/a.pem,/b.pem,/c.pem']) {
      expect(faults({ GRPC_TLS: wrong })).toEqual([expect.stringContaining('go together')])
    }
    for (const name of ['GRPC_TLS_CERT', 'GRPC_TLS_KEY']) {
      expect(faults({ [name]: '/x.pem' })).toEqual([expect.stringContaining('go together')])
    }
  })
})

describe('ports with queues', () => {
  it('of the Middleware interface have each a queue, and no port is named twice', () => {
    expect(readConfig({ MIDDLEWARE_PORTS: '1500=bar, 0=shop' }).MIDDLEWARE_PORTS).toEqual([
      { port: 1500, queue: 'bar' },
      { port: 0, queue: 'shop' },
    ])
    for (const wrong of ['1500', '65536=bar', '1500=', 'bar=1500', '1500=a b']) {
      expect(faults({ MIDDLEWARE_PORTS: wrong })).toEqual([
        'MIDDLEWARE_PORTS: expected port=queue with commas',
      ])
    }
    const twice = (more: Record<string, string>, name = 'MIDDLEWARE_PORTS') =>
      expect(faults(more)).toEqual([expect.stringMatching(`^${name}: .*1500 is named twice`)])
    twice({ MIDDLEWARE_PORTS: '1500=bar,1500=shop' })
    twice({ MIDDLEWARE_PORTS: '1500=bar', PORT: '1500' })
    twice({ MIDDLEWARE_PORTS: '1500=bar', GRPC_PORT: '1500' })
    twice({ GRPC_PORT: '1500=bar,1500=shop' }, 'GRPC_PORT')
    expect(readConfig({ MIDDLEWARE_PORTS: '0=bar,0=shop', PORT: '0' }).PORT).toBe(0)
  })
})

describe('defaults', () => {
  it('are the ones that the sample file and the pages tell', () => {
    expect(readConfig({})).toEqual({
      HOST: '127.0.0.1',
      PORT: 8080,
      DATA_DIR: './data',
      DATABASE_POOL: 10,
      MIGRATE_ON_START: true,
      MASTER_KEY: [],
      ENVIRONMENT: 'sandbox',
      production: false,
      fixed: FIXED,
      retired: [],
      ALLOW_SOFTWARE_DEVICES: false,
      MIDDLEWARE_AUTH: { on: true, hosts: new Set() },
      GRPC_PORT: [],
      MIDDLEWARE_PORTS: [],
      MIDDLEWARE_ORIGINS: new Set(),
      PERSONAL_DATA_DAYS: 0,
      QUEUE_ALIASES: { aliases: new Map(), usual: undefined },
      OUTBOUND_ALLOW: [],
      TRACES_URL: undefined,
      LOG_LEVEL: { level: 'info', calls: false },
      TRUST_PROXY: 'false',
      CSV_LIMIT: 33_554_432,
      PROCESSES: 1,
      BODY_LIMIT: 2_097_152,
      SIGN_VALIDATION: 'log',
      SIGN_WAITING_SECONDS: 10,
      RATE_LIMITS: { credentials: 10, pin: 5, dealer: 6000 },
      DUMMY_PAYMENT_TIME_SCALE: 1,
      MOUNT_MIDDLEWARE: { host: null, prefix: '' },
      MOUNT_DEALER: { host: null, prefix: '' },
      MOUNT_SIGNING_DEVICE: { host: null, prefix: '' },
      MOUNT_POSSYSTEM: { host: null, prefix: '' },
      POSSYSTEM_ID_REQUIRED: true,
      OPERATION_WAIT_MAX_SECONDS: 0,
      ECHO_STATUS: '200',
      MOUNT_RECEIPT: { host: null, prefix: '' },
      ISSUE_ACCEPT_EXTERNAL: true,
      RECEIPT_REQUIRE_SIGNATURE: false,
    })
  })

  it('count for empty variables too', () => {
    const names = Object.keys(readConfig({}))
    expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readConfig({}))
  })

  it('cannot be changed by the program', () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true)
  })
})

describe('a wrong value is one clear line', () => {
  it.each([
    ['PORT', 'abc', 'expected a whole number from 0 to 65535'],
    ['PORT', '65536', 'expected a whole number from 0 to 65535'],
    ['PORT', '-1', 'expected a whole number from 0 to 65535'],
    ['PORT', '80.5', 'expected a whole number from 0 to 65535'],
    ['PORT', '1e3', 'expected a whole number from 0 to 65535'],
    ['HOST', '  ', 'expected an address of this machine'],
    ['MIGRATE_ON_START', 'yes', 'expected true or false'],
    ['ALLOW_SOFTWARE_DEVICES', '1', 'expected true or false'],
    [
      'DATABASE_URL',
      'mysql://x/y',
      'expected an address starting with postgres:// or postgresql://',
    ],
    [
      'BACKUP_STORE',
      'months',
      'expected /a/folder or s3://key:secret@host/bucket?region=eu-central-1',
    ],
    [
      'BACKUP_STORE',
      's3://k@host/b',
      'expected /a/folder or s3://key:secret@host/bucket?region=eu-central-1',
    ],
    [
      'BACKUP_STORE',
      's3://k:s@host/b?lock=compliance',
      'lock and years go together: lock=compliance&years=7, at most 30',
    ],
    ['DATABASE_POOL', '1', 'expected a whole number from 4 to 200'],
    ['PUBLIC_URL', 'example.com', 'expected an address starting with http:// or https://'],
    ['MASTER_KEY', 'abc', 'expected 32 bytes in Base64'],
    ['MASTER_KEY', `${KEY},abc`, 'key 2: expected 32 bytes in Base64'],
    ['ENVIRONMENT', 'prod', 'expected sandbox or production'],
    ...['false', 'on,till.lan', 'off,a b', 'off,http://till.lan'].map((value) => [
      'MIDDLEWARE_AUTH',
      value,
      AUTH_FORM,
    ]),
    ['QUEUE_ALIASES', '*=the first', 'expected name=queueId, separated by commas'],
    ['QUEUE_ALIASES', 'fiskaltrust', 'expected name=queueId, separated by commas'],
    ['QUEUE_ALIASES', 'fiskaltrust=1', 'expected name=queueId, separated by commas'],
    ['QUEUE_ALIASES', `a/b=${QUEUE}`, 'expected name=queueId, separated by commas'],
    ['QUEUE_ALIASES', `JSON=${QUEUE}`, 'the name json is taken'],
    ['QUEUE_ALIASES', `a=${QUEUE},A=${QUEUE}`, 'the name a is taken'],
    ...['loud', 'info,', 'info,access,access', 'access'].map((value) => [
      'LOG_LEVEL',
      value,
      'expected fatal, error, warn, info, debug, trace or silent, perhaps with ,access',
    ]),
    ...['yes', '10.0.0.0/33', '10.0.0', '::1/129', 'proxy.example.com'].map((value) => [
      'TRUST_PROXY',
      value,
      'expected true, false, or addresses and networks separated by commas',
    ]),
    ['BODY_LIMIT', '1023', 'expected a whole number from 1024 to 67108864'],
    ['SIGN_VALIDATION', 'off', 'expected log or strict'],
    ['SIGN_WAITING_SECONDS', '61', 'expected a whole number from 1 to 60'],
    ...['off', 'pin', 'pin=-1', 'dealer=1000001', 'pin=1,pin=2', 'sms=1'].map((value) => [
      'RATE_LIMITS',
      value,
      'expected amounts from 0 to 1000000 with commas: credentials=…,pin=…,dealer=…',
    ]),
    ['TRACES_URL', 'http://c.example,2', 'expected a part from 0 to 1 behind the comma'],
    ['DUMMY_PAYMENT_TIME_SCALE', '-1', 'expected a number from 0 to 1000, such as 0.001'],
    ['DUMMY_PAYMENT_TIME_SCALE', '1000.1', 'expected a number from 0 to 1000, such as 0.001'],
    ['DUMMY_PAYMENT_TIME_SCALE', '1e2', 'expected a number from 0 to 1000, such as 0.001'],
    ['DUMMY_PAYMENT_TIME_SCALE', '0,5', 'expected a number from 0 to 1000, such as 0.001'],
    ['MOUNT_MIDDLEWARE', 'https://a/b', 'expected /prefix, host.name or host.name/prefix'],
    [
      'PUBLIC_URL',
      'https://a:b@r.example',
      'expected no user, ? or # in it: links go on behind it',
    ],
    ['PUBLIC_URL', 'https://r.example/?a', 'expected no user, ? or # in it: links go on behind it'],
    ['PUBLIC_URL', 'https://r.example#a', 'expected no user, ? or # in it: links go on behind it'],
    ['PUBLIC_URL', 'https://:1', 'expected no user, ? or # in it: links go on behind it'],
    ['MOUNT_RECEIPT', '/..', 'expected /prefix, host.name or host.name/prefix'],
    ['MOUNT_RECEIPT', 'r.example/a/./b', 'expected /prefix, host.name or host.name/prefix'],
    ['MOUNT_DEALER', 'foo', 'expected /prefix, host.name or host.name/prefix'],
    ['MOUNT_RECEIPT', 'foo/bar', 'expected /prefix, host.name or host.name/prefix'],
    ['MOUNT_MIDDLEWARE', '/a b', 'expected /prefix, host.name or host.name/prefix'],
    ...['https://login.example', 'https://a@login.example', 'https://a:%zz@l.example'].map(
      (value) => [
        'SSO_ISSUER',
        value,
        'expected id and secret in the address: https://id:secret@login.example',
      ],
    ),
    ['SSO_ISSUER', 'http://a:b@login.example', 'expected an address starting with https://'],
    ['SMTP_URL', 'mail.example', 'expected an address starting with smtp:// or smtps://'],
    ['SMS_URL', 'smtp://x', 'expected an address starting with http:// or https://'],
    ...['receipts', 'a@b, c@d', 'Shop <a@b', 'Shop\r\nBcc: x <a@b>', '<a@b> x'].map((value) => [
      'MAIL_FROM',
      value,
      'expected an e-mail address, or Name <address>',
    ]),
    ['MOUNT_SIGNING_DEVICE', 'a:b', 'expected /prefix, host.name or host.name/prefix'],
  ] as [string, string, string][])('%s=%s', (name, value, text) => {
    expect(faults({ [name]: value })).toEqual([`${name}: ${text}`])
  })

  it('several are several lines, all at once', () => {
    expect(faults({ PORT: 'x', ENVIRONMENT: 'y', LOG_LEVEL: 'z' })).toHaveLength(3)
  })

  it('no line gives a key or a password away', () => {
    const secret = 'canary-of-the-configuration'
    const lines = faults({ MASTER_KEY: secret, DATABASE_URL: `mysql://u:${secret}@h/d` })
    expect(lines).toHaveLength(2)
    expect(lines.join('\n')).not.toContain(secret)
  })
})

describe('what contradicts itself is refused', () => {
  it('no authentication on an address that others reach', () => {
    for (const HOST of ['0.0.0.0', '::', '192.168.1.10', 'till.example.com']) {
      const lines = faults({ MIDDLEWARE_AUTH: 'off', HOST })
      expect(lines).toEqual([expect.stringMatching(/^MIDDLEWARE_AUTH: .*loopback.*HOST/)])
    }
    for (const HOST of ['127.0.0.1', '127.1.2.3', 'localhost', '::1']) {
      expect(faults({ MIDDLEWARE_AUTH: 'off', HOST })).toEqual([])
    }
  })

  it('a mail server without a sender, and ways out without an address for links', () => {
    const SMTP_URL = 'smtp://mail.example'
    const PUBLIC_URL = 'https://r.example'
    const MAIL_FROM = 'Shop <a@b.example>'
    expect(faults({ SMTP_URL, PUBLIC_URL })).toEqual([expect.stringMatching(/^MAIL_FROM: /)])
    expect(faults({ SMTP_URL, MAIL_FROM })).toEqual([expect.stringMatching(/^PUBLIC_URL: /)])
    expect(faults({ WHATSAPP_URL: PUBLIC_URL })).toEqual([
      expect.stringMatching(/^PUBLIC_URL: required with WHATSAPP_URL/),
    ])
    expect(faults({ SMTP_URL: 'smtp://a:b:c', MAIL_FROM, PUBLIC_URL })).toEqual([
      expect.stringMatching(/^SMTP_URL: /),
    ])
    expect(faults({ SMTP_URL, MAIL_FROM, PUBLIC_URL, SMS_URL: PUBLIC_URL })).toEqual([])
  })

  it('a database outside without a master key: a second server could open nothing', () => {
    const DATABASE_URL = 'postgresql://db.example.com/fiskalwerk'
    expect(faults({ DATABASE_URL })).toEqual([expect.stringMatching(/^MASTER_KEY: required/)])
    expect(faults({ DATABASE_URL, MASTER_KEY: KEY })).toEqual([])
  })
})

describe('values', () => {
  it('mounts are a prefix, a host name, or both', () => {
    const mountOf = (text: string) => readConfig({ MOUNT_MIDDLEWARE: text }).MOUNT_MIDDLEWARE
    expect(mountOf('/')).toEqual({ host: null, prefix: '' })
    expect(mountOf('/mw/')).toEqual({ host: null, prefix: '/mw' })
    expect(mountOf('POS.example.com')).toEqual({ host: 'pos.example.com', prefix: '' })
    expect(mountOf('pos.example.com:8443/a/b')).toEqual({
      host: 'pos.example.com:8443',
      prefix: '/a/b',
    })
  })

  it('keys, aliases, queues and lists', () => {
    const config = readConfig({
      MASTER_KEY: `${KEY}, ${Buffer.alloc(32, 2).toString('base64')}`,
      QUEUE_ALIASES: `Fiskaltrust=${UPPER} , ftrest=${QUEUE},*=${UPPER}`,
      OUTBOUND_ALLOW: 'localhost:9000, 10.0.0.1:443,',
      TRUST_PROXY: '10.0.0.0/8, ::1, loopback',
    })
    expect(config.MASTER_KEY.map((key) => key[0])).toEqual([1, 2])
    expect([...config.QUEUE_ALIASES.aliases]).toEqual([
      ['fiskaltrust', QUEUE],
      ['ftrest', QUEUE],
    ])
    expect(config.QUEUE_ALIASES.usual).toBe(QUEUE)
    expect(config.OUTBOUND_ALLOW).toEqual(['localhost:9000', '10.0.0.1:443'])
  })
})

describe('the file .env', () => {
  it('counts less than the variables of the process, and need not be there', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fiskalwerk-env-'))
    try {
      expect(variables(folder, { PORT: '1' })).toEqual({ PORT: '1' })
      writeFileSync(join(folder, '.env'), '# PORT=7\nPORT=2\nHOST="::1"\n')
      expect(variables(folder, { PORT: '1' })).toEqual({ PORT: '1', HOST: '::1' })
      expect(readConfig(variables(folder, {}))).toMatchObject({ PORT: 2, HOST: '::1' })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('the table of settings', () => {
  const { sample, page } = {
    sample: new URL('../.env.example', import.meta.url),
    page: new URL('../docs/settings.md', import.meta.url),
  }
  if (process.env.UPDATE_SETTINGS === '1') {
    writeFileSync(sample, sampleFile())
    writeFileSync(page, settingsPage())
  }
  const lines = readFileSync(sample, 'utf8').split('\n')
  const samples = lines.flatMap((line, at) => {
    const found = /^# ?([A-Z][A-Z0-9_]*)=(.*)$/.exec(line)
    return found?.[1] === undefined ? [] : [{ name: found[1], value: found[2] ?? '', at }]
  })

  it('is what .env.example and the page tell', () => {
    expect(lines.join('\n')).toBe(sampleFile())
    expect(readFileSync(page, 'utf8')).toBe(settingsPage())
  })

  it('has 53 rows at most', () => {
    expect(SETTINGS.length).toBeLessThanOrEqual(53)
  })

  it('gives every variable its default in .env.example', () => {
    const told = Object.fromEntries(samples.map(({ name, value }) => [name, value]))
    expect(readConfig(told)).toEqual(readConfig({}))
    expect(Object.keys(told).sort()).toEqual([...SETTINGS].sort())
  })

  it('has one line of meaning above each, and sets nothing', () => {
    for (const { name, at } of samples) expect(lines[at - 1], name).toMatch(/^# [A-Z].{20,95}$/)
    expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([])
  })
})

describe('in production', () => {
  const good = {
    ENVIRONMENT: 'production',
    DATABASE_URL: 'postgresql://shop:Zk3vQ9wLx2@db/x',
    MASTER_KEY: 'xk0c1fU0vMBzW6eK3pGQ0nJ5dJ6m0l3kQ1mS9u2hZ9E=',
  }
  const refusal = (env: Record<string, string>) => {
    try {
      return checkServing(readConfig({ ...good, ...env }))
    } catch (error) {
      return String(error)
    }
  }

  it('keys that can be guessed and default passwords are refused, in the sandbox not', () => {
    const weak = { MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
    const usual = { DATABASE_URL: 'postgresql://fiskalwerk:fiskalwerk@db/fiskalwerk' }
    expect(refusal(weak)).toMatch(/MASTER_KEY: this key can be guessed/)
    expect(refusal({ MASTER_KEY: `${good.MASTER_KEY},${weak.MASTER_KEY}` })).toMatch(/MASTER_KEY/)
    expect(refusal(usual)).toMatch(/DATABASE_URL: a default password/)
    expect(refusal({ ...weak, ...usual, ENVIRONMENT: 'sandbox' })).toBeUndefined()
  })

  it('a server asks for PUBLIC_URL, a command does not', () => {
    expect(readConfig(good).production).toBe(true)
    expect(refusal({})).toMatch(/PUBLIC_URL: required in production/)
    expect(refusal({ PUBLIC_URL: 'https://pos.example' })).toBeUndefined()
  })
})
