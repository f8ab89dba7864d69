// Writes the types of OpenAPI documents: client-types.mjs [--bigint] <document.json> <types.ts> …
// --bigint: integers of 64 bits are bigint, for clients that read them so.
import { readFile, writeFile } from 'node:fs/promises'
import { register } from 'node:module'
import ts from 'typescript-api'

register('./typescript-api.mjs', import.meta.url)
const { default: typesOf, astToString } = await import('openapi-typescript')
const words = process.argv.slice(2)
const files = words.filter((word) => word !== '--bigint')
const bigint = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword)
const exact = { transform: ({ format }) => (format === 'int64' ? bigint : undefined) }
for (let at = 0; at < files.length; at += 2) {
  const document = JSON.parse(await readFile(files[at], 'utf8'))
  const types = await typesOf(document, files.length < words.length ? exact : {})
  await writeFile(files[at + 1], astToString(types))
}
