// `npm run market:new` makes a country that passes the contract of all markets: the command is run
// in a copy of the project, and the contract test there, for this country alone.
import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'

const run = promisify(execFile)
const PATIENCE_MS = 240_000 * Number(process.env.TEST_PATIENCE ?? 1)
/** What no command and no test reads, or what is as large as it is the same. */
const LEFT_OUT = new Set(['node_modules', 'dist', 'data', '.git', 'docs', 'bench'])

/** The test of the contract alone, which needs no build. */
const CONFIG = `import { defineConfig } from 'vitest/config'
export default defineConfig({
  test: {
    name: 'contract',
    include: ['test/market/contract.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
`

const copy = mkdtempSync(join(tmpdir(), 'fiskalwerk-market-'))
afterAll(() => rmSync(copy, { recursive: true }))

it('a new country passes the contract test', { timeout: PATIENCE_MS }, async () => {
  for (const name of readdirSync('.')) {
    if (!LEFT_OUT.has(name)) cpSync(name, join(copy, name), { recursive: true })
  }
  symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'))
  const bin = join(copy, 'node_modules/.bin')
  const env = { ...process.env, VITEST: '', VITEST_POOL_ID: '' }
  const inCopy = (name: string, ...args: string[]) => run(join(bin, name), args, { cwd: copy, env })
  const made = await inCopy('tsx', 'scripts/market-new.ts', 'nl', 'Netherlands', 'Europe/Amsterdam')
  expect(made.stdout).toContain('src/market/nl and src/verify/nl')
  await expect(inCopy('tsx', 'scripts/market-new.ts', 'nl')).rejects.toThrow(/is there already/)
  // rules that want the types of all files take longer than all else here
  const { linter, ...style } = JSON.parse(readFileSync('biome.json', 'utf8'))
  linter.rules.nursery = undefined
  writeFileSync(join(copy, 'biome.json'), JSON.stringify({ ...style, linter }))
  await inCopy('biome', 'check', '--write', 'src/market', 'src/verify')
  await inCopy('tsc', '--noEmit', '--checkers', '1', '-p', 'tsconfig.build.json')
  writeFileSync(join(copy, 'vitest.contract.ts'), CONFIG)
  const of = ['--config', 'vitest.contract.ts', '-t', 'NL', '--reporter', 'json']
  const { stdout } = await inCopy('vitest', 'run', ...of)
  const told = JSON.parse(stdout.slice(stdout.indexOf('{'))) as Record<string, number>
  expect([told.numFailedTests, told.numPassedTests]).toEqual([0, 11])
})
