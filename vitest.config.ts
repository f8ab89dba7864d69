import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/sequencer.js'
import { memoryFolder } from './test/support/temporary-folder.js'

// of this process and all that it starts
process.env.TMPDIR ??= memoryFolder()

/** A machine that does more than it has cores is late: limits are for what never ends. */
const PATIENCE = Number(process.env.TEST_PATIENCE ?? 1)

/** Of the core, what needs no database. */
const PURE_CORE = [
  'test/core/{audit/verify,receipt-rules}/*.test.ts',
  'test/core/accounts/pairing/policy.test.ts',
  'test/core/payment/{choice,own-driver}.test.ts',
]
/** Of parts that need none otherwise, what opens a database: their tests go with the stories. */
const WITH_DATABASE = [
  'test/market/contract.test.ts',
  'test/market/de/devices/long-export.test.ts',
  'test/render/codes.test.ts',
  'test/verify/fr/{corruptions,exports}.test.ts',
]
/** Parts that keep nothing between two calls: their tests share one load of the program. */
const UNIT = [
  'test/{bench,case,device,lib,market,model,notify,render,simulator,verify}/**/*.test.ts',
  ...PURE_CORE,
]
/** Programs and browsers in processes of their own. */
const STORY = [
  'test/{browser,cli,model-based,postgres,scripts,story}/**/*.test.ts',
  'test/{compose,docs-blocks,examples,tidy,tidy-checks,tidy-sizes}.test.ts',
  ...WITH_DATABASE,
]
const exclude = (...more: string[]) => [...configDefaults.exclude, ...more]

const THREAD_MODULE = fileURLToPath(new URL('test/support/thread-module.ts', import.meta.url))
/** Threads of the program run as they are built, where the run has a build. */
const builtThreads = {
  name: 'built-threads',
  enforce: 'pre' as const,
  resolveId: (source: string, importer = '') =>
    source.endsWith('/lib/thread-module.js') && importer !== THREAD_MODULE
      ? THREAD_MODULE
      : undefined,
}

/**
 * Of a worker: 7 to 10 % less processor time for tests of interfaces than with the usual one; 6 %
 * more where one thread cleans it up, and nothing is born old on a guess.
 */
const YOUNG_HEAP = [
  ...['--min-semi-space-size=16', '--max-semi-space-size=64'],
  ...['--no-parallel-scavenge', '--no-allocation-site-pretenuring'],
]
/**
 * Most of what a worker runs is over before code made fast has paid for being made: what runs for
 * long gets it later (6 to 9 % less processor time). Newer versions do not know the flag.
 */
const LATE_OPTIMIZER = process.version.startsWith('v20.') ? ['--interrupt-budget=3000000'] : []

export default defineConfig({
  plugins: [builtThreads],
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/byte-equality.ts'],
    // tests of crashes and long waits leave a core alone for much of their time: with three workers
    // a tenth of two cores had nothing to do
    maxWorkers: 4,
    // a worker that has loaded the whole program collects its young objects less often
    execArgv: [...YOUNG_HEAP, ...LATE_OPTIMIZER],
    retry: Number(process.env.TEST_RETRIES ?? 0),
    testTimeout: 20_000 * PATIENCE,
    hookTimeout: 60_000 * PATIENCE,
    expect: { poll: { timeout: 10_000 * PATIENCE, interval: 20 } },
    sequence: { sequencer: LongestFirst },
    // what one project has translated, the others read
    experimental: { fsModuleCache: true },
    projects: [
      {
        extends: true,
        test: {
          ...{ name: 'unit', include: UNIT, exclude: exclude(...WITH_DATABASE), isolate: false },
          provide: { isUnit: true },
        },
      },
      // whatever no other project takes, so that no folder is ever left out
      {
        extends: true,
        test: {
          name: 'api',
          include: ['test/**/*.test.ts'],
          exclude: exclude(...UNIT, ...STORY),
          // modules keep nothing (test/tidy-state.test.ts): one load of the program serves all
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'story',
          include: STORY,
          isolate: false,
          // parts of portal.test.ts and others, which share their servers and browsers
          exclude: exclude('test/browser/portal/*.test.ts'),
          testTimeout: 60_000 * PATIENCE,
        },
      },
    ],
  },
})
