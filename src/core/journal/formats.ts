// Rows as JSON, CSV and XML, in pieces of some 64 KiB.
import { CSV_START, csvLines } from '../../lib/csv.js'
import { writeJson } from '../../lib/json-write.js'
import { element, type XmlTree } from '../../lib/xml-write.js'
import { plainText, type Row } from './cell.js'
import type { RowTable } from './tables.js'
import { type XmlHead, xmlHead, xmlSafe } from './xml.js'

export const JSON_TYPE = 'application/json; charset=utf-8'
export const CSV_TYPE = 'text/csv; charset=utf-8'
export const XML_TYPE = 'application/xml; charset=utf-8'

/** Characters of a piece; a single larger row is a piece of its own. */
const PIECE = 64 * 1024

/** One JSON array. */
export async function* jsonOf(table: RowTable): AsyncGenerator<string, void, undefined> {
  let text = '['
  let separator = ''
  for await (const page of table.pages()) {
    for (const row of page) {
      text += separator + writeJson(row)
      separator = ','
      if (text.length < PIECE) continue
      yield text
      text = ''
    }
  }
  yield `${text}]`
}

/** A head line and one line for each row. */
export async function* csvOf(table: RowTable): AsyncGenerator<string, void, undefined> {
  let text = CSV_START
  let columns = table.columns
  if (columns !== undefined) text += csvLines([columns])
  for await (const page of table.pages()) {
    for (const row of page) {
      if (columns === undefined) {
        columns = Object.keys(row)
        text += csvLines([columns])
      }
      text += csvLines([columns.map((name) => plainText(row[name]) ?? '')])
      if (text.length < PIECE) continue
      yield text
      text = ''
    }
  }
  if (text !== '') yield text
}

/** `<Journal …>` with one element for each row; members that are null are left out. */
export async function* xmlOf(
  table: RowTable,
  head: XmlHead,
): AsyncGenerator<string, void, undefined> {
  let text = xmlHead(head)
  for await (const page of table.pages()) {
    for (const row of page) {
      text += element(table.element, treeOf(row))
      if (text.length < PIECE) continue
      yield text
      text = ''
    }
  }
  yield `${text}</Journal>`
}

function treeOf(row: Row): XmlTree {
  const tree: XmlTree = {}
  for (const [name, value] of Object.entries(row)) {
    const text = plainText(value)
    if (text !== undefined) tree[name] = xmlSafe(text)
  }
  return tree
}
