// Makes the client of the portal from the route tables of the compiled program: what each operation
// is called with, and the types of what comes back. Writes portal/src/generated.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { pathToFileURL } from 'node:url'

const root = path.dirname(path.dirname(new URL(import.meta.url).pathname))
const folder = path.join(root, 'portal/src/generated')
const program = (file) => import(pathToFileURL(path.join(root, 'dist', file)).href)

const { documentOf } = await program('api/shared/openapi/document.js')
const { dealerOperations } = await program('api/dealer/operations.js')
const { dealerTable } = await program('api/dealer/document.js')
const { platformOperations } = await program('api/platform/operations.js')
const { platformTable } = await program('api/platform/document.js')
const { sessionTable } = await program('api/portal/operations.js')
const { portalTable } = await program('api/portal/document.js')
const { EVENT_TYPES } = await program('model/event.js')
const { LOOK } = await program('lib/look.js')

/** Where each is mounted for the portal, and where programs find it. */
const GROUPS = [
  { group: 'dealer', operations: dealerOperations, table: dealerTable(dealerOperations) },
  { group: 'platform', operations: platformOperations, table: platformTable },
  { group: 'session', operations: sessionTable, table: portalTable },
]

function rowsOf({ group, operations }) {
  return operations.map(({ id, method, path: address, right, title, tag }) => [
    id,
    { group, method, path: address, title, tag, ...(right === undefined ? {} : { right }) },
  ])
}

function documentFor({ group, table }) {
  const head = { title: group, description: '', version: '1', credentials: {}, tags: {} }
  return documentOf({ ...head, server: '/' }, table, '3.1')
}

/** What has 64 bits is no number: computing with it is a fault of the types. */
const EXACT = '--int64=../api/numbers.js'

const rows = GROUPS.flatMap(rowsOf)
const doubled = rows.map(([id]) => id).filter((id, at, all) => all.indexOf(id) !== at)
if (doubled.length > 0) throw new Error(`two operations are called ${doubled.join(', ')}`)

const documents = GROUPS.map((one) => ({ group: one.group, document: documentFor(one) }))
const stamp = createHash('sha256')
  .update(fs.readFileSync(new URL(import.meta.url)))
  .update(JSON.stringify([rows, documents, EVENT_TYPES, LOOK]))
  .digest('hex')
const stampFile = path.join(folder, '.stamp')
const known = fs.existsSync(stampFile) ? fs.readFileSync(stampFile, 'utf8') : ''
if (known !== stamp) {
  fs.mkdirSync(folder, { recursive: true })
  const files = documents.flatMap(({ group, document }) => {
    const file = path.join(folder, `${group}.json`)
    fs.writeFileSync(file, JSON.stringify(document))
    return [file, path.join(folder, `${group}.d.ts`)]
  })
  execFileSync(process.execPath, [path.join(root, 'scripts/client-types.mjs'), EXACT, ...files])
  const table = JSON.stringify(Object.fromEntries(rows), null, 1)
  const head = '// Every operation that the portal can call. Made from the route tables.\n'
  fs.writeFileSync(
    path.join(folder, 'operations.ts'),
    `${head}export const OPERATIONS = ${table} as const\n\n` +
      `export const EVENT_TYPES = ${JSON.stringify(EVENT_TYPES)} as const\n`,
  )
  const colours = Object.entries(LOOK).map(
    ([name, [light, dark]]) => `  --${name}: light-dark(${light}, ${dark});`,
  )
  fs.writeFileSync(path.join(folder, 'tokens.css'), `:root {\n${colours.join('\n')}\n}\n`)
  fs.writeFileSync(stampFile, stamp)
}
