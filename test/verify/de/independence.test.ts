// The verifiers are worth something only as long as they share nothing with what they verify.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { dsfinvkRules, tarRules } from '../../../src/verify/de/files.js'

const market = new URL('../../../src/market/de/', import.meta.url)
const own = readdirSync(new URL('verify/', market)).map((name) => `verify/${name}`)
const PACKAGES = 'tar-stream|yauzl|fast-xml-parser'

it('no file of the verifiers imports another part of the server', () => {
  const allowed = new RegExp(
    `^(?:node:.*|(?:${PACKAGES})|\\./.*|(?:\\.\\./)+(?:errors|market|lib/phrases)\\.js)$`,
  )
  for (const name of ['verify.ts', ...own]) {
    const text = readFileSync(new URL(name, market), 'utf8')
    for (const [, from = ''] of text.matchAll(/ from '([^']+)'/g)) {
      expect(from, name).toMatch(allowed)
      const isOther = name === 'verify.ts' && from.startsWith('./') && !from.startsWith('./verify/')
      expect(isOther, name).toBe(false)
    }
  }
})

it('every rule that is listed is used', () => {
  const names = own.concat('verify.ts').filter((name) => !name.endsWith('-rules.ts'))
  const source = names.map((name) => readFileSync(new URL(name, market), 'utf8')).join('\n')
  const codes = [...Object.keys(tarRules), ...Object.keys(dsfinvkRules)]
  for (const code of codes) expect(source, code).toContain(`'${code}'`)
})
