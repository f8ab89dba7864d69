// For scripts of test/support in processes of their own: what they import of src/ is the compiled
// program in dist/.
import { readFile } from 'node:fs/promises'
import { register } from 'node:module'
import { isMainThread } from 'node:worker_threads'

const SRC = new URL('../../src/', import.meta.url).href
const DIST = new URL('../../dist/', import.meta.url).href

// hooks live in a thread of their own, which loads this file again
if (isMainThread) register(import.meta.url)

export async function resolve(specifier, context, next) {
  if (specifier.startsWith('.') && specifier.endsWith('.js')) {
    const url = new URL(specifier, context.parentURL).href.replace(SRC, DIST)
    if (url.startsWith(DIST)) return { url, format: 'module', shortCircuit: true }
  }
  return next(specifier, context)
}

export async function load(url, context, next) {
  if (!url.startsWith(DIST)) return next(url, context)
  const source = await readFile(new URL(url))
  return { format: 'module', source, shortCircuit: true }
}
