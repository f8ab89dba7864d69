// Writes the collections: `npm run -s collections` puts them into dist/collections, for whoever
// calls the interfaces by hand with Postman or Bruno.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { brunoFiles, postmanFile } from './files.js'
import { requests } from './requests.js'

const folder = process.argv[2] ?? 'dist/collections'
const list = requests()
const files = new Map([
  ['fiskalwerk.postman_collection.json', postmanFile(list)],
  ...[...brunoFiles(list)].map(([name, text]) => [join('bruno', name), text] as const),
])
await rm(folder, { recursive: true, force: true })
for (const [name, text] of files) {
  const file = join(folder, name)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}
console.log(`${list.length} requests in ${folder}`)
