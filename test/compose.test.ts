// docker-compose.yml hands on every setting that the server reads: one that is missing there would
// be ignored without a word. Who follows the page about it gets a server that starts.
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { checkServing, readConfig, SETTINGS } from '../src/config.js'

/** What the image and the file themselves decide. */
const FIXED = ['HOST', 'PORT', 'DATA_DIR']

const text = readFileSync('docker-compose.yml', 'utf8')
const server = text.slice(text.indexOf('  server:'), text.indexOf('  database:\n    image'))

it('every setting goes through docker-compose.yml', () => {
  const handed = [...server.matchAll(/^ {6}([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name)
  expect(SETTINGS.filter((name) => !FIXED.includes(name) && !handed.includes(name))).toEqual([])
  expect(handed.filter((name) => !SETTINGS.includes(name ?? ''))).toEqual([])
})

/** `${NAME:-default}` and `${NAME:?what to do}` as compose reads them. */
function filled(template: string, env: Readonly<Record<string, string | undefined>>): string {
  return template.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_all, name, sign, rest) => {
    const value = env[name] ?? ''
    if (value !== '' || sign === undefined) return value
    if (sign === '?') throw new Error(`${name}: ${rest}`)
    return rest
  })
}

/** The settings of the server in its container. */
function settingsOf(env: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  const lines = filled(server, env).matchAll(/^ {6}([A-Z][A-Z0-9_]+): ?(.*)$/gm)
  return Object.fromEntries([...lines].map(([, name, value]) => [name, value]))
}

const SECRETS = {
  MASTER_KEY: Buffer.from(
    'a3b1f2c4d5e69788091a2b3c4d5e6f708192a3b4c5d6e7f8e9fa0b1c2d3e4f55',
    'hex',
  ).toString('base64'),
  DATABASE_PASSWORD: '5f0c8d1b9e7a46323c1d5f0a',
}

describe('who follows the page', () => {
  const page = readFileSync('docs/operating.md', 'utf8')
  const section = page.slice(page.indexOf('### In containers'), page.indexOf('### Is it well?'))

  it('is told of every secret that is missing, before anything is started', () => {
    for (const name of Object.keys(SECRETS)) {
      expect(() => filled(text, { ...SECRETS, [name]: '' })).toThrow(`${name}: `)
      expect(section).toContain(`"${name}=$(openssl`)
    }
    expect(() => filled(server, {})).toThrow(/openssl rand/)
  })

  it('gets a sandbox, and with the lines for production a server in production', () => {
    expect(readConfig(settingsOf(SECRETS)).production).toBe(false)
    const [, lines = ''] = /```\n(ENVIRONMENT[^`]*)```/.exec(section) ?? []
    const config = readConfig(settingsOf({ ...SECRETS, ...parseEnv(lines) }))
    expect(config.production).toBe(true)
    checkServing(config)
    const { PUBLIC_URL: _, ...without } = parseEnv(lines)
    const incomplete = readConfig(settingsOf({ ...SECRETS, ...without }))
    expect(() => checkServing(incomplete)).toThrow('PUBLIC_URL')
  })

  it('database and server have the same password', () => {
    const whole = filled(text, SECRETS)
    const found = whole.split(SECRETS.DATABASE_PASSWORD).length - 1
    expect(found).toBe(3)
  })
})
