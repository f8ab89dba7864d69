// docker-compose.yml hands on every setting that the server reads: one that is missing there would
// be ignored without a word.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { SETTINGS } from '../src/config.js'

/** What the image and the file themselves decide. */
const FIXED = ['HOST', 'PORT', 'DATA_DIR']

it('every setting goes through docker-compose.yml', () => {
  const text = readFileSync('docker-compose.yml', 'utf8')
  const server = text.slice(text.indexOf('  server:'), text.indexOf('  database:\n    image'))
  const handed = [...server.matchAll(/^ {6}([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name)
  expect(SETTINGS.filter((name) => !FIXED.includes(name) && !handed.includes(name))).toEqual([])
  expect(handed.filter((name) => !SETTINGS.includes(name ?? ''))).toEqual([])
})
