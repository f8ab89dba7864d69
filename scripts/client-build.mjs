// Makes the package @fiskalwerk/client in dist/client: types from the documents, one small file.
import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { build } from 'vite'
import { groupDocuments } from './documents.mjs'

const root = path.dirname(path.dirname(new URL(import.meta.url).pathname))
const at = (...parts) => path.join(root, ...parts)
const node = (...words) => execFileSync(process.execPath, words, { stdio: 'inherit' })
const work = at('node_modules/.cache', `client-${process.pid}`)
const made = path.join(work, 'src/made')
const target = process.argv[2] ?? at('dist/client')

/** Names of members that are integers of 64 bits. */
function words(part, found = new Set()) {
  if (part === null || typeof part !== 'object') return found
  for (const [name, schema] of Object.entries(part.properties ?? {})) {
    const forms = [schema, ...(schema.anyOf ?? [])]
    if (forms.some(({ format }) => format === 'int64')) found.add(name)
  }
  for (const one of Object.values(part)) words(one, found)
  return found
}

try {
  fs.cpSync(at('client'), work, { recursive: true })
  fs.mkdirSync(made, { recursive: true })
  const documents = await groupDocuments()
  const files = Object.entries(documents).flatMap(([group, document]) => {
    const file = path.join(work, `${group}.json`)
    fs.writeFileSync(file, JSON.stringify(document))
    return [file, path.join(made, `${group}.ts`)]
  })
  node(at('scripts/client-types.mjs'), '--bigint', ...files)
  const names = [...words(documents)].toSorted().join(' ')
  fs.writeFileSync(path.join(made, 'words.ts'), `export const WORDS = '${names}'\n`)
  node(at('node_modules/typescript/bin/tsc'), '-p', work)
  await build({
    configFile: false,
    logLevel: 'error',
    root: work,
    build: {
      lib: { entry: path.join(work, 'src/index.ts'), formats: ['es'], fileName: () => 'index.js' },
      outDir: path.join(work, 'out'),
      minify: true,
      target: 'es2022',
    },
  })
  fs.rmSync(target, { recursive: true, force: true })
  fs.mkdirSync(target, { recursive: true })
  fs.cpSync(path.join(work, 'types'), path.join(target, 'types'), { recursive: true })
  for (const name of ['package.json', 'README.md']) {
    fs.copyFileSync(path.join(work, name), path.join(target, name))
  }
  const text = fs.readFileSync(path.join(work, 'out/index.js'), 'utf8')
  // lines that name the files it was made of
  fs.writeFileSync(path.join(target, 'index.js'), text.replace(/^\/\/.*\n/gm, ''))
  fs.copyFileSync(at('LICENSE'), path.join(target, 'LICENSE'))
} finally {
  fs.rmSync(work, { recursive: true, force: true })
}
