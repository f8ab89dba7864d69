// Shows that the check of what modules keep finds what it forbids, and nothing in clean trees.
import { describe, expect, it } from 'vitest'
import { checkModuleState } from './support/tidy/state.js'
import { Tree } from './support/tidy/tree.js'

describe('what a module keeps', () => {
  const changing = (text: string, measured: string[] = []) =>
    checkModuleState(Tree.of({ 'src/a.ts': text }), measured).map((finding) => finding.text)

  it.each([
    'let last = 0\nexport const f = () => { last = 1 }',
    'let last = 0\nexport function f() { last += 1; last++ }',
    'const last = new Map()\nexport function f() { last.set(1, 2) }',
    'export const last: Map<a, b> = new WeakMap()\nclass A { f() { last.delete(1) } }',
    'const last = new LRUCache({ max: 1 })\nconst f = () => g(() => last.clear())',
    'const last = { a: { b: new Set() } }\nfunction f() { last.a.b.add(1) }',
    'const last: string[] = []\nfunction f() { last[0] = 1 }',
  ])('is found when a function changes it: %s', (text) => {
    expect(changing(text)).toEqual(['last changes outside of deps'])
    expect(changing(text, ['src/a.ts last'])).toEqual([])
  })

  it('may be a table that is filled while the module is read, and what a function makes', () => {
    const text = `const table = new Map()
      for (const one of rows) table.set(one, 1)
      export function f() { const own = new Map(); own.set(1, table.get(1)); return own }`
    expect(changing(text)).toEqual([])
  })

  it('is told when the list of what was measured names what is gone', () => {
    expect(changing('export const a = 1', ['src/a.ts last'])).toEqual(['src/a.ts last is gone'])
  })
})
