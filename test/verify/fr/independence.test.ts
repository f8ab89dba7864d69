// The verifier is worth something only as long as it shares nothing with what it verifies.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { rules } from '../../../src/verify/fr/rules.js'

const room = new URL('../../../src/verify/fr/', import.meta.url)
const own = readdirSync(room)

it('no file of the verifier imports another part of the server', () => {
  const allowed = /^(?:node:|@streamparser\/json$|\.\/|(?:\.\.\/)+(?:[a-z-]+|words\/findings)\.js$)/
  for (const name of own) {
    const text = readFileSync(new URL(name, room), 'utf8')
    for (const [, from = ''] of text.matchAll(/ from '([^']+)'/g)) {
      expect(from, name).toMatch(allowed)
    }
  }
})

it('every rule that is listed is used, here or by the readers that all verifiers share', () => {
  const shared = readdirSync(new URL('../', room)).filter((name) => name.endsWith('.ts'))
  const files = [
    ...own.filter((name) => name !== 'rules.ts'),
    ...shared.map((name) => `../${name}`),
  ]
  const source = files.map((name) => readFileSync(new URL(name, room), 'utf8')).join('\n')
  for (const code of Object.keys(rules)) {
    expect(source, code).toContain(`'${code}'`)
  }
})
