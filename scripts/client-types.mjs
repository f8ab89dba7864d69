// Writes the types of OpenAPI documents: client-types.mjs [option] <document.json> <types.ts> …
// --bigint: integers of 64 bits are bigint, for clients that read them so.
// --int64=<module>: they are the type Int64 of this module, which is no number.
import { readFile, writeFile } from 'node:fs/promises'
import { register } from 'node:module'
import ts from 'typescript-api'

register('./typescript-api.mjs', import.meta.url)
const { default: typesOf, astToString } = await import('openapi-typescript')
const words = process.argv.slice(2)
const files = words.filter((word) => !word.startsWith('--'))
const [option = ''] = words.filter((word) => word.startsWith('--'))
const [, module] = option.split('=')
const type =
  module === undefined
    ? ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword)
    : ts.factory.createTypeReferenceNode('Int64')
const head = module === undefined ? '' : `import type { Int64 } from '${module}'\n`
const exact = { transform: ({ format }) => (format === 'int64' ? type : undefined) }
for (let at = 0; at < files.length; at += 2) {
  const document = JSON.parse(await readFile(files[at], 'utf8'))
  const types = await typesOf(document, option === '' ? {} : exact)
  await writeFile(files[at + 1], head + astToString(types))
}
