#!/usr/bin/env node
// The command `fiskalwerk`: prepares the checkout where that has not been done yet, then runs the
// command line. Called by npx fiskalwerk and npm run cli.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cli = new URL('../dist/cli/index.js', import.meta.url)
const root = fileURLToPath(new URL('..', import.meta.url))
const setup = join(root, 'scripts', 'setup.mjs')
const seen = new URL('../scripts/setup-seen.mjs', import.meta.url)

// a container has dist/ and neither sources nor scripts
if (existsSync(setup) && !(await import(seen.href)).isSeen(root)) {
  // stdout belongs to the command: with --json it is one document
  const run = spawnSync(process.execPath, [setup, 'build'], { stdio: ['ignore', 2, 2] })
  if (run.status !== 0) process.exit(1)
}

await import(cli.href)
