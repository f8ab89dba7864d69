// Stands for src/lib/thread-module.ts in tests: a thread of src/ is the one of the compiled
// program, which needs no loader. vitest.config.ts puts it in its place.
import { existsSync } from 'node:fs'
import { threadModule as ofSources } from '../../src/lib/thread-module.js'

const SRC = new URL('../../src/', import.meta.url).href
const DIST = new URL('../../dist/', import.meta.url).href

/** Where nothing is compiled (`npm run test:unit`): as anywhere else. */
export function threadModule(entry: URL): string {
  if (!entry.href.startsWith(SRC)) return ofSources(entry)
  const compiled = new URL(entry.href.replace(SRC, DIST).replace(/\.ts$/, '.js'))
  return existsSync(compiled) ? compiled.href : ofSources(entry)
}
