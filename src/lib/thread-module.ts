// The module of a thread, wherever the program runs from.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** `entry` as a thread can load it: in a checkout a source needs its loader as well. */
export function threadModule(entry: URL): string {
  if (!entry.pathname.endsWith('.ts')) return entry.href
  const folder = dirname(createRequire(import.meta.url).resolve('tsx/package.json'))
  const loader = pathToFileURL(join(folder, 'dist/esm/api/index.mjs')).href
  const code =
    `import { register } from ${JSON.stringify(loader)}\nregister()\n` +
    `export const { work } = await import(${JSON.stringify(entry.href)})`
  return `data:text/javascript,${encodeURIComponent(code)}`
}
