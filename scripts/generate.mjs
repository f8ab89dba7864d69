// Generates the Prisma client; called by scripts/setup.mjs. The command line insists on a schema
// engine file that it does not use for this; any existing file satisfies it.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'

const cli = createRequire(import.meta.url).resolve('prisma/build/index.js')
const run = spawnSync(process.execPath, [cli, 'generate'], {
  encoding: 'utf8',
  env: {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    CHECKPOINT_DISABLE: '1',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
  },
})
if (run.status !== 0) {
  process.stderr.write(`${run.stdout}${run.stderr}`)
  process.exit(run.status ?? 1)
}
