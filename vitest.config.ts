import { configDefaults, defineConfig } from 'vitest/config'

/** Tests of parts that keep nothing between two calls: they may share one load of the program. */
const PARTS = 'test/{lib,model,market,verify,simulator,render,notify,device}/**/*.test.ts'

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    // the database of the run wants a core as well
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000, interval: 20 } },
    projects: [
      { extends: true, test: { name: 'parts', include: [PARTS], isolate: false } },
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, PARTS],
        },
      },
    ],
  },
})
