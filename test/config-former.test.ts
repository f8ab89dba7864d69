// Settings that hold several things, and those of older versions.
import { describe, expect, it } from 'vitest'
import { RETIRED } from '../src/config/table.js'
import { ConfigError, readConfig, SETTINGS } from '../src/config.js'

const QUEUE = '0e0af2cb-1a2b-4c3d-8e9f-001122334455'
const FILES = { cert: '/c.pem', key: '/k.pem' }

function faults(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

describe('several things in one setting', () => {
  it('limits that are not named stay, whatever their order', () => {
    const limits = (RATE_LIMITS: string) => readConfig({ RATE_LIMITS }).RATE_LIMITS
    expect(limits('dealer=0')).toEqual({ credentials: 10, pin: 5, dealer: 0 })
    expect(limits(' dealer=7 , credentials=0')).toEqual({ credentials: 0, pin: 5, dealer: 7 })
  })

  it('lines of calls, names of this server, the part of traces, the provider of logins', () => {
    const calls = readConfig({ LOG_LEVEL: 'debug, access' })
    expect(calls.LOG_LEVEL).toEqual({ level: 'debug', calls: true })
    const hosts = new Set(['till.lan', '[::1]:80'])
    expect(readConfig({ MIDDLEWARE_AUTH: 'off,Till.lan, [::1]:80' }).MIDDLEWARE_AUTH).toEqual({
      ...{ on: false, hosts },
    })
    const url = 'http://c.example/v1/traces'
    expect(readConfig({ TRACES_URL: url }).TRACES_URL).toEqual({ url, ratio: 1 })
    expect(readConfig({ TRACES_URL: `${url},0.25` }).TRACES_URL).toEqual({ url, ratio: 0.25 })
    const sso = (SSO_ISSUER: string) => readConfig({ SSO_ISSUER }).SSO_ISSUER
    const issuer = 'https://login.example/realms/shop'
    const address = 'https://fiskal%40werk:s%3A%2F%40cret@login.example/realms/shop'
    const both = { clientId: 'fiskal@werk', clientSecret: 's:/@cret' }
    expect(sso(address)).toEqual({ issuer, ...both })
    expect(sso('http://a:b@localhost:4000')?.issuer).toBe('http://localhost:4000')
  })
})

describe('settings that another one has taken in', () => {
  const older = {
    ...{ RATE_LIMIT_FAILURES: '1', RATE_LIMIT_PIN: '2', RATE_LIMIT_DEALER: '3' },
    ...{ TRACES_URL: 'http://c.example/v1', TRACES_RATIO: '0.5', ACCESS_LOG: 'true' },
    ...{ SSO_ISSUER: 'https://l.example', SSO_CLIENT: 'a:b:/@c' },
    ...{ MIDDLEWARE_AUTH: 'off', MIDDLEWARE_HOSTS: 'a.lan,b.lan', DEFAULT_QUEUE: QUEUE },
  }

  it('are still read, and a start says what takes their place', () => {
    const config = readConfig(older)
    expect(config).toMatchObject({
      RATE_LIMITS: { credentials: 1, pin: 2, dealer: 3 },
      TRACES_URL: { url: 'http://c.example/v1', ratio: 0.5 },
      LOG_LEVEL: { level: 'info', calls: true },
      SSO_ISSUER: { issuer: 'https://l.example', clientId: 'a', clientSecret: 'b:/@c' },
      MIDDLEWARE_AUTH: { on: false, hosts: new Set(['a.lan', 'b.lan']) },
      QUEUE_ALIASES: { usual: QUEUE },
    })
    const told = config.retired.map((line) => line.split(':')[0])
    expect(told).toEqual(
      Object.keys(older)
        .filter((name) => name in RETIRED)
        .sort(inTable),
    )
  })

  it('count less than what took their place, and nothing where that is off', () => {
    const both = { ...older, RATE_LIMITS: 'pin=9', ACCESS_LOG: 'false', MIDDLEWARE_AUTH: 'on' }
    expect(readConfig(both)).toMatchObject({
      RATE_LIMITS: { credentials: 1, pin: 9, dealer: 3 },
      LOG_LEVEL: { level: 'info', calls: false },
      MIDDLEWARE_AUTH: { on: true, hosts: new Set() },
    })
    expect(faults({ SSO_CLIENT: 'a:b' })).toEqual([expect.stringMatching(/^SSO_ISSUER: /)])
  })
})

const inTable = (one: string, other: string): number =>
  Object.keys(RETIRED).indexOf(one) - Object.keys(RETIRED).indexOf(other)

describe('settings of older versions', () => {
  it('are told with what takes their place, and change nothing else', () => {
    const gone = Object.entries(RETIRED).filter(([, text]) => text.startsWith('no setting'))
    for (const [name] of gone) {
      expect(SETTINGS).not.toContain(name)
      const { retired, ...config } = readConfig({ [name]: 'x' })
      expect(retired).toEqual([`${name}: ${RETIRED[name]}`])
      expect({ ...config, retired: [] }).toEqual(readConfig({}))
    }
    expect(readConfig({ JOBS: '' }).retired).toEqual([])
  })

  it('the two files for TLS are still read, and count less than the new name', () => {
    const old = { GRPC_TLS_CERT: '/c.pem', GRPC_TLS_KEY: '/k.pem' }
    const config = readConfig(old)
    expect(config.GRPC_TLS).toEqual(FILES)
    expect(config.retired).toHaveLength(2)
    expect(readConfig({ ...old, GRPC_TLS: '/a,/b' }).GRPC_TLS).toEqual({ cert: '/a', key: '/b' })
  })

  it('an agreement of its own stops the start, so that nobody signs another text', () => {
    expect(faults({ AGREEMENT_FILE: 'x.md' })).toEqual([
      'AGREEMENT_FILE: no setting any more; put the text into DATA_DIR/agreement.md',
    ])
  })
})
