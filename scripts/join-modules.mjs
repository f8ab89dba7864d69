// Joins the thousand modules of the compiled program into few files: what a start reads, parses and
// links one by one takes longer than all that it does. Run by scripts/setup.mjs with the folder of
// the build; tests join their scripts with it as well. Decision 0040.
import * as fs from 'node:fs'
import * as path from 'node:path'
import { pathToFileURL } from 'node:url'

/** What is started by itself: programs, and modules of threads. */
const ENTRIES = [
  'main',
  'cli/index',
  'core/event/inspection/thread',
  'core/receipts/render-worker',
  'deps/beside/thread',
]
const JOINED = 'joined'

/**
 * Writes each of `entries` (file by name) to `folder/<name>.js`. Packages stay where they are, and
 * a module finds the files beside it as before: its address is that of the file it came from.
 */
export async function joinModules({ entries, folder, plugins = [] }) {
  const { build } = await import('vite')
  const here = {
    name: 'address-of-origin',
    transform(code, id) {
      if (!code.includes('import.meta.url')) return null
      const origin = JSON.stringify(path.relative(folder, id).replaceAll(path.sep, '/'))
      const address = `new URL(${origin}, import.meta.url).href`
      return { code: code.replaceAll('import.meta.url', address), map: null }
    },
  }
  await build({
    ...{ configFile: false, publicDir: false, logLevel: 'error' },
    root: path.dirname(folder),
    plugins: [...plugins, here],
    ssr: { external: true },
    build: {
      ...{ ssr: true, target: 'node20', outDir: folder, minify: false },
      rollupOptions: {
        input: entries,
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
}

/** In a build the joined files take the place of the modules that are started. */
async function joinBuild(dist) {
  const named = ENTRIES.map((entry) => [entry.replaceAll('/', '-'), `${entry}.js`])
  const folder = path.join(dist, JOINED)
  await joinModules({
    entries: Object.fromEntries(named.map(([name, file]) => [name, path.join(dist, file)])),
    folder,
  })
  for (const [name, file] of named) {
    const to = path.posix.relative(path.posix.dirname(file), `${JOINED}/${name}.js`)
    const from = to.startsWith('.') ? to : `./${to}`
    fs.writeFileSync(path.join(dist, file), `export * from '${from}'\n`)
  }
}

const [, program = '', dist] = process.argv
if (import.meta.url === pathToFileURL(program).href && dist !== undefined) await joinBuild(dist)
