// The modules of threads as they are built: with a loader of sources each thread would translate
// the whole program anew. vitest.config.ts puts this in the place of src/lib/thread-module.ts.
import { inject } from 'vitest'
import { threadModule as fromSource } from '../../src/lib/thread-module.js'

const SRC = new URL('../../src/', import.meta.url).href
const DIST = new URL('../../dist/', import.meta.url).href

export function threadModule(entry: URL): string {
  if (!inject('isBuilt') || !entry.href.startsWith(SRC)) return fromSource(entry)
  return entry.href.replace(SRC, DIST).replace(/\.ts$/, '.js')
}
