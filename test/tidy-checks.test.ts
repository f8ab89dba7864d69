// Shows for each check of the tidy test that it finds what it forbids, and nothing in clean trees.
import { describe, expect, it } from 'vitest'
import {
  checkDecisions,
  checkErrors,
  checkLinks,
  checkNamedFiles,
  checkPins,
  checkReasons,
  checkVariables,
} from './support/tidy/docs.js'
import { checkCycles, checkLayers, checkPairs, checkVerifiers } from './support/tidy/layers.js'
import {
  checkCountries,
  checkDependencies,
  checkEnvironment,
  checkPackageHomes,
  checkPurity,
} from './support/tidy/outside.js'
import { checkDefaultExports, checkHoles, checkNames } from './support/tidy/style.js'
import { foundIn as found } from './support/tidy/tree.js'
import { checkWords } from './support/tidy/words.js'

describe('rooms', () => {
  const files = {
    'src/core/sign/a.ts': "import '../message/deep/b.js'",
    'src/core/message/deep/b.ts': 'export const b = 1',
    'src/core/message/c.ts': "import '../root.js'",
    'src/core/root.ts': "import './sign/a.js'",
  }
  it('beside each other may need one another in one direction', () => {
    expect(found(checkPairs, files)).toEqual([])
  })
  it('are found when both need the other, on whatever floor', () => {
    const back = { 'src/core/message/d.ts': "import '../sign/a.js'" }
    const text = 'src/core/message and src/core/sign import each other'
    expect(found(checkPairs, { ...files, ...back })).toEqual([text])
  })
})

describe('layers', () => {
  const files = {
    'src/core/sign.ts': 'export const sign = 1',
    'src/market/at/process.ts': 'export const process = 1',
    'src/market/de/process.ts': 'export const process = 1',
    'src/market/contract.ts': 'export type Market = 1',
    'src/errors.ts': 'export const fail = 1',
    'src/lib/hash.ts': 'export const sha256 = 1',
  }
  const cases: [path: string, text: string, finding: string][] = [
    ['src/lib/a.ts', "import { sign } from '../core/sign.js'", 'lib imports core'],
    [
      'src/store/a.ts',
      "import type { Market } from '../market/contract.js'",
      'store imports market',
    ],
    ['src/model/a.ts', "export { sign } from '../core/sign.js'", 'model imports core'],
    ['src/model/b.ts', "export * from '../core/sign.js'", 'model imports core'],
    ['src/device/a.ts', "export const a = () => import('../core/sign.js')", 'device imports core'],
    ['src/device/b.ts', "export type A = import('../core/sign.js').A", 'device imports core'],
    ['src/errors.ts', "import { sha256 } from './lib/hash.js'", 'errors imports lib'],
    ['src/lib/b.ts', "import './missing.js'", './missing.js does not exist'],
    ['src/lib/c.ts', "import '../../test/app.js'", '../../test/app.js does not exist'],
    ['src/other/a.ts', "import '../lib/hash.js'", 'src/other is no layer of the architecture'],
    [
      'src/market/at/a.ts',
      "import '../de/process.js'",
      'market at imports src/market/de/process.ts',
    ],
    [
      'src/core/a.ts',
      "import '../market/at/process.js'",
      'src/market/at/process.ts is reached around src/market/index.ts',
    ],
    [
      'src/market/contract.ts',
      "import type { A } from './at/process.js'",
      'the market interface imports a market',
    ],
  ]
  it.each(cases)('%s may not: %s', (path, text, finding) => {
    expect(found(checkLayers, { ...files, [path]: text })).toEqual([finding])
  })
  it('an API group does not lean on another one', () => {
    const groups = {
      'src/api/middleware/a.ts': "import '../receipt/b.js'\nimport '../shared/c.js'",
      'src/api/receipt/b.ts': '',
      'src/api/shared/c.ts': '',
    }
    expect(found(checkLayers, groups)).toEqual(['API group middleware imports receipt'])
  })
  it('arrows that point down pass', () => {
    const text = "import '../errors.js'\nimport '../lib/hash.js'\nimport '../market/contract.js'"
    expect(found(checkLayers, { ...files, 'src/core/a.ts': text })).toEqual([])
  })
  it.each(['src/lib', 'bench/load'])('a circle is told with every file on it: %s', (room) => {
    const circle = {
      [`${room}/a.ts`]: "import { b } from './b.js'",
      [`${room}/b.ts`]: "import { c } from './c.js'",
      [`${room}/c.ts`]: "import type { A } from './a.js'",
    }
    const names = ['a', 'b', 'c', 'a'].map((name) => `${room}/${name}.ts`)
    expect(found(checkCycles, circle)).toEqual([`imports in a circle: ${names.join(' → ')}`])
    expect(found(checkCycles, { ...circle, [`${room}/c.ts`]: '' })).toEqual([])
  })
  it.each([
    ["import { payload } from '../../market/at/payload.js'", 'src/market/at/payload.ts'],
    ["import { signer } from '../../simulator/rksv/signer.js'", 'src/simulator/rksv/signer.ts'],
    ["import { sha256 } from '../../lib/hash.js'", 'src/lib/hash.ts'],
    ["import { read } from '../de/read.js'", 'src/verify/de/read.ts'],
    ["import { Finding } from '../../model/verdict.js'", 'src/model/verdict.ts'],
    ["import { z } from 'zod'", 'zod'],
  ])('a verifier may not: %s', (text, target) => {
    const signing = { ...files, [target]: '', 'src/verify/at/file.ts': text }
    expect(found(checkVerifiers, signing)).toEqual([`a verifier imports ${target}`])
  })
  it('a verifier may use Node, its country, what all share, and the types of a verdict', () => {
    const text =
      "import { createHash } from 'node:crypto'\nimport './chain.js'\nimport '../keys.js'\n" +
      "import type { Finding } from '../../model/verdict.js'\n" +
      "import { Tokenizer } from '@streamparser/json'"
    const names = ['verify/at/chain', 'verify/keys', 'model/verdict']
    const own = Object.fromEntries(names.map((name) => [`src/${name}.ts`, '']))
    const table = { 'src/verify/index.ts': "import './at/file.js'" }
    const given = { ...files, ...own, ...table, 'src/verify/at/file.ts': text }
    expect(found(checkVerifiers, given)).toEqual([])
    const upwards = { ...given, 'src/verify/keys.ts': "import './at/file.js'" }
    expect(found(checkVerifiers, upwards)).toEqual(['a verifier imports src/verify/at/file.ts'])
  })
  it('the rooms beside the markets import no market', () => {
    for (const path of ['src/verify/at/a.ts', 'src/simulator/rksv/a.ts']) {
      const given = {
        ...files,
        'src/market/index.ts': '',
        [path]: "import '../../market/index.js'",
      }
      expect(found(checkLayers, given)).toEqual([`${path.split('/')[1]} imports market`])
    }
  })
})

describe('the outside', () => {
  it.each([
    ['src/core/a.ts', "import type { FastifyInstance } from 'fastify'"],
    ['src/lib/a.ts', "import plugin from 'fastify-plugin'"],
    ['src/core/a.ts', "import swagger from '@fastify/swagger'"],
    ['src/core/a.ts', "import { Pool } from 'pg'"],
    ['src/api/middleware/a.ts', "import { PrismaPg } from '@prisma/adapter-pg'"],
  ])('%s may not: %s', (path, text) => {
    expect(found(checkPackageHomes, { [path]: text })).toHaveLength(1)
  })
  it('frameworks pass in their own layers', () => {
    const files = { 'src/app.ts': "import 'fastify'", 'src/store/a.ts': "import pg from 'pg'" }
    expect(found(checkPackageHomes, files)).toEqual([])
  })
  it.each([
    'export const a = process.env.HOST',
    "export const a = process['env']",
    'export const a = globalThis.process.env',
    'const { env } = process',
    "import { env } from 'node:process'",
  ])('the environment is not read by: %s', (text) => {
    expect(found(checkEnvironment, { 'src/core/a.ts': text })).not.toEqual([])
    expect(found(checkEnvironment, { 'src/config.ts': text })).toEqual([])
  })
  it.each([
    "import { readFileSync } from 'node:fs'",
    "import { readFile } from 'node:fs/promises'",
    "import { request } from 'https'",
    "import { randomBytes } from 'node:crypto'",
    "import { randomId } from '../../lib/id.js'",
    'export const now = new Date()',
    'export const now = Date.now()',
    'export const dice = Math.random()',
    'export const answer = fetch(address)',
    'export const id = crypto.randomUUID()',
    'setTimeout(run, 10)',
    'export const id = process.pid',
  ])('a market may not: %s', (text) => {
    expect(found(checkPurity, { 'src/market/at/a.ts': text })).toHaveLength(1)
  })
  it('a market computes with what it is given', () => {
    const text =
      "import { createHash } from 'node:crypto'\nexport const a = (t) => t.fetch(new Date(5))\n" +
      'process(input)'
    expect(found(checkPurity, { 'src/market/at/a.ts': text })).toEqual([])
  })
  it.each([
    "export const a = market.code === 'DE'",
    "export const a = 'AT' != country",
    "switch (code) { case 'FR': run() }",
  ])('a country is not asked by name: %s', (text) => {
    expect(found(checkCountries, { 'src/core/a.ts': text })).toHaveLength(1)
    expect(found(checkCountries, { 'src/market/at/a.ts': text })).toEqual([])
  })
  it('an unused and an undeclared package are told', () => {
    const manifest = '{"dependencies":{"zod":"4","pino-pretty":"13","left-over":"1"}}'
    const files = {
      'package.json': manifest,
      'src/main.ts': "import 'zod'\nimport 'phantom/deep'\nconst target = 'pino-pretty'",
    }
    expect(found(checkDependencies, files)).toEqual([
      'left-over is not used in src',
      'phantom is no runtime dependency',
    ])
  })
})

describe('style', () => {
  it.each([
    ['src/core/signReceipt.ts', 'signReceipt is not kebab-case'],
    ['src/lib/string-utils.ts', 'utils says nothing'],
    ['test/support/helpers.ts', 'helpers says nothing'],
    ['src/common/a.ts', 'common says nothing'],
    ['docs/New_Market.md', 'New_Market is not kebab-case'],
  ])('%s: %s', (path, finding) => {
    expect(found(checkNames, { [path]: '' })).toEqual([finding])
  })
  it('kebab-case, numbers, tests and README pass', () => {
    const paths = [
      'src/lib/base64.ts',
      'test/a-b.test.ts',
      'docs/README.md',
      'test/some-service.ts',
    ]
    expect(found(checkNames, Object.fromEntries(paths.map((path) => [path, ''])))).toEqual([])
  })
  it.each(['export default 1', 'const a = 1\nexport { a as default }'])('%s', (text) => {
    expect(found(checkDefaultExports, { 'src/a.ts': text })).toEqual(['a default export'])
    expect(found(checkDefaultExports, { 'vitest.config.ts': text })).toEqual([])
  })
  it.each([
    ['const a = b as any', 'the type any'],
    ['const a = b!.c', 'a non-null assertion'],
    ['class A { b!: string }', 'a definite assignment assertion'],
    ['try { a() } catch { /* quiet */ }', 'an empty catch'],
    ['a().catch(() => {})', 'a swallowed promise'],
    ['a().catch(() => undefined)', 'a swallowed promise'],
  ])('%s', (text, finding) => {
    expect(found(checkHoles, { 'src/a.ts': text })).toEqual([finding])
  })
  it.each([
    ['src/a.ts', '// TODO later', 'unfinished work'],
    ['docs/a.md', 'FIXME', 'unfinished work'],
    ['src/a.ts', "throw new Error('Not implemented')", 'a stub'],
    ['test/a.test.ts', "it.skip('waits', run)", 'a test that does not run'],
    ['test/a.test.ts', "describe.concurrent.only('a', run)", 'a test that does not run'],
    ['test/a.test.ts', "it.todo('later')", 'a test that does not run'],
    ['test/a.ts', '// @ts-ignore', 'a switched-off type check'],
    ['src/a.ts', '// @ts-expect-error', 'a switched-off type check'],
    ['docs/a.md', 'see /work/notes', 'a path of one machine'],
    ['src/a.ts', "const path = '/tmp/socket'", 'a path of one machine'],
    ['docs/a.md', 'see ../shared/notes.md', 'a path of one machine'],
    ['test/a.ts', "read('shared/reference/a.md')", 'a path of one machine'],
    ['package.json', '"x": "https://registry.npmjs.org/x"', 'the address of a registry'],
    [
      'package-lock.json',
      '      "resolved": "https://a.b/x.tgz",',
      'a resolved address in the lock file',
    ],
  ])('%s: %s', (path, text, finding) => {
    expect(found(checkWords, { [path]: text })).toEqual([finding])
  })
  it('the shared folder of the API and conditional tests pass', () => {
    const files = {
      'src/api/a/b.ts': "import { z } from '../shared/zod.js'",
      'test/a.test.ts': "it.skipIf(chromium === '')('opens', run)",
    }
    expect(found(checkWords, files)).toEqual([])
  })
})

describe('documentation', () => {
  const page = '# One page\n## Second *part*\n[up](#second-part) [file](b.md#x) `[code](gone.md)`\n'
  it.each([
    ['[gone](c.md)', 'c.md leads nowhere'],
    ['[gone](b.md#y)', 'b.md#y: there is no such heading'],
    ['[gone](#third)', '#third: there is no such heading'],
    ['[gone](/b.md)', '/b.md is no relative link'],
    ['![gone](a.png)', 'a.png leads nowhere'],
    ['[gone]: c.md', 'c.md leads nowhere'],
  ])('%s', (text, finding) => {
    expect(found(checkLinks, { 'docs/a.md': page + text, 'docs/b.md': '# x' })).toEqual([finding])
  })
  it('links to files, folders, headings and other hosts pass', () => {
    const fenced = '```\n[code](gone.md)\n```\n'
    const text = `${page}[src](../src) [web](https://example.org/a)\n${fenced}`
    const files = { 'docs/a.md': text, 'docs/b.md': '# x', 'src/a.ts': '' }
    expect(found(checkLinks, files)).toEqual([])
  })
  it('a decision record outside the index is told', () => {
    const files = {
      'docs/decisions/README.md': '[one](0001-one.md)',
      'docs/decisions/0001-one.md': '',
      'docs/decisions/0002-two.md': '',
    }
    expect(found(checkDecisions, files)).toEqual(['is in no index of the decisions'])
  })
  it('a runtime package without a reason is told', () => {
    const files = {
      'package.json': '{"dependencies":{"zod":"4","pg":"8"}}',
      'docs/decisions/0001-packages.md': '| `zod` | checks | pgp |',
    }
    expect(found(checkReasons, files)).toEqual(['pg has no decision record'])
  })
  it('a variable missing in the sample, in the pages, or read by nobody is told', () => {
    const files = {
      'src/config/table.ts': 'const ROWS = { HOST: {}, PORT: {}, DATA_DIR: {} }',
      '.env.example': '# HOST=127.0.0.1\nDATA_DIR=./data\nOLD=1\n',
      'README.md': 'HOST and PORT',
    }
    expect(found(checkVariables, files)).toEqual([
      'PORT is not in .env.example',
      'DATA_DIR is in no page',
      'OLD is read by nobody',
    ])
  })
  it('a file that a page names and nobody has is told', () => {
    const files = {
      'docs/a.md':
        '`core/a.ts`, `src/core/a.ts`, `api/a.test.ts`, `core/b.ts`, `a.ts`, `market/<cc>/a.ts`',
      'src/core/a.ts': '',
      'test/api/a.test.ts': '',
    }
    expect(found(checkNamedFiles, files)).toEqual(['core/b.ts is not there'])
  })
  it('a file named alone is told when no folder has one of that name', () => {
    const files = { 'docs/a.md': '`core/a.ts`, `b.ts` and `gone.ts`', 'src/core/a.ts': '' }
    const whole = { ...files, 'src/core/deep/b.ts': '' }
    expect(found(checkNamedFiles, whole)).toEqual(['gone.ts is not there'])
  })
  it('a spec gap without a test, with one that is not there, or given twice is told', () => {
    const head = '| No | Left open | Our answer | Why | Pinned by |\n|---|---|---|---|---|\n'
    const rows = [
      '| G-01 | a | `b` | c | `api/a.test.ts` |',
      '| G-02 | a | b | c | `api/a.test.ts`, `api/gone.test.ts` |',
      '| G-03 | a | b | c | – |',
      '| G-04 | a | b | c | later |',
      '| G-03 | a | b | c | – |',
      '| D-01 | a | b | c | |',
    ]
    const files = { 'docs/spec-gaps.md': head + rows.join('\n'), 'test/api/a.test.ts': '' }
    expect(found(checkPins, files)).toEqual([
      'G-02 test/api/gone.test.ts is not there',
      'G-04 names no test',
      'G-03 is given twice',
      'D-01 names no test',
    ])
  })
  it('a code without a section, a section without a code and a wrong kind are told', () => {
    const row = "{ kind: 'missing', text: '' }"
    const files = {
      'src/errors/one.ts': `export const ROWS = { ONE: ${row}, TWO: ${row} }`,
      'src/errors/two.ts': `export const ROWS = { THREE: ${row} }`,
      'docs/errors.md': '### ONE\nKind: `missing`\n### TWO\nKind: `invalid`\n### FOUR\n',
    }
    expect(found(checkErrors, files)).toEqual([
      'THREE is not described',
      'FOUR does not exist',
      'TWO is not invalid',
    ])
  })
})
