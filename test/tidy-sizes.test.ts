// Shows that the checks of sizes find what is too long, too wide, too deep.
import { describe, expect, it } from 'vitest'
import {
  checkDriverSizes,
  checkFloors,
  checkFunctions,
  checkLengths,
  checkMarketSizes,
  checkVerifierSizes,
} from './support/tidy/sizes.js'
import { foundIn as found } from './support/tidy/tree.js'

describe('sizes', () => {
  it('a long file and a wide line are told', () => {
    const files = { 'src/a.ts': '\n'.repeat(401), 'test/b.test.ts': `// ${'x'.repeat(98)}` }
    expect(found(checkLengths, files)).toEqual(['file of 401 lines', 'line of 101 characters'])
    expect(found(checkLengths, { 'src/a.ts': `${'x'.repeat(100)}\n`.repeat(400) })).toEqual([])
  })
  it('a verifier of a country that is too long in all its files is told', () => {
    const files = {
      ...{ 'src/verify/fr/a.ts': '\n'.repeat(300), 'src/verify/fr/b.ts': '\n'.repeat(101) },
      ...{ 'src/verify/pt/a.ts': '\n'.repeat(400), 'src/verify/zip.ts': '\n'.repeat(99) },
      ...{ 'src/verify/at/a.ts': '\n'.repeat(300), 'src/verify/at/b.ts': '\n'.repeat(300) },
    }
    expect(found(checkVerifierSizes, files)).toEqual(['verifier of 401 lines'])
  })
  it('a market of too many lines is told, whatever its files, and comments count', () => {
    const code = (lines: number) => `// why\n\n${'run()\n'.repeat(lines - 4)}/* and\n that */\n`
    const files = {
      ...{ 'src/market/pt/a.ts': code(1000), 'src/market/pt/b/c.ts': code(501) },
      ...{ 'src/market/gr/a.ts': code(1500), 'src/market/es/a.ts': code(3000) },
      ...{ 'src/market/fr/a.ts': code(1504), 'src/market/at/a.ts': code(9000) },
    }
    expect(found(checkMarketSizes, files)).toEqual(['market of 1501 lines'])
    const long = { 'src/market/es/a.ts': code(3001), 'src/market/fr/a.ts': code(1505) }
    expect(found(checkMarketSizes, long)).toEqual(['market of 3001 lines', 'market of 1501 lines'])
  })
  it('drivers that are too long in all their files are told, without what a queue sees', () => {
    const files = {
      ...{ 'src/device/it/a.ts': '//\n'.repeat(1000), 'src/device/it/b.ts': '\n'.repeat(501) },
      ...{ 'src/device/it/unit.ts': '\n'.repeat(300), 'src/device/it/sums.ts': '\n' },
      ...{ 'src/device/es/a.ts': '\n'.repeat(1500), 'src/device/remote.ts': '\n'.repeat(9) },
    }
    expect(found(checkDriverSizes, files)).toEqual(['drivers of 1501 lines'])
  })
  it('a file on the eighth floor is told', () => {
    const files = { 'src/a/b/c/d/e/f.ts': '', 'src/a/b/c/d/e/f/g.ts': '' }
    expect(found(checkFloors, files)).toEqual(['8 floors'])
  })
  const nested = (levels: number) => `${'if (a) { '.repeat(levels)}run()${' }'.repeat(levels)}`
  it.each([
    [`function run() {${'\n'.repeat(70)}}`, 'run has 71 lines'],
    ['const run = (a, b, c, d) => a', 'a function takes 4 parameters'],
    ['class A { constructor(a, b, c, d) {} }', 'constructor takes 4 parameters'],
    ['interface A { run(a: 1, b: 2, c: 3, d: 4): void }', 'run takes 4 parameters'],
    [`function run() { ${nested(4)} }`, 'run nests 4 levels deep'],
    ['function run() { for (;;) { try { a() } finally { if (b) while (c) d() } } }', 'nests 4'],
  ])('%s', (text, finding) => {
    expect(found(checkFunctions, { 'src/a.ts': text })).toEqual([expect.stringContaining(finding)])
  })
  it('chains of else-if, inner functions and `this` do not count', () => {
    const chain = 'if (a) b(); else if (c) d(); else if (e) f(); else if (g) h(); else i()'
    const inner = `const z = () => { ${nested(3)} }`
    const text = `function run(this: X, a, b, c) { ${chain}\n${nested(2)}; ${inner} }`
    expect(found(checkFunctions, { 'src/a.ts': text })).toEqual([])
  })
})
