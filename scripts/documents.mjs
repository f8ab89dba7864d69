// The OpenAPI documents of the groups, made from the route tables of the compiled program.
import * as path from 'node:path'
import { pathToFileURL } from 'node:url'

const root = path.dirname(path.dirname(new URL(import.meta.url).pathname))
const program = (file) => import(pathToFileURL(path.join(root, 'dist', file)).href)

/** By the name that the group has under /docs. */
export async function groupTables() {
  const { dealerOperations } = await program('api/dealer/operations.js')
  const { dealerTable } = await program('api/dealer/document.js')
  const { platformTable } = await program('api/platform/document.js')
  const { middlewareTable } = await program('api/middleware/table.js')
  const { possystemTable } = await program('api/possystem/table.js')
  return {
    middleware: middlewareTable(false),
    possystem: possystemTable,
    dealer: dealerTable(dealerOperations),
    platform: platformTable,
  }
}

/** Their documents, 3.1. */
export async function groupDocuments() {
  const { documentOf } = await program('api/shared/openapi/document.js')
  const head = { description: '', version: '1', credentials: {}, tags: {}, server: '/' }
  const tables = Object.entries(await groupTables())
  return Object.fromEntries(
    tables.map(([title, table]) => [title, documentOf({ ...head, title }, table, '3.1')]),
  )
}
