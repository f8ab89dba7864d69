// The verifiers are worth something only as long as they share nothing with what they verify.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { dsfinvkRules, tarRules } from '../../../src/verify/de/verifiers.js'

const room = new URL('../../../src/verify/de/', import.meta.url)
const own = readdirSync(room)
const PACKAGES = 'tar-stream|yauzl|fast-xml-parser'

it('no file of the verifiers imports another part of the server', () => {
  const allowed = new RegExp(
    `^(?:node:.*|(?:${PACKAGES})|\\./.*|(?:\\.\\./)+(?:[a-z-]+|lib/phrases)\\.js)$`,
  )
  for (const name of own) {
    const text = readFileSync(new URL(name, room), 'utf8')
    for (const [, from = ''] of text.matchAll(/ from '([^']+)'/g)) {
      expect(from, name).toMatch(allowed)
    }
  }
})

it('every rule that is listed is used', () => {
  const names = own.filter((name) => !name.endsWith('-rules.ts'))
  const source = names.map((name) => readFileSync(new URL(name, room), 'utf8')).join('\n')
  const codes = [...Object.keys(tarRules), ...Object.keys(dsfinvkRules)]
  for (const code of codes) expect(source, code).toContain(`'${code}'`)
})
