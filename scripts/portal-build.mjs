// Builds the pages of the portal and holds them to their weight: what a first view loads, what each
// page adds, a file of texts, and everything together (kB, gzip).
import * as fs from 'node:fs'
import * as path from 'node:path'
import { gzipSync } from 'node:zlib'

// tests that start this have a word of their own here, and React is three times as heavy then
process.env.NODE_ENV = 'production'
const { build } = await import('vite')

const root = path.dirname(path.dirname(new URL(import.meta.url).pathname))
const LIMITS = { firstScript: 150, firstStyle: 12, page: 25, texts: 12, all: 380 }

const result = await build({
  configFile: path.join(root, 'portal/vite.config.ts'),
  logLevel: 'error',
})
const { output } = Array.isArray(result) ? result[0] : result
const weigh = (content) => gzipSync(content, { level: 9 }).length / 1000
const chunks = output.filter((one) => one.type === 'chunk')
const weights = new Map(chunks.map((one) => [one.fileName, weigh(one.code)]))
const styles = output.filter((one) => one.fileName.endsWith('.css'))

const entry = chunks.find((one) => one.isEntry)
const first = new Set()
const follow = (file) => {
  if (first.has(file)) return
  first.add(file)
  for (const other of chunks.find((one) => one.fileName === file)?.imports ?? []) follow(other)
}
follow(entry.fileName)
const isPage = ({ facadeModuleId }) => facadeModuleId?.includes('/src/pages/') === true
const isText = ({ facadeModuleId }) => facadeModuleId?.includes('/src/text/') === true
/** Titles of operations and what events say are loaded by the pages that show them. */
const isSpokenAtOnce = (one) => isText(one) && !/\/(titles|events)\//.test(one.facadeModuleId)
/** Both files of the language that has most to say: nothing is shown without them. */
const spoken = new Map()
for (const { facadeModuleId, fileName } of chunks.filter(isSpokenAtOnce)) {
  const language = path.basename(facadeModuleId)
  spoken.set(language, (spoken.get(language) ?? 0) + weights.get(fileName))
}
/** What a first view needs besides: a page with all that it imports, and the texts. */
const more = (chunk) => {
  const files = new Set()
  const add = (file) => {
    if (first.has(file) || files.has(file)) return
    files.add(file)
    for (const other of chunks.find((one) => one.fileName === file)?.imports ?? []) add(other)
  }
  add(chunk.fileName)
  return [...files]
}
const chunkOf = (file) => {
  const found = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/portal/src/${file}`))
  if (found === undefined) throw new Error(`${file} is no chunk of its own`)
  return found
}
const main = fs.readFileSync(path.join(root, 'portal/src/main.tsx'), 'utf8')
const ROUTE =
  /(?:path: '([^']*)'|index: true),\s*\.\.\.page\(\(\) => import\('\.\/([\w/-]+)\.js'\)/g
const routes = [...main.matchAll(ROUTE)].map(([, address = '', file]) => ({
  path: address,
  files: more(chunkOf(`${file}.tsx`)),
}))
if (routes.length !== main.split('...page(').length - 1) throw new Error('a route is not read')
const named = ({ path: address }) => address.split(':').length
const textsOf = (language) => [
  ...new Set([`text/${language}.ts`, `text/pages/${language}.ts`].map(chunkOf).flatMap(more)),
]
const languages = [...spoken.keys()].map((file) => path.basename(file, '.ts'))
fs.writeFileSync(
  path.join(root, 'dist/portal/first.json'),
  JSON.stringify({
    // what names less by itself fits better; any address is the last
    pages: routes
      .filter(({ path: address }) => address !== '*')
      .toSorted((one, other) => named(one) - named(other)),
    texts: Object.fromEntries(languages.map((language) => [language, textsOf(language)])),
  }),
)
const sum = (files) => [...files].reduce((total, file) => total + (weights.get(file) ?? 0), 0)
const measured = {
  firstScript: sum(first) + Math.max(...spoken.values()),
  firstStyle: styles.reduce((total, one) => total + weigh(one.source), 0),
  page: Math.max(...chunks.filter(isPage).map((one) => weights.get(one.fileName))),
  texts: Math.max(...chunks.filter(isText).map((one) => weights.get(one.fileName))),
  all: sum(weights.keys()),
}
fs.writeFileSync(path.join(root, 'dist/portal/weight.json'), JSON.stringify(measured))
const over = Object.entries(LIMITS).filter(([name, limit]) => measured[name] > limit)
if (over.length > 0) {
  fs.rmSync(path.join(root, 'dist/portal/index.html'))
  const told = over.map(([name, limit]) => `${name} ${measured[name].toFixed(1)} kB of ${limit}`)
  throw new Error(`the portal is too heavy: ${told.join(', ')}`)
}
