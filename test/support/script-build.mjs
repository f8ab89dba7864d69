// Joins the scripts of this folder that run in processes of their own with the compiled program, so
// that each starts as fast as the server does. Run by global-setup.ts when one of them has changed.
import * as fs from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { joinModules } from '../../scripts/join-modules.mjs'

const SUPPORT = fileURLToPath(new URL('.', import.meta.url))
const SRC = fileURLToPath(new URL('../../src/', import.meta.url))
const DIST = fileURLToPath(new URL('../../dist/', import.meta.url))
const SCRIPT = /-(script|memory|parent)\.ts$/

const [, , folder] = process.argv
const files = fs.readdirSync(SUPPORT, { recursive: true }).filter((file) => SCRIPT.test(file))
const compiled = {
  name: 'the-compiled-program',
  enforce: 'pre',
  resolveId(name, from = '') {
    if (!name.startsWith('.') || !name.endsWith('.js')) return null
    const file = path.resolve(path.dirname(from), name)
    return file.startsWith(SRC) ? path.join(DIST, path.relative(SRC, file)) : null
  },
}
await joinModules({
  entries: Object.fromEntries(
    files.map((file) => [file.replaceAll(path.sep, '-').slice(0, -3), path.join(SUPPORT, file)]),
  ),
  ...{ folder, plugins: [compiled] },
})
