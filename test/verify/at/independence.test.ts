// The verifier is worth something only as long as it shares nothing with what it verifies.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { rules } from '../../../src/verify/at/dep7.js'

const market = new URL('../../../src/market/at/', import.meta.url)
const own = readdirSync(new URL('verify/', market)).map((name) => `verify/${name}`)

it('no file of the verifier imports another part of the server', () => {
  const allowed =
    /^(?:node:|@streamparser\/json$|\.\/|(?:\.\.\/)+(?:errors|market|lib\/phrases)\.js$)/
  for (const name of ['verify.ts', ...own]) {
    const text = readFileSync(new URL(name, market), 'utf8')
    for (const [, from = ''] of text.matchAll(/ from '([^']+)'/g)) {
      expect(from, name).toMatch(allowed)
      expect(
        from.startsWith('./') && name === 'verify.ts' && !from.startsWith('./verify/'),
        name,
      ).toBe(false)
    }
  }
})

it('every rule that is listed is used', () => {
  const text = own.concat('verify.ts').filter((name) => name !== 'verify/rules.ts')
  const source = text.map((name) => readFileSync(new URL(name, market), 'utf8')).join('\n')
  for (const code of Object.keys(rules)) {
    expect(source, code).toContain(`'${code}'`)
  }
})
