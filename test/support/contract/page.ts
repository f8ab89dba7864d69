// Whether an answer is what the OpenAPI document promises for its status: media type, members,
// types.
import { expect } from 'vitest'
import { dealerTable } from '../../../src/api/dealer/document.js'
import type { Operation } from '../../../src/api/dealer/operation.js'
import { documentOf, shownPath } from '../../../src/api/shared/openapi/document.js'
import type { Reply } from '../dealer.js'
import { type DocumentSchemas, schemasOf } from '../document-schemas.js'

interface Promised {
  content?: Record<string, unknown>
}

interface Page {
  document: unknown
  /** Of a success, and of a refusal, which may say more. */
  closed: DocumentSchemas
  open: DocumentSchemas
}

/** A document is long to make and to read: of a row once. */
const pages = new WeakMap<Operation, Page>()

function pageOf(row: Operation): Page {
  const known = pages.get(row)
  if (known !== undefined) return known
  const head = {
    title: 'One',
    description: '',
    version: '1',
    server: '/',
    credentials: {},
    tags: {},
  }
  const document = documentOf(head, dealerTable([row]), '3.1')
  const page = { document, closed: schemasOf(document, true), open: schemasOf(document) }
  pages.set(row, page)
  return page
}

/** Fails unless the document promises this answer of the row, and every member of a success. */
export function expectPromised(row: Operation, reply: Reply): void {
  const { document, closed, open } = pageOf(row)
  const path = shownPath(`/api${row.path}`)
  const place = ['paths', path, row.method.toLowerCase(), 'responses', String(reply.status)]
  const promised = place.reduce<unknown>((node, word) => Reflect.get(Object(node), word), document)
  if (promised === undefined) throw new Error(`${row.id}: ${reply.status} is in no document`)
  if (reply.status === 204) return
  const [type = ''] = String(reply.headers['content-type']).split(';')
  if ((promised as Promised).content?.[type] === undefined) {
    throw new Error(`${row.id}: ${reply.status} is promised in no ${type}`)
  }
  const value: unknown = type.endsWith('json') ? JSON.parse(reply.text) : reply.text
  const schemas = reply.status < 300 ? closed : open
  expect(schemas.faultsOf([...place, 'content', type, 'schema'], value), reply.text).toEqual([])
}
