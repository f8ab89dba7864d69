// The verifier is worth something only as long as it shares nothing with what it verifies.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const room = new URL('../../../src/verify/pt/', import.meta.url)

it('no file of the verifier imports another part of the server', () => {
  const allowed = /^(?:node:|saxes$|\.\/|(?:\.\.\/)+(?:words\/)?[a-z0-9-]+\.js$)/
  for (const name of readdirSync(room)) {
    const text = readFileSync(new URL(name, room), 'utf8')
    for (const [, from = ''] of text.matchAll(/ from '([^']+)'/g)) {
      expect(from, name).toMatch(allowed)
    }
  }
})
