// Writes the types of OpenAPI documents: client-types.mjs <document.json> <types.ts> …
import { readFile, writeFile } from 'node:fs/promises'
import { register } from 'node:module'

register('./typescript-api.mjs', import.meta.url)
const { default: typesOf, astToString } = await import('openapi-typescript')
const files = process.argv.slice(2)
for (let at = 0; at < files.length; at += 2) {
  const document = JSON.parse(await readFile(files[at], 'utf8'))
  await writeFile(files[at + 1], astToString(await typesOf(document)))
}
